import { embeddingModel } from "../../memory/index.ts";
import type { Recording } from "../../model/index.ts";
import {
  type Config,
  estimateRun,
  hasPaidModel,
  Launch,
  newRunId,
  programsFolder,
} from "../../run/index.ts";
import { withDashboard } from "../dashboard/run-dashboard.ts";
import { addScheduleFlags, openConfig, type ScheduleFlags, scheduledSets } from "../flags.ts";
import { estimateJson, noteRefusedCalls, printEstimate } from "../output/cost-estimate.ts";
import { executeRun } from "../run/execute-run.ts";
import { findRun, openSource } from "../run/open-run.ts";
import { addRunFlags, type RunFlags, valuesOf } from "../run/run-flags.ts";
import {
  launchOf,
  personasFor,
  planFor,
  recordedCalls,
  requestFor,
  startFrom,
} from "../run/run-request.ts";
import { readRun } from "../run/run-store.ts";
import { type Register, type Shell, withExamples } from "../shell.ts";

type Flags = RunFlags & ScheduleFlags & { readonly from?: string; readonly replayModels?: string };

export const register: Register = (command, shell) => {
  addScheduleFlags(addRunFlags(command))
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
      await executeRun(() => start(flags, shell), { ...flags, dashboard }, shell);
    });
  });
};

const start = async (flags: Flags, shell: Shell): Promise<Launch> => {
  if (flags.from === undefined) return startNew(flags, shell);
  const source = await openSource(flags.from, { out: flags.out });
  const scheduled = scheduledSets(flags);
  return startFrom(source, { flags, scheduled, replay: replayFor(flags) }, shell);
};

const estimate = async (flags: Flags, shell: Shell): Promise<void> => {
  const scheduled = scheduledSets(flags);
  const opened = openConfig(flags, valuesOf(flags), scheduled);
  const personas = personasFor(opened, opened.config.agents.only, shell);
  const estimated = await estimateRun(opened.config, personas);
  if (flags.json === true) shell.output.json(estimateJson(estimated));
  else printEstimate(shell.output, estimated, opened);
  noteRefusedCalls(shell.output, estimated, opened.origins);
};

/** The recording to replay, or null. Calls outside the recording fail, so no API key is needed. */
const replayFor = ({ replayModels, out }: Flags): Recording | null =>
  replayModels === undefined
    ? null
    : {
        calls: recordedCalls(replayModels, out),
        otherwise: "fail",
        inOrder: clockOf(replayModels, out) === "wall",
      };

const clockOf = (run: string, out: string): string | null => {
  const read = readRun(findRun(run, out));
  return read.ok ? read.about.run.clock : null;
};

const startNew = async (flags: Flags, shell: Shell): Promise<Launch> => {
  const scheduled = scheduledSets(flags);
  const opened = openConfig(flags, valuesOf(flags), scheduled);
  const { config } = opened;
  const personas = personasFor(opened, config.agents.only, shell);
  noteLateStop(flags, config, shell);
  const replay = replayFor(flags);
  if (replay !== null) noteReplayEmbedder(config, shell);
  const planned = planFor(opened, { kept: null, scheduled, present: personas });
  const programs = programsFolder(opened);
  const request = requestFor(planned.config, { ...flags, programs }, shell);
  if (replay === null && hasPaidModel(config, personas)) {
    noteRefusedCalls(shell.output, await estimateRun(config, personas), opened.origins);
  }
  const runId = flags.name ?? newRunId(request.startedAt, Math.random);
  return launchOf(
    Launch.start({
      ...request,
      schedule: planned.schedule,
      personas,
      out: flags.out,
      runId,
      from: null,
      replay,
    }),
  );
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
