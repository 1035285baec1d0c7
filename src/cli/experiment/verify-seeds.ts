import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  ExperimentRunner,
  type PlannedExperiment,
  ResultLog,
  type RunOutcome,
} from "../../experiment/index.ts";
import { CliError, EXIT } from "../core/exit.ts";
import type { ProcessSource, Shell } from "../core/shell.ts";
import { localExecutor } from "./run-processes.ts";

/**
 * Makes all runs of up to `count` finished seeds again, in a temporary folder, and compares their
 * hashes with the results in the folder of the experiment. The exit code is 1 if a run differs.
 */
export const verifySeeds = async (
  planned: PlannedExperiment,
  count: number,
  { output, endWith, runProcesses }: Shell,
): Promise<void> => {
  const { experiment, manifest, dir } = planned;
  const opened = ResultLog.open(dir, manifest, { restart: false });
  if (!opened.ok) throw new CliError(opened.problem);
  const { log } = opened;
  const seeds = spread(experiment.seeds, count);
  const folder = mkdtempSync(join(tmpdir(), "catallaxy-verify-"));
  try {
    const limits = { wallS: null, usd: null, diskBytes: null };
    const some = { ...experiment, seeds, stop: null, limits };
    const again = await runsIn(folder, { ...planned, experiment: some }, runProcesses);
    const pairs = again.flatMap(({ run, outcome }) => {
      const earlier = log.outcomeOf(run.id);
      return earlier?.ok === true ? [{ id: run.id, earlier: earlier.run, outcome }] : [];
    });
    if (pairs.length === 0) throw new CliError(`${dir} has no finished run of these seeds`);
    const different = pairs.filter(({ earlier, outcome }) => {
      const now = outcome?.ok === true ? outcome.run : null;
      return now?.journalHash !== earlier.journalHash || now.digest !== earlier.digest;
    });
    for (const { id } of different) output.line(`${id} differs`);
    output.line(`${pairs.length - different.length} of ${pairs.length} runs are the same again`);
    if (different.length > 0) endWith(EXIT.failed);
  } finally {
    log.close();
    rmSync(folder, { recursive: true, force: true });
  }
};

/** Up to `count` seeds, evenly spread over all. */
const spread = (seeds: readonly number[], count: number): readonly number[] => {
  const many = Math.min(count, seeds.length);
  const places = Array.from({ length: many }, (_, at) => Math.floor((at * seeds.length) / many));
  return places.flatMap((place) => seeds[place] ?? []);
};

/** Makes all runs of the experiment in an empty folder. */
const runsIn = async (
  folder: string,
  { experiment, manifest, jobs }: PlannedExperiment,
  source: ProcessSource,
): Promise<readonly RunOutcome[]> => {
  const opened = ResultLog.open(folder, manifest, { restart: false });
  if (!opened.ok) throw new CliError(opened.problem);
  const executor = localExecutor(jobs, source);
  try {
    const runner = new ExperimentRunner({
      experiment,
      dir: folder,
      executor,
      log: opened.log,
      capUsdOf: () => 0,
      isNarrow: () => true,
      elapsedMs: () => 0,
      onProgress: () => {},
    });
    return await runner.run();
  } finally {
    await executor.stop();
    opened.log.close();
  }
};
