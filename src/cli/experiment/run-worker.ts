/** A process that makes runs of an experiment, one at a time, as `sim` would. */
import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import {
  type FinishedRun,
  type Job,
  type JobOutcome,
  loadMeasure,
  measurementOf,
  type UserMeasure,
} from "../../experiment/index.ts";
import { errorMessage } from "../../kernel/index.ts";
import type { RunReport } from "../../read/index.ts";
import { checkpointsIn, runPaths } from "../../run/index.ts";
import { Journal } from "../../world/index.ts";
import type { ExitCode } from "../core/exit.ts";
import type { Sink } from "../core/output.ts";
import { makeCommandLine } from "../program.ts";
import type { FromWorker, ToWorker } from "./run-processes.ts";

// Ctrl-C reaches every process of the terminal, and a service manager can signal every process of a
// service. The command ends this process itself.
process.on("SIGINT", () => {}).on("SIGTERM", () => {});
process.on("disconnect", () => process.exit());

process.on("message", ({ job, folder }: ToWorker) => {
  if (process.cwd() !== folder) process.chdir(folder);
  void outcomeOf(job).then((outcome) => {
    const message: FromWorker = { outcome };
    process.send?.(message);
  });
});

const outcomeOf = async (job: Job): Promise<JobOutcome> => {
  try {
    return await madeRun(job);
  } catch (error) {
    return { ok: false, error: errorMessage(error) };
  }
};

const madeRun = async (job: Job): Promise<JobOutcome> => {
  const { call, runs, keep } = job;
  const folder = join(runs, call.id);
  // A run that an earlier command or attempt did not finish.
  const checkpoints = checkpointsIn(runs, { checkpoint: { dir: "checkpoints" } });
  for (const left of [folder, join(checkpoints, call.id)]) {
    rmSync(left, { recursive: true, force: true });
  }
  const { out, problem } = await simulate([...call.args, "--json", "--quiet"]);
  if (problem !== null) return { ok: false, error: problem };
  const report: RunReport = JSON.parse(out);
  if (report.stopped_by === "error") return { ok: false, error: "the run stopped after an error" };
  if (report.stopped_by === "review") return { ok: false, error: UNREVIEWED };
  const measurement = await measured(job, folder);
  if (keep === "figures") rmSync(folder, { recursive: true, force: true });
  const run: FinishedRun = {
    ...measurement,
    journalHash: report.journal_hash,
    stateHash: report.state_hash,
    stoppedBy: report.stopped_by,
    wallS: report.wall_s,
    usd: report.thinking.cost_usd,
    keptBytes: keep === "figures" ? 0 : sizeOf(folder),
  };
  return { ok: true, run };
};

const UNREVIEWED =
  "the run stopped because an action waits for a reviewer, and an experiment has none; " +
  "set review_default to accept or refuse";

const measured = async ({ call, measures, ...job }: Job, folder: string) => {
  const modules = new Map<string, UserMeasure>();
  for (const measure of measures) {
    if (measure.kind !== "module") continue;
    const loaded = await loadMeasure(measure.file);
    if (!loaded.ok) throw new Error(loaded.problem);
    modules.set(measure.file, loaded.measure);
  }
  const opened = Journal.open(runPaths(folder).journal, { readOnly: true });
  if (!opened.ok) throw new Error(opened.problem);
  try {
    return measurementOf(opened.journal, { ...job, id: call.id, measures, modules });
  } finally {
    opened.journal.close();
  }
};

/** Runs one command of `sim` in this process. */
const simulate = async (args: readonly string[]) => {
  const texts = { out: "", err: "" };
  let exitCode: ExitCode = 0;
  const sinkOf = (name: "out" | "err"): Sink => ({
    write: (text) => {
      texts[name] += text;
    },
    isTerminal: false,
    columns: () => 80,
    rows: () => 24,
  });
  const { run } = makeCommandLine({
    stdout: sinkOf("out"),
    stderr: sinkOf("err"),
    cwd: process.cwd(),
    env: process.env,
    pid: process.pid,
    isOperated: false,
    command: { node: process.execPath, script: "" },
    endWith: (code) => {
      exitCode = code;
    },
    endNow: () => {},
    onSignal: () => () => {},
    ask: null,
    lines: async function* () {},
  });
  await run(args);
  const said = texts.err
    .trim()
    .split("\n")
    .filter((line) => line.startsWith("sim: "));
  const problem = said.map((line) => line.slice("sim: ".length)).join("; ");
  return { out: texts.out, problem: exitCode === 0 ? null : problem || `exit code ${exitCode}` };
};

const sizeOf = (folder: string): number =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
