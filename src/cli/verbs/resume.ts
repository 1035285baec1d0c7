import { dirname } from "node:path";
import { Launch, runPaths } from "../../run/index.ts";
import { withDashboard } from "../dashboard/run-dashboard.ts";
import { CliError } from "../exit.ts";
import {
  addRunArgument,
  addScheduleFlags,
  addSetFlag,
  type ConfigFlags,
  configFrom,
  type ScheduleFlags,
  scheduledSets,
} from "../flags.ts";
import { executeRun } from "../run/execute-run.ts";
import { findRun, savedConfig } from "../run/open-run.ts";
import {
  addExecutionFlags,
  type ExecutionFlags,
  FURTHER_HELP,
  maxActionsOf,
} from "../run/run-flags.ts";
import { launchOf, planFor, requestFor, withSourceLibrary } from "../run/run-request.ts";
import { readRun } from "../run/run-store.ts";
import { type Register, type Shell, withExamples } from "../shell.ts";

type Flags = ExecutionFlags & Pick<ConfigFlags, "set"> & ScheduleFlags;

export const register: Register = (command, shell) => {
  const duration = `${FURTHER_HELP} (default: run to the horizon)`;
  addExecutionFlags(addRunArgument(command), duration);
  addScheduleFlags(addSetFlag(command));
  withExamples(command, [
    "sim resume latest",
    "sim resume latest --duration 300",
    "sim resume latest --at 400s --set mint.slots=4",
  ]);
  command.action(async (run: string, flags: Flags) => {
    await withDashboard({ ...flags, set: [] }, shell, async (dashboard) => {
      await executeRun(() => resume(run, flags, shell), { ...flags, dashboard }, shell);
    });
  });
};

const resume = async (run: string, flags: Flags, shell: Shell): Promise<Launch> => {
  if (flags.set.length > 0) {
    const cure = "put --at TIME before it, or fork the run to change it now";
    throw new CliError(`--set ${flags.set[0]}: a resumed run keeps its settings; ${cure}`);
  }
  const folder = findRun(run, flags.out);
  const kept = { origin: runPaths(folder).config, text: savedConfig(folder) };
  const scheduled = scheduledSets(flags);
  const loaded = configFrom({
    kept,
    file: null,
    sets: [],
    scheduled,
    flags: [maxActionsOf(flags.maxActions)],
  });
  const opened = withSourceLibrary({ ...loaded, file: null }, kept.origin, folder);
  const planned = planFor(opened, { kept: kept.origin, scheduled, present: [] });
  const read = readRun(folder);
  const labels = read.ok ? read.record.labels : [];
  // The saved configuration names the run's copy of the library by its path in the folder.
  const { policy } = loaded.config;
  const request = requestFor(
    { ...planned.config, policy },
    { ...flags, label: labels, out: dirname(folder) },
    shell,
  );
  return launchOf(
    Launch.resume({
      ...request,
      schedule: planned.schedule,
      folder,
      additionalS: flags.duration ?? null,
      startedAt: read.ok ? new Date(read.record.started_at) : request.startedAt,
      parent: read.ok ? read.origin : null,
    }),
  );
};
