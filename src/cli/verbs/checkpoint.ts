import { type Checkpoint, checkpointFile, writeCheckpoint } from "../../world/index.ts";
import { CliError, EXIT } from "../exit.ts";
import {
  addOutFlags,
  addRunArgument,
  configFrom,
  keptConfig,
  type OutFlags,
  wholeFrom,
} from "../flags.ts";
import { checkpointOfRun } from "../run/open-run.ts";
import { type Register, withExamples } from "../shell.ts";

type Flags = OutFlags & { readonly at?: number; readonly output?: string };

export const register: Register = (command, { output }) => {
  addOutFlags(
    addRunArgument(command)
      .option("--at <seq>", "save the state after this event (default: the last)", wholeFrom(1))
      .option("-o, --output <file>", "file to write (default: checkpoints/<run>/<seq>.ckpt)"),
  );
  withExamples(command, ["sim checkpoint latest", "sim checkpoint latest --at 500 -o before.ckpt"]);
  command.action(async (run: string, flags: Flags) => {
    const checkpoint = await checkpointOfRun(run, flags);
    const { seq, atMs } = checkpoint;
    const { sha256: stateHash } = checkpoint.state;
    if (flags.at !== undefined && flags.at !== seq) {
      output.note(
        `note: event ${flags.at} is inside a transaction; saved at its end, event ${seq}`,
      );
    }
    const file = flags.output ?? checkpointFile(dirOf(checkpoint), { id: checkpoint.run.id, seq });
    const written = await writeCheckpoint(file, checkpoint);
    if (!written.ok) {
      throw new CliError(written.problem, written.isTaken ? EXIT.wrongUsage : EXIT.couldNotRun);
    }
    if (flags.json === true) {
      output.json({ file, seq, at_ms: atMs, state_hash: stateHash, bytes: written.bytes });
      return;
    }
    output.line(`${file}: after event ${seq}, at ${atMs / 1000} s, ${written.bytes} bytes`);
    output.line(`state hash ${stateHash}`);
  });
};

const dirOf = (checkpoint: Checkpoint): string =>
  configFrom({ kept: keptConfig(checkpoint), file: null, sets: [], flags: [] }).config.checkpoint
    .dir;
