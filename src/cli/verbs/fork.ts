import type { Recording } from "../../mind/index.ts";
import type { Checkpoint } from "../../world/index.ts";
import { carryOut } from "../carry-out.ts";
import { wholeFrom } from "../flag-values.ts";
import { goOnFrom } from "../go-on-from.ts";
import { callsOf } from "../recorded-calls.ts";
import { withDashboard } from "../run-dashboard.ts";
import { addRunFlags, FURTHER_HELP, type RunDefaults, type RunFlags } from "../run-flags.ts";
import { type Register, withExamples } from "../shell.ts";
import { isFile, openSource } from "../source.ts";

type Flags = RunFlags & { readonly at?: number; readonly replayModels?: string | true };

/** What is not said stays as it was. */
const OF_SOURCE: RunDefaults = {
  duration: `${FURTHER_HELP} (default: to its source's horizon)`,
  seed: "its source's",
  clock: "its source's",
  config: "its source's",
  agents: "nobody new",
};

/** `sim fork`: a new run from an old state, with something changed. */
export const register: Register = (command, shell) => {
  withExamples(
    addRunFlags(
      command.argument("<source>", "a checkpoint file; or a run, as for sim state"),
      OF_SOURCE,
    )
      .option("--at <seq>", "after this event of the run; default: its last", wholeFrom(1))
      .option(
        "--replay-models [run]",
        "keep what that run (default: the source) was answered; ask only for the rest",
      ),
    [
      "sim fork latest --set mint.slots=4",
      "sim fork latest --at 500 --duration 300 --name what-if",
      "sim fork checkpoints/first/2500.ckpt --agents changed/ --only ada",
    ],
  ).action(async (source: string, flags: Flags) => {
    const from = await openSource(source, flags);
    const replay = keptAnswers(from, isFile(source) ? from.run.id : source, flags);
    await withDashboard(flags, shell, async (dashboard) => {
      const begin = () => goOnFrom(from, { flags, replay }, shell);
      await carryOut(begin, { ...flags, dashboard }, shell);
    });
  });
};

/** The answers that the source was given from there on. */
const keptAnswers = (
  from: Checkpoint,
  source: string,
  { replayModels, out }: Flags,
): Recording | null => {
  if (replayModels === undefined) return null;
  const run = replayModels === true ? source : replayModels;
  const calls = callsOf(run, out).filter(({ atMs }) => atMs >= from.atMs);
  return { calls, otherwise: "ask" };
};
