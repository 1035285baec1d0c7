import { availableParallelism } from "node:os";
import { join, relative } from "node:path";
import { InvalidArgumentError } from "commander";
import {
  type CheckedCell,
  compareManifests,
  type Executor,
  type Experiment,
  type ExperimentResult,
  ExperimentRunner,
  experimentResult,
  isNarrowEnough,
  type Manifest,
  manifestHash,
  manifestText,
  type PlannedExperiment,
  planExperiment,
  ResultLog,
  readExperiment,
  resultFile,
  rowOf,
  seedsOf,
  shellText,
  trajectoriesOf,
  writeReport,
} from "../../experiment/index.ts";

import { writeFiles } from "../../figures/index.ts";
import { hasPaidModel, readText, showProblem } from "../../run/index.ts";
import { counted, listed, packageVersion } from "../../text/index.ts";

import { makeFolders, RunLock } from "../../world/index.ts";
import { CliError, EXIT, exitCodeOf } from "../core/exit.ts";
import { model, path, RESULTS_FOLDER, wholeFrom } from "../core/flags.ts";
import { type Register, type Shell, withExamples } from "../core/shell.ts";
import { printDryRun } from "../experiment/dry-run.ts";
import { progressDisplay } from "../experiment/progress-display.ts";
import { openQueue, QUEUED_RUNS } from "../experiment/queue-runs.ts";
import { printResult } from "../experiment/result-text.ts";
import { localExecutor } from "../experiment/run-processes.ts";
import { verifySeeds } from "../experiment/verify-seeds.ts";
import { hostOf } from "../run/launch.ts";

type Flags = {
  readonly out?: string;
  readonly jobs?: number;
  readonly on?: string;
  readonly model?: string;
  readonly seeds?: readonly number[];
  readonly dryRun?: boolean;
  readonly against?: string;
  readonly verify?: number;
  readonly json?: boolean;
};

/** Seeds such as `1..20`. */
const seeds = (text: string): readonly number[] => {
  const read = seedsOf(text);
  if (read.ok) return read.seeds;
  throw new InvalidArgumentError(`It ${read.problem}.`);
};

/** The value of `--on` for runs on this machine. */
const LOCAL = "local";

export const register: Register = (command, shell) => {
  command
    .argument("<file>", "experiment file (docs/experiments.md)")
    .option("--out <dir>", `folder for the results (default: ${RESULTS_FOLDER}/<name>)`, path)
    .option(
      "--jobs <number>",
      `runs at a time (default: the number of cores; with --on ${QUEUED_RUNS} in the queue)`,
      wholeFrom(1),
    )
    .option(
      "--on <url>",
      "make the runs on the workers at this Redis server (docs/scale.md): " +
        "redis://HOST:PORT, or env:NAME",
    )
    .option("--model <id>", "also run the arms in `model_arms`, with this model", model)
    .option("--seeds <range>", "seeds instead of those in the file, such as 1..3", seeds)
    .option("--dry-run", "print the planned runs and what they need, without starting them")
    .option(
      "--against <file>",
      "compare the results with this manifest.json; exit code 1 if a run differs",
      path,
    )
    .option(
      "--verify <seeds>",
      "make all runs of this many seeds again and compare; exit code 1 if one differs",
      wholeFrom(1),
    )
    .option("--json", "print one JSON document");
  withExamples(command, [
    "sim experiment redistribution.yaml",
    "sim experiment redistribution.yaml --dry-run",
    "sim experiment redistribution.yaml --seeds 1..3",
    "sim experiment gode-sunder.yaml --model gemini/gemini-3-flash-preview",
    "sim experiment redistribution.yaml --jobs 8 --out results/second --json",
    "sim experiment redistribution.yaml --on redis://queue.lab:6379",
    "sim experiment redistribution.yaml --verify 3",
    "sim experiment redistribution.yaml --against published/manifest.json",
  ]);
  command.action(async (file: string, flags: Flags) => {
    const { model: named = null, seeds: given = null } = flags;
    const on = flags.on === LOCAL ? null : (flags.on ?? null);
    checkTogether({ ...flags, on });
    // Other machines have other absolute paths.
    const place = on === null ? file : relative("", file);
    const read = readExperiment(place, { model: named, seeds: given });
    if (!read.ok) throw new CliError(read.problems.map(showProblem));
    const { experiment } = read;
    const dir = flags.out ?? defaultFolder(experiment);
    const isQueued = on !== null && flags.dryRun !== true;
    const jobs = flags.jobs ?? (isQueued ? QUEUED_RUNS : availableParallelism());
    const planned = await planExperiment(experiment, { dir, jobs }, hostOf(shell));
    if (flags.dryRun === true) await printDryRun(planned, flags, shell);
    else if (flags.verify !== undefined) await verifySeeds(planned, flags.verify, shell);
    else await conduct(planned, { ...flags, on }, shell);
  });
};

