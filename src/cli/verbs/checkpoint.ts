import { dirname } from "node:path";
import type { Config } from "../../run/index.ts";
import { checkpointOfRun, checkpointsIn, configFrom, findRun } from "../../run/index.ts";
import {
  type Checkpoint,
  checkpointFile,
  type RunPoint,
  writeCheckpoint,
} from "../../world/index.ts";
import { CliError, EXIT } from "../core/exit.ts";
import { addOutFlags, addRunArgument, MOMENT_HELP, moment, type OutFlags } from "../core/flags.ts";
import { type Register, withExamples } from "../core/shell.ts";

type Flags = OutFlags & { readonly at?: RunPoint; readonly output?: string };

export const register: Register = (command, { output }) => {
  addOutFlags(
    addRunArgument(command)
      .option("--at <moment>", `save the state at ${MOMENT_HELP} (default: the end)`, moment)
      .option(
        "-o, --output <file>",
        "file to write (default: <run>/<time>-<event>.ckpt in the folder of checkpoints)",
      ),
  );
  withExamples(command, ["sim checkpoint latest", "sim checkpoint latest --at 5m -o before.ckpt"]);
  command.action(async (run: string, flags: Flags) => {
    const checkpoint = await checkpointOfRun(run, flags);
    const { seq, atMs } = checkpoint;
    const { sha256: stateHash } = checkpoint.state;
    if (flags.at?.kind === "event" && flags.at.seq !== seq) {
      output.note(
        `note: event ${flags.at.seq} is inside a transaction; saved at its end, event ${seq}`,
      );
    }
    const dir = checkpointsIn(dirname(findRun(run, flags.out)), configOf(checkpoint));
    const file = flags.output ?? checkpointFile(dir, { id: checkpoint.run.id, seq, atMs });
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

const configOf = ({ run, config: text }: Checkpoint): Config => {
  const kept = { origin: `the configuration of ${run.id}`, text };
  return configFrom({ kept, file: null, sets: [], flags: [] }).config;
};
