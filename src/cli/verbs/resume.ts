import { dirname } from "node:path";
import { Launch, runPaths } from "../../runner/index.ts";
import { withDashboard } from "../dashboard/run-dashboard.ts";
import { addRunArgument, configFrom } from "../flags.ts";
import { executeRun } from "../run/execute-run.ts";
import { findRun, savedConfig } from "../run/open-run.ts";
import {
  addExecutionFlags,
  type ExecutionFlags,
  FURTHER_HELP,
  maxActionsOf,
} from "../run/run-flags.ts";
import { launchOf, requestFor } from "../run/run-request.ts";
import { readRun } from "../run/run-store.ts";
import { type Register, type Shell, withExamples } from "../shell.ts";

export const register: Register = (command, shell) => {
  const duration = `${FURTHER_HELP} (default: run to the horizon)`;
  addExecutionFlags(addRunArgument(command), duration);
  withExamples(command, ["sim resume latest", "sim resume latest --duration 300"]);
  command.action(async (run: string, flags: ExecutionFlags) => {
    await withDashboard({ ...flags, set: [] }, shell, async (dashboard) => {
      await executeRun(() => resume(run, flags, shell), { ...flags, dashboard }, shell);
    });
  });
};

const resume = (run: string, flags: ExecutionFlags, shell: Shell): Launch => {
  const folder = findRun(run, flags.out);
  const { config } = configFrom({
    kept: { origin: runPaths(folder).config, text: savedConfig(folder) },
    file: null,
    sets: [],
    flags: [maxActionsOf(flags.maxActions)],
  });
  const read = readRun(folder);
  const labels = read.ok ? read.record.labels : [];
  const request = requestFor(config, { ...flags, label: labels, out: dirname(folder) }, shell);
  return launchOf(
    Launch.resume({
      ...request,
      folder,
      additionalS: flags.duration ?? null,
      startedAt: read.ok ? new Date(read.record.started_at) : request.startedAt,
      parent: read.ok ? read.origin : null,
    }),
  );
};