/** @throws CliError if two of the flags exclude each other. */
const checkTogether = ({ on, verify, dryRun = false, against }: Conducting): void => {
  if (on !== null && verify !== undefined) {
    throw new CliError("--verify makes runs on this machine; omit --on");
  }
  if (dryRun && against !== undefined) {
    throw new CliError("--dry-run makes no runs to compare; omit --against");
  }
};

/** The flags, with the address of the queue or null: then the runs are made on this machine. */
type Conducting = Omit<Flags, "on"> & { readonly on: string | null };

const conduct = async (
  planned: PlannedExperiment,
  flags: Conducting,
  shell: Shell,
): Promise<void> => {
  const { experiment, cells, jobs } = planned;
  const { on } = flags;
  const capUsdOf = spendingCaps(experiment, cells);
  const published = flags.against === undefined ? null : textOf(flags.against);
  const executor =
    on === null ? localExecutor(jobs, shell.runProcesses) : await openQueue(planned, on, shell);
  try {
    await makeRuns(planned, { ...flags, capUsdOf, published, executor }, shell);
  } finally {
    await executor.stop();
  }
};

type Making = Conducting & {
  readonly capUsdOf: ReturnType<typeof spendingCaps>;
  readonly published: ReturnType<typeof textOf> | null;
  readonly executor: Executor;
};

const makeRuns = async (planned: PlannedExperiment, flags: Making, shell: Shell): Promise<void> => {
  const { experiment, manifest, dir } = planned;
  const { capUsdOf, published, executor } = flags;
  const { output } = shell;
  const hash = manifestHash(manifest);
  const { log, lock } = lockedLog(dir, manifest);
  const command = commandOf(planned, flags);
  const display = progressDisplay(experiment, output, flags.json === true);
  const startedAt = performance.now();
  const runner = new ExperimentRunner({
    experiment,
    dir,
    executor,
    log,
    capUsdOf,
    isNarrow: (outcomes) => isNarrowEnough(experiment, outcomes),
    elapsedMs: () => performance.now() - startedAt,
    onProgress: display.show,
  });
  let isInterrupted = false;
  const endListening = shell.onSignal((signal, times) => {
    isInterrupted = true;
    shell.endWith(exitCodeOf(signal));
    if (times > 1) shell.endNow();
    void runner.stop();
  });
  try {
    log.plan({ ...planOf(planned, flags), manifestHash: hash, command });
    announce(planned, flags, output);
    const outcomes = await runner.run();
    display.end();
    const { limit } = runner;
    const result = experimentResult(experiment, { dir, manifestHash: hash, outcomes, limit });
    const rows = outcomes.map(rowOf);
    writeFiles([
      { path: join(dir, "manifest.json"), content: manifestText(manifest, rows) },
      resultFile(dir, result),
    ]);
    await writeReport(dir, {
      experiment,
      command,
      result,
      trajectories: trajectoriesOf(outcomes),
      versions: { catallaxy: packageVersion(), node: process.versions.node },
    });
    const done = rows.filter(({ status }) => status === "done").length;
    if (flags.json === true) output.json(result);
    // Without any run, the tables have no values.
    else if (done > 0 || !isInterrupted) printResult(output, result);
    if (isInterrupted) {
      const made = `interrupted: ${done} of ${counted(rows.length, "run")} done`;
      output.note(`${made}; the same command continues: ${command}${onText(flags)}`);
      return;
    }
    if (endsBadly(result)) shell.endWith(EXIT.failed);
    if (published !== null) compareWith(published, { manifest, rows }, shell);
  } finally {
    endListening();
    log.close();
    lock.release();
  }
};

/** The flag `--on`. Its address can have a password, which is not printed. */
const onText = ({ on }: Conducting): string => {
  if (on === null) return "";
  return ` --on ${on.includes("@") ? "…" : on}`;
};

/** What others need to follow the experiment. */
const planOf = ({ experiment, dir }: PlannedExperiment, { on, executor }: Making) => ({
  // The text of the file is only for the report.
  experiment: { ...experiment, text: "" },
  dir,
  slots: executor.slots,
  isQueued: on !== null,
  startedAtMs: Date.now(),
});

