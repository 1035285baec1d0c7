import { InvalidArgumentError } from "commander";
import type { RunPoint } from "../../world/index.ts";
import { MOMENT_HELP, moment, RUN_HELP } from "../core/flags.ts";
import {
  addRunFlags,
  addTrustFlags,
  FURTHER_HELP,
  type RunDefaults,
  type RunFlags,
  requestOf,
} from "../core/run-flags.ts";
import { type Register, withExamples } from "../core/shell.ts";
import { withDashboard } from "../dashboard/run-dashboard.ts";
import { executeRun } from "../run/execute-run.ts";
import { launchFork } from "../run/launch.ts";

type Flags = RunFlags & { readonly at?: RunPoint; readonly replayModels?: string | true };

const DEFAULTS: RunDefaults = {
  duration: `${FURTHER_HELP} (default: run to the horizon of the source)`,
  seed: "same as the source",
  clock: "same as the source",
  config: "same as the source",
  agents: "add none",
};

/** In other verbs, a repeated `--at` plans later changes. Here it would only replace the first. */
const oncePoint = (text: string, earlier: RunPoint | undefined): RunPoint => {
  if (earlier === undefined) return moment(text);
  throw new InvalidArgumentError("Give it once. Plan later changes with --set 'schedule=[…]'.");
};

export const register: Register = (command, shell) => {
  const source = `checkpoint file, ${RUN_HELP}`;
  addTrustFlags(addRunFlags(command.argument("<source>", source), DEFAULTS))
    .option("--at <moment>", `start at ${MOMENT_HELP} (default: the end)`, oncePoint)
    .option(
      "--replay-models [run]",
      "answer model calls from the recording of this run (default: the source); " +
        "calls that it lacks go to the models",
    );
  withExamples(command, [
    "sim fork latest --set mint.slots=4",
    "sim fork latest --at 5m --duration 300 --name what-if",
    "sim fork checkpoints/first/300s-6886.ckpt --agents changed/ --only ada",
  ]);
  command.action(async (source: string, flags: Flags) => {
    const { at, replayModels } = flags;
    const start = { kind: "fork", source, at } as const;
    const recording = replayModels === true ? undefined : replayModels;
    const replay =
      replayModels === undefined ? undefined : { run: recording, otherwise: "ask" as const };
    await withDashboard(flags, shell, async (dashboard) => {
      const launch = () => launchFork({ ...requestOf(flags), start, replay }, flags, shell);
      await executeRun(launch, { ...flags, dashboard }, shell);
    });
  });
};
