import { embeddingModel } from "../../memory/index.ts";
import {
  type Config,
  estimateRun,
  hasPaidModel,
  type Launch,
  type RunRequest,
} from "../../run/index.ts";
import { addScheduleFlags, configHere, type ScheduleFlags, scheduledSets } from "../core/flags.ts";
import { addRunFlags, addTrustFlags, type RunFlags, requestOf } from "../core/run-flags.ts";
import { type Register, type Shell, withExamples } from "../core/shell.ts";
import { withDashboard } from "../dashboard/run-dashboard.ts";
import { estimateJson, noteRefusedCalls, printEstimate } from "../output/cost-estimate.ts";
import { executeRun } from "../run/execute-run.ts";
import { launchFork, launchOf, readRequest } from "../run/launch.ts";

type Flags = RunFlags & ScheduleFlags & { readonly from?: string; readonly replayModels?: string };

export const register: Register = (command, shell) => {
  addTrustFlags(addScheduleFlags(addRunFlags(command)))
    .option("--from <checkpoint>", "start from a checkpoint file instead of a new world")
    .option(
      "--replay-models <run>",
      "answer model calls from the recording of this run; calls that it lacks fail",
    );
  withExamples(command, [
    "sim run --duration 600",
    "sim run --duration 60 --seed 7 --only ada,fermi --set resources.window_s=30",
    "sim run --duration 600 --json",
    "sim run --at 300s --set mint.slots=4 --at 400s --set mint.slots=1",
    "sim run --duration 3600 --dashboard",
    "sim run --duration 60 --agents agents-llm --model mock",
  ]);
  command.action(async (flags: Flags) => {
    if (flags.estimate === true && flags.from === undefined) return await estimate(flags, shell);
    await withDashboard(flags, shell, async (dashboard) => {
      const start = () =>
        flags.from === undefined
          ? startNew(flags, shell)
          : launchFork(requestFor(flags), flags, shell);
      await executeRun(start, { ...flags, dashboard }, shell);
    });
  });
};

const requestFor = (flags: Flags): RunRequest => {
  const { from, replayModels } = flags;
  const start = { kind: "fork", source: from ?? "" } as const;
  return {
    ...requestOf(flags),
    start: from === undefined ? { kind: "new" } : start,
    config: flags.config ?? (from === undefined ? configHere() : undefined),
    later: scheduledSets(flags),
    // Calls that the recording lacks fail, so no API key is needed.
    replay: replayModels === undefined ? undefined : { run: replayModels, otherwise: "fail" },
  };
};

const estimate = async (flags: Flags, shell: Shell): Promise<void> => {
  const read = await readRequest({ ...requestFor(flags), replay: undefined }, shell);
  const { opened, personas } = read;
  const estimated = await estimateRun(opened.config, personas);
  if (flags.json === true) shell.output.json(estimateJson(estimated));
  else printEstimate(shell.output, estimated, opened);
  noteRefusedCalls(shell.output, estimated, opened.origins);
};

const startNew = async (flags: Flags, shell: Shell): Promise<Launch> => {
  const { run, opened, personas } = await readRequest(requestFor(flags), shell);
  const { config } = opened;
  noteLateStop(flags, config, shell);
  if (run.replay !== null) noteReplayEmbedder(config, shell);
  else if (hasPaidModel(config, personas)) {
    noteRefusedCalls(shell.output, await estimateRun(config, personas), opened.origins);
  }
  return launchOf(run);
};

const noteLateStop = ({ stopAfter }: RunFlags, { run }: Config, { output }: Shell): void => {
  if (stopAfter === undefined || stopAfter <= run.duration_s) return;
  const end = `the run ends earlier, after ${run.duration_s} s; extend it with --duration`;
  output.note(`note: --stop-after ${stopAfter}: ${end}`);
};

const noteReplayEmbedder = ({ memory }: Config, { output }: Shell): void => {
  const embedder = embeddingModel(memory);
  if (embedder === null) return;
  output.note(
    `note: a replay does not call ${embedder}; it compares memories by spelling instead, ` +
      "so prompts may differ from the recorded ones",
  );
};