const announce = (
  { experiment, dir, jobs }: PlannedExperiment,
  { on }: Conducting,
  output: Shell["output"],
): void => {
  const where = on === null ? `${jobs} at a time` : "runs in the queue";
  output.note(`experiment ${experiment.name} in ${dir}, ${where}`);
  output.note(`to follow it: ${shellText(["dashboard", dir])}`);
  if (on !== null && experiment.keep !== "figures") output.note(JOURNALS_STAY);
};

const JOURNALS_STAY =
  "journals stay with the workers, unless `sim worker --store` sends them to one place";

/** @throws CliError if another command makes the experiment, or if its runs are of another one. */
const lockedLog = (dir: string, manifest: Manifest) => {
  makeFolders(dir);
  const taken = RunLock.take(dir, "experiment");
  if (!taken.ok) throw new CliError(taken.problem, EXIT.couldNotRun);
  const opened = ResultLog.open(dir, manifest, { restart: true });
  if (opened.ok) return { log: opened.log, lock: taken.lock };
  taken.lock.release();
  throw new CliError(opened.problem);
};

/** The command that makes or continues the experiment. */
const commandOf = (
  { experiment, dir }: PlannedExperiment,
  flags: Pick<Flags, "model" | "seeds">,
): string =>
  shellText([
    ...["experiment", experiment.file],
    ...(flags.model === undefined ? [] : ["--model", flags.model]),
    ...(flags.seeds === undefined ? [] : ["--seeds", `${flags.seeds[0]}..${flags.seeds.at(-1)}`]),
    ...(dir === defaultFolder(experiment) ? [] : ["--out", dir]),
  ]);

const defaultFolder = ({ name }: Experiment): string => join(RESULTS_FOLDER, name);

/**
 * The most that a run of each cell can cost.
 * @throws CliError if the limit of the experiment is below it.
 */
const spendingCaps = ({ limits, base }: Experiment, cells: readonly CheckedCell[]) => {
  const caps = new Map(
    cells.map(({ cell, config, personas }) => {
      return [cell.name, hasPaidModel(config, personas) ? config.budget.max_api_cost_usd : 0];
    }),
  );
  const most = Math.max(...caps.values());
  if (limits.usd !== null && most > limits.usd) {
    const set = base.maxCostUsd === null ? "set base.max_cost" : "lower base.max_cost";
    throw new CliError(
      `limits.usd: ${limits.usd} is less than one run can cost, ${most} USD; ${set}`,
    );
  }
  return ({ name }: { readonly name: string }): number => caps.get(name) ?? 0;
};

const textOf = (file: string): { readonly file: string; readonly text: string } => {
  const read = readText(file);
  if (!read.ok) throw new CliError(read.problems.map(showProblem));
  return { file, text: read.text };
};

const DIFFERENT_SHOWN = 5;
const CHANGES_SHOWN = 3;

type Made = { readonly manifest: Manifest; readonly rows: readonly ReturnType<typeof rowOf>[] };

/** Says whether a published manifest has the same results. */
const compareWith = (
  { file, text }: ReturnType<typeof textOf>,
  { manifest, rows }: Made,
  { output, endWith }: Shell,
): void => {
  const compared = compareManifests(text, manifest, rows);
  if (!compared.ok) throw new CliError(`${file} ${compared.problem}`);
  const { changes, same, different, notMade, notSaved } = compared;
  if (changes.length > 0) {
    output.notice(`${file} has runs from before a change of ${listed(changes, CHANGES_SHOWN)}`);
  }
  const made = notMade === 0 ? [] : [`its ${counted(notMade, "other run")} were not made here`];
  const saved = notSaved === 0 ? [] : [`it lacks ${counted(notSaved, "run")} made here`];
  const others = [...made, ...saved].map((part) => `; ${part}`).join("");
  if (different.length === 0 && same > 0) {
    output.notice(`same results as ${file}: all ${same} runs have the same figures${others}`);
    return;
  }
  const ids = listed(different, DIFFERENT_SHOWN);
  const differ = `${different.length} of ${same + different.length} runs differ: ${ids}`;
  output.notice(same + different.length === 0 ? `${file} has none of these runs` : differ + others);
  endWith(EXIT.failed);
};

const endsBadly = ({ runs }: ExperimentResult): boolean =>
  runs.some(({ status }) => status !== "done");
