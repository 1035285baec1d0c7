import { type Journal, type Replayed, replay, restore, stateHash } from "../../world/index.ts";
import { wholeFrom } from "../flag-values.ts";
import { openRun } from "../open-run.ts";
import { RUNS_FOLDER } from "../run-record.ts";
import { type Register, withExamples } from "../shell.ts";
import { UsageProblem } from "../usage-problem.ts";

type Flags = { readonly to?: number; readonly out: string; readonly json?: boolean };

export const register: Register = (command, shell) => {
  withExamples(
    command
      .argument("<run>", "run id, unique prefix, path, or latest")
      .option("--to <seq>", "the last event to apply", wholeFrom(1))
      .option("--out <dir>", "where runs are kept", RUNS_FOLDER)
      .option("--json", "print one JSON document"),
    ["sim replay latest", "sim replay latest --to 1000 --json"],
  ).action((run: string, flags: Flags) => {
    const { journal } = openRun(run, flags.out);
    const last = journal.head().seq;
    if (flags.to !== undefined && flags.to > last) {
      throw new UsageProblem(`--to ${flags.to}: the last event of this run is ${last}`);
    }
    const startedAt = performance.now();
    const { state, events, lastSeq } = appliedTo(journal, flags.to);
    const elapsedS = (performance.now() - startedAt) / 1000;
    journal.close();
    const hash = stateHash(state);
    const rate = Math.round(events / Math.max(elapsedS, 1e-6));
    if (flags.json === true) {
      shell.output.json({ last_seq: lastSeq, state_hash: hash, events_per_s: rate });
      return;
    }
    shell.output.line(`${events} events applied, ${rate} a second`);
    shell.output.line(`state hash ${hash} after event ${lastSeq}`);
  });
};

/** The whole journal from its beginning; to a moment in between, from the nearest state kept. */
const appliedTo = (journal: Journal, to: number | undefined): Replayed => {
  if (to === undefined) return replay(journal);
  const { state, seq, applied } = restore(journal, { upTo: to });
  return { state, events: applied, lastSeq: seq };
};
