import { type Journal, type Replayed, replay, restore, stateHash } from "../../world/index.ts";
import { CliError } from "../exit.ts";
import { addOutFlags, addRunArgument, type OutFlags, wholeFrom } from "../flags.ts";
import { openRun } from "../run/open-run.ts";
import { type Register, withExamples } from "../shell.ts";

type Flags = OutFlags & { readonly to?: number };

export const register: Register = (command, { output }) => {
  addOutFlags(addRunArgument(command).option("--to <seq>", "stop after this event", wholeFrom(1)));
  withExamples(command, ["sim replay latest", "sim replay latest --to 1000 --json"]);
  command.action((run: string, { to, out, json }: Flags) => {
    const { journal } = openRun(run, out);
    const last = journal.head().seq;
    if (to !== undefined && to > last) {
      throw new CliError(`--to ${to}: the last event of this run is ${last}`);
    }
    const startedAt = performance.now();
    const { state, events, lastSeq } = replayTo(journal, to);
    const elapsedS = (performance.now() - startedAt) / 1000;
    journal.close();
    const hash = stateHash(state);
    const rate = Math.round(events / Math.max(elapsedS, 1e-6));
    if (json === true) {
      output.json({ last_seq: lastSeq, state_hash: hash, events_per_s: rate });
      return;
    }
    output.line(`${events} events applied, ${rate} per second`);
    output.line(`state hash ${hash} after event ${lastSeq}`);
  });
};

/** Without `to`, applies all events from the start; with it, from the nearest snapshot. */
const replayTo = (journal: Journal, to: number | undefined): Replayed => {
  if (to === undefined) return replay(journal);
  const { state, seq, applied } = restore(journal, { upTo: to });
  return { state, events: applied, lastSeq: seq };
};
