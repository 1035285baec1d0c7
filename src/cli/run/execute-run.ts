import { economyReport, modelCallReport, runFigures, runReport } from "../../figures/index.ts";
import { physicsOf } from "../../kernel/index.ts";
import type { ListenPlace } from "../../page/index.ts";
import { isIdle, journalIn, type Launch, type RunResult } from "../../run/index.ts";
import { CliError, EXIT, exitCodeOf } from "../core/exit.ts";
import type { Shell } from "../core/shell.ts";
import type { RunDashboard } from "../dashboard/run-dashboard.ts";
import { openRunMonitor, type RunMonitor } from "../monitoring/run-monitor.ts";
import { showProgress } from "../output/live-display.ts";
import { printMessages } from "../output/message-text.ts";
import { noteAssumedPrice, printRun, replayLine } from "../output/run-summary.ts";
import { printWarnings } from "../output/run-warnings.ts";
import { printTrace } from "../output/trace.ts";

type Options = {
  readonly metrics?: ListenPlace;
  readonly json?: boolean;
  readonly trace?: boolean;
  readonly dashboard: RunDashboard | null;
};

export const executeRun = async (
  start: () => Launch | Promise<Launch>,
  options: Options,
  shell: Shell,
): Promise<void> => {
  const stopping = listenForStop(shell);
  let monitor: RunMonitor | null = null;
  try {
    monitor = await openRunMonitor(options.metrics, shell);
    const launch = await start();
    monitor?.show(launch);
    stopping.onStop(() => {
      monitor?.ending();
      launch.runner.stop("signal");
    });
    // Lets Node deliver a signal that arrived while the run was starting.
    await new Promise((resolve) => setImmediate(resolve));
    await execute(launch, { ...options, stopping }, shell);
  } finally {
    await monitor?.close();
    stopping.end();
  }
};

const execute = async (
  launch: Launch,
  { json = false, trace = false, dashboard, stopping }: Options & { readonly stopping: Stopping },
  shell: Shell,
): Promise<void> => {
  const { output } = shell;
  const { runner, directory } = launch;
  const uncontrolled = await launch.openControl();
  if (uncontrolled !== null) output.note(`note: ${uncontrolled}`);
  // `sim review` can decide, so the run waits instead of stopping.
  else runner.awaitReviews();
  const isPlain = json || trace || output.isQuiet() || output.isTsv();
  const endDisplay = isPlain ? () => {} : showProgress(output, launch);
  const endWarnings = printWarnings(output, launch);
  const endMessages = printMessages(output, runner);
  output.note(`run ${directory.runId} in ${directory.folder}, ${clockText(launch)}`);
  const endTrace = trace ? printTrace(output, runner) : () => {};
  dashboard?.show(launch);
  const wasIdle = isIdle(runner.world.state);
  const result = await launch.run();
  stopping.end();
  endWarnings();
  endMessages();
  endTrace();
  endDisplay();
  if (result.problem !== null) throw new CliError(result.problem, EXIT.couldNotRun);
  const { report, figures } = reportsOf(launch, result);
  const { replayed } = runner;
  if (wasIdle) output.note(`note: ${NOTHING_LEFT}`);
  if (replayed !== null) output.note(`note: ${replayLine(replayed)}`);
  const canResume = !wasIdle && endedEarly(launch, result);
  if (json) output.json(report);
  else printRun(output, report, { figures, replayed, canResume });
  noteAssumedPrice(output, report, figures);
  if (!json) await dashboard?.linger();
};

const clockText = ({ clock, clockReason }: Launch): string => {
  if (clockReason === null) return `${clock} clock`;
  const other = clock === "wall" ? "--clock virtual simulates time" : "--clock wall is real time";
  return `${clock} clock (${clockReason}; ${other})`;
};

const NOTHING_LEFT =
  "nothing can happen in this world any more, so the run ended at once; " +
  "fork the run with --agents to add agents";

const endedEarly = ({ runner }: Launch, { stoppedBy, atMs }: RunResult): boolean =>
  stoppedBy !== "idle" && atMs < physicsOf(runner.world.state).horizon_ms;

const reportsOf = ({ directory, runner, seed, clock }: Launch, result: RunResult) => {
  const journal = journalIn(directory.folder);
  const ending = {
    run_id: directory.runId,
    run_dir: directory.folder,
    stopped_by: result.stoppedBy,
    seed,
    clock,
    duration_s: result.atMs / 1000,
    from_s: result.fromMs / 1000,
    wall_s: Math.round(result.wallMs) / 1000,
    journal_hash: result.journalHash,
    state_hash: result.stateHash,
    checkpoint: result.checkpoint,
  };
  const figures = runFigures(journal);
  const modelCalls = modelCallReport(journal);
  journal.close();
  const { state } = runner.world;
  return {
    report: runReport(ending, figures, state, modelCalls),
    figures: economyReport(figures, state, modelCalls),
  };
};

type Stopping = {
  /** Calls `stop` at the first signal, or at once if a signal has already arrived. */
  readonly onStop: (stop: () => void) => void;
  readonly end: () => void;
};

/**
 * Stops the run cleanly at the first signal, and ends the process at the second signal. Must be
 * called before the run is created, so that a signal cannot leave an incomplete run folder behind.
 */
export const listenForStop = ({ onSignal, endWith, endNow }: Shell): Stopping => {
  let stop: (() => void) | null = null;
  let isStopped = false;
  const end = onSignal((signal, times) => {
    endWith(exitCodeOf(signal));
    if (times > 1) endNow();
    isStopped = true;
    stop?.();
  });
  return {
    onStop: (given) => {
      stop = given;
      if (isStopped) given();
    },
    end,
  };
};
