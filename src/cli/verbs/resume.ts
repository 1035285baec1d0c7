import type { Launch } from "../../run/index.ts";
import { CliError } from "../core/exit.ts";
import {
  addRunArgument,
  addScheduleFlags,
  addSetFlag,
  type ConfigFlags,
  type ScheduleFlags,
  scheduledSets,
} from "../core/flags.ts";
import {
  addExecutionFlags,
  addTrustFlags,
  type ExecutionFlags,
  executionOf,
  FURTHER_HELP,
} from "../core/run-flags.ts";
import { type Register, type Shell, withExamples } from "../core/shell.ts";
import { withDashboard } from "../dashboard/run-dashboard.ts";
import { executeRun } from "../run/execute-run.ts";
import { launchResumed } from "../run/launch.ts";

type Flags = ExecutionFlags & Pick<ConfigFlags, "set"> & ScheduleFlags;

export const register: Register = (command, shell) => {
  const duration = `${FURTHER_HELP} (default: run to the horizon)`;
  addTrustFlags(addExecutionFlags(addRunArgument(command), duration));
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
  const start = { kind: "resume", run } as const;
  const request = { ...executionOf(flags), start, later: scheduledSets(flags) };
  return launchResumed(request, shell);
};
