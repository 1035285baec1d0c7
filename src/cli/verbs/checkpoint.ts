import { loadConfig, showProblem } from "../../runner/index.ts";
import { type Checkpoint, checkpointFile, writeCheckpoint } from "../../world/index.ts";
import { EXIT } from "../exit-code.ts";
import { wholeFrom } from "../flag-values.ts";
import { RUNS_FOLDER } from "../run-record.ts";
import { type Register, withExamples } from "../shell.ts";
import { checkpointOfRun } from "../source.ts";
import { UsageProblem } from "../usage-problem.ts";

type Flags = {
  readonly at?: number;
  readonly output?: string;
  readonly out: string;
  readonly json?: boolean;
};

/** `sim checkpoint`: keeps a state of a run in a file, also of a run that is going on. */
export const register: Register = (command, shell) => {
  withExamples(
    command
      .argument("<run>", "run id, unique prefix, path, or latest")
      .option("--at <seq>", "after this event; default: the last", wholeFrom(1))
      .option("-o, --output <file>", "default: checkpoints/<run>/<seq>.ckpt")
      .option("--out <dir>", "where runs are kept", RUNS_FOLDER)
      .option("--json", "print one JSON document"),
    ["sim checkpoint latest", "sim checkpoint latest --at 500 -o before.ckpt"],
  ).action(async (run: string, flags: Flags) => {
    const { output } = shell;
    const checkpoint = await checkpointOfRun(run, flags);
    const { seq, atMs } = checkpoint;
    const { sha256: stateHash } = checkpoint.state;
    if (flags.at !== undefined && flags.at !== seq) {
      output.note(`note: event ${flags.at} is within a transaction; taken at its end, ${seq}`);
    }
    const file = flags.output ?? checkpointFile(dirOf(checkpoint), { id: checkpoint.run.id, seq });
    const written = await writeCheckpoint(file, checkpoint);
    if (!written.ok) {
      throw new UsageProblem(written.problem, written.isTaken ? EXIT.wrongUsage : EXIT.couldNotRun);
    }
    if (flags.json === true) {
      output.json({ file, seq, at_ms: atMs, state_hash: stateHash, bytes: written.bytes });
      return;
    }
    output.line(`${file}: after event ${seq}, at ${atMs / 1000} s, ${written.bytes} bytes`);
    output.line(`state hash ${stateHash}`);
  });
};

/** Where the run keeps its own. */
const dirOf = ({ run, config: text }: Checkpoint): string => {
  const kept = { origin: `the configuration of ${run.id}`, text };
  const loaded = loadConfig({ kept, file: null, sets: [], flags: [] });
  if (!loaded.ok) throw new UsageProblem(loaded.problems.map(showProblem));
  return loaded.config.checkpoint.dir;
};
