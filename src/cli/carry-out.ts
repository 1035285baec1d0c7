import { physicsOf } from "../kernel/index.ts";
import {
  type EconomyReport,
  economyReport,
  modelCallReport,
  type RunReport,
  readRun,
  runReport,
} from "../observe/index.ts";
import { isIdle, type Launch, type RunResult, runPaths } from "../runner/index.ts";
import { Journal } from "../world/index.ts";
import { EXIT } from "./exit-code.ts";
import { liveBoard } from "./live-board.ts";
import { replayLine } from "./replay-notes.ts";
import type { RunDashboard } from "./run-dashboard.ts";
import { noteAssumedPrice, sayRun } from "./run-summary.ts";
import { tellWarnings } from "./run-warnings.ts";
import type { Shell } from "./shell.ts";
import { listenForStop, type Stopping } from "./stopping.ts";
import { UsageProblem } from "./usage-problem.ts";

type Way = { readonly json?: boolean; readonly dashboard: RunDashboard | null };

/** Makes a run and runs it, lets people watch and stop it, and says how it ended. */
export const carryOut = async (
  prepare: () => Launch | Promise<Launch>,
  way: Way,
  shell: Shell,
): Promise<void> => {
  const stopping = listenForStop(shell);
  try {
    // A signal that came meanwhile is heard here.
    const launch = await prepare();
    await nextTurn();
    await carryOutReady(launch, { ...way, stopping }, shell);
  } finally {
    stopping.end();
  }
};

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const carryOutReady = async (
  launch: Launch,
  way: Way & { readonly stopping: Stopping },
  shell: Shell,
): Promise<void> => {
  const { json = false, dashboard, stopping } = way;
  const { output } = shell;
  const { runner, directory } = launch;
  stopping.on(() => runner.stop("signal"));
  const board = json || output.isQuiet() ? null : liveBoard(output, runner);
  const stopWarning = tellWarnings(output, runner);
  output.note(`run ${directory.runId} in ${directory.folder}`);
  dashboard?.show(launch);
  const isOver = isIdle(runner.world.state);
  const result = await launch.run();
  stopping.end();
  stopWarning();
  board?.end();
  if (result.problem !== null) throw new UsageProblem(result.problem, EXIT.couldNotRun);
  const { report, figures } = reportsOf(launch, result);
  const { replayed } = runner;
  if (isOver) output.note(`note: ${NOTHING_LEFT}`);
  if (replayed !== null) output.note(`note: ${replayLine(replayed)}`);
  if (json) output.json(report);
  else sayRun(output, report, { figures, replayed, goesOn: !isOver && canGoOn(launch, result) });
  noteAssumedPrice(output, report, figures);
  if (!json) await dashboard?.linger();
};

const NOTHING_LEFT =
  "nothing can happen in this world any more, so it ended at once; fork it with new --agents";

/** Whether it has ended before its horizon, for a reason that may pass. */
const canGoOn = ({ runner }: Launch, { stoppedBy, atMs }: RunResult): boolean =>
  stoppedBy !== "idle" && atMs < physicsOf(runner.world.state).horizon_ms;

type Reports = { readonly report: RunReport; readonly figures: EconomyReport };

const reportsOf = ({ directory, runner, seed, clock }: Launch, result: RunResult): Reports => {
  const opened = Journal.open(runPaths(directory.folder).journal, { readOnly: true });
  if (!opened.ok) throw new UsageProblem(opened.problem, EXIT.couldNotRun);
  const { journal } = opened;
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
  const reading = readRun(journal);
  const modelCalls = modelCallReport(journal);
  journal.close();
  const { state } = runner.world;
  return {
    report: runReport(ending, reading, state),
    figures: economyReport(reading, state, modelCalls),
  };
};
