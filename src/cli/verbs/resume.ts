import { Launch, loadConfig, readText, runPaths, showProblem } from "../../runner/index.ts";
import { carryOut } from "../carry-out.ts";
import { EXIT } from "../exit-code.ts";
import { findRun } from "../find-run.ts";
import { port, positive, wholeFrom } from "../flag-values.ts";
import { withDashboard } from "../run-dashboard.ts";
import {
  DASHBOARD_HELP,
  type DashboardFlag,
  FURTHER_HELP,
  MAX_ACTIONS_HELP,
  maxActionsOf,
  STOP_AFTER_HELP,
} from "../run-flags.ts";
import { launchOf, orderOf } from "../run-order.ts";
import { RUNS_FOLDER, readRun } from "../run-record.ts";
import { type Register, type Shell, withExamples } from "../shell.ts";
import { UsageProblem } from "../usage-problem.ts";

type Flags = {
  readonly duration?: number;
  readonly stopAfter?: number;
  readonly maxActions?: number;
  readonly out: string;
  readonly json?: boolean;
} & DashboardFlag;

/** `sim resume`: goes on with a run in its own directory. */
export const register: Register = (command, shell) => {
  withExamples(
    command
      .argument("<run>", "run id, unique prefix, path, or latest")
      .option("--duration <seconds>", `${FURTHER_HELP} (default: to its horizon)`, positive)
      .option("--stop-after <seconds>", STOP_AFTER_HELP, positive)
      .option("--max-actions <number>", MAX_ACTIONS_HELP, wholeFrom(1))
      .option("--out <dir>", "where runs are kept", RUNS_FOLDER)
      .option("--dashboard [port]", DASHBOARD_HELP, port)
      .option("--json", "print one JSON document"),
    ["sim resume latest", "sim resume latest --duration 300"],
  ).action(async (run: string, flags: Flags) => {
    await withDashboard({ ...flags, set: [] }, shell, async (dashboard) => {
      await carryOut(() => resumed(run, flags, shell), { ...flags, dashboard }, shell);
    });
  });
};

const resumed = (run: string, flags: Flags, shell: Shell): Launch => {
  const folder = findRun(run, flags.out);
  const file = runPaths(folder).config;
  const text = readText(file);
  if (!text.ok) throw new UsageProblem(showProblem(text.problem), EXIT.couldNotRun);
  const loaded = loadConfig({
    kept: { origin: file, text: text.text },
    file: null,
    sets: [],
    flags: flags.maxActions === undefined ? [] : [maxActionsOf(flags.maxActions)],
  });
  if (!loaded.ok) throw new UsageProblem(loaded.problems.map(showProblem));
  const record = readRun(folder);
  const order = orderOf(loaded.config, flags, shell);
  const launched = Launch.resume({
    ...order,
    folder,
    furtherS: flags.duration ?? null,
    startedAt: record.ok ? new Date(record.record.started_at) : order.startedAt,
    parent: record.ok ? record.origin : null,
  });
  return launchOf(launched);
};
