import { openRun, seqAt } from "../../run/index.ts";
import { counted } from "../../text/index.ts";
import { type Moment, replay, restore, stateHash } from "../../world/index.ts";
import { addOutFlags, addRunArgument, MOMENT_HELP, moment, type OutFlags } from "../core/flags.ts";
import { type Register, withExamples } from "../core/shell.ts";

type Flags = OutFlags & { readonly to?: Moment };

export const register: Register = (command, { output }) => {
  addOutFlags(addRunArgument(command).option("--to <moment>", `stop at ${MOMENT_HELP}`, moment));
  withExamples(command, ["sim replay latest", "sim replay latest --to 5m --json"]);
  command.action((run: string, { to: end, out, json }: Flags) => {
    const { journal } = openRun(run, out);
    const to = seqAt(journal, "--to", end);
    const startedAt = performance.now();
    // Replays from the first event, or with `--to` from the nearest snapshot.
    const { state, applied, seq } =
      to === undefined ? replay(journal) : restore(journal, { upTo: to });
    const elapsedS = (performance.now() - startedAt) / 1000;
    journal.close();
    const hash = stateHash(state);
    const rate = Math.round(applied / Math.max(elapsedS, 1e-6));
    if (json === true) {
      output.json({ last_seq: seq, state_hash: hash, events_per_s: rate });
      return;
    }
    output.line(`${counted(applied, "event")} applied, ${rate} per second`);
    output.line(`state hash ${hash} after event ${seq}`);
  });
};
