import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import type { OutputFile } from "../../figures/index.ts";
import { jsonIn, must } from "../../kernel/index.ts";
import { readPlainText } from "../../run/index.ts";
import type { Experiment, Measure } from "../design/experiment.ts";
import type { BandRow, ExperimentResult, RunRow, Trajectory, Warning } from "../result/result.ts";
import type { FinishedRun } from "../run/executor.ts";
import type { RunOutcome } from "../run/experiment-runner.ts";
import { isNarrow, resultsOf, warningsOf } from "../statistics/measure-results.ts";

const pathIn = (dir: string): string => join(dir, "result.json");

/** The file with the results of an experiment, as `sim experiment --json` prints them. */
export const resultFile = (dir: string, result: ExperimentResult): OutputFile => ({
  path: pathIn(dir),
  content: `${JSON.stringify(result, null, 2)}\n`,
});

const isResult = z.looseObject({
  name: z.string(),
  runs: z.array(z.looseObject({ id: z.string(), cell: z.string(), seed: z.number() })),
  measures: z.record(z.string(), z.looseObject({ says: z.string() })),
  warnings: z.array(z.looseObject({ text: z.string() })),
});

/** The results in the folder of an experiment. Null if there are none, or if they are damaged. */
export const savedResult = (dir: string): ExperimentResult | null => {
  const read = readPlainText(pathIn(dir));
  const value = read.ok ? jsonIn(read.text) : null;
  return isResult.safeParse(value).success ? (value as ExperimentResult) : null;
};

/** A row of the results, with the hash of all figures of the run. */
export const rowOf = ({
  run: { id, cell, seed, command },
  outcome,
  reason,
}: RunOutcome): RunRow & { readonly digest: string | null } => {
  const finished = outcome?.ok === true ? outcome.run : null;
  return {
    id,
    arm: cell.arm,
    factors: cell.factors,
    cell: cell.name,
    seed,
    status: outcome === null ? "skipped" : outcome.ok ? "done" : "failed",
    figures: finished?.figures ?? {},
    journal_hash: finished?.journalHash ?? null,
    state_hash: finished?.stateHash ?? null,
    wall_s: finished?.wallS ?? null,
    usd: finished?.usd ?? null,
    command,
    error: outcome === null ? reason : outcome.ok ? null : outcome.error,
    digest: finished?.digest ?? null,
  };
};

/** `limit` says why runs are missing, or is null. */
export const experimentResult = (
  experiment: Experiment,
  {
    dir,
    manifestHash,
    outcomes,
    limit,
  }: {
    readonly dir: string;
    readonly manifestHash: string;
    readonly outcomes: readonly RunOutcome[];
    readonly limit: string | null;
  },
): ExperimentResult => {
  const runs = outcomes.map((outcome) => {
    const { digest: _digest, ...row } = rowOf(outcome);
    return row;
  });
  const rows = experimentRows(experiment, runs);
  const measures = resultsOf(rows);
  return {
    name: experiment.name,
    question: experiment.question,
    source: experiment.source,
    dir,
    manifest_hash: manifestHash,
    complete: runs.every(({ status }) => status !== "skipped"),
    runs,
    measures,
    bands: bandRows(experiment, measures),
    warnings: [
      ...(limit === null ? [] : [{ kind: "limit", arm: null, text: limit } as const]),
      ...doseWarnings(experiment, outcomes),
      ...dyingWorlds(experiment, outcomes),
      ...wideIntervals(experiment, measures),
      ...warningsOf(rows),
    ],
  };
};

/** The parts of an experiment that the statistics need. */
const experimentRows = ({ measures, cells }: Experiment, rows: readonly RunRow[]) => ({
  measures: measures.map((measure) => ({ name: measure.name, says: saysOf(measure) })),
  cells: cells.map(({ name, arm, factors }) => ({ cell: name, arm, factors })),
  rows,
});

/** Whether the stop rule, if there is one, asks for no more seeds. */
export const isNarrowEnough = (
  experiment: Experiment,
  outcomes: readonly RunOutcome[],
): boolean => {
  const { stop } = experiment;
  if (stop === null) return true;
  const measures = experiment.measures.filter(({ name }) => name === stop.measure);
  const results = resultsOf(experimentRows({ ...experiment, measures }, outcomes.map(rowOf)));
  return isNarrow(must(results[stop.measure], "a stop rule names a measure"), stop.ciWidth);
};

/** Compares the means with their bands, in the order of the measures. */
const bandRows = (
  { bands, cells }: Experiment,
  measures: ExperimentResult["measures"],
): readonly BandRow[] =>
  bands.flatMap(({ measure, arm, low, high, published }) =>
    cells
      .filter((cell) => cell.arm === arm)
      .map(({ name: cell, factors }): BandRow => {
        const { n = 0, mean = null, ci95 = null } = measures[measure]?.arms[cell] ?? {};
        const inside = mean === null ? null : low <= mean && mean <= high;
        return { measure, arm, factors, cell, n, mean, ci95, published, low, high, inside };
      }),
  );

/** The figures over time of each finished run. */
export const trajectoriesOf = (outcomes: readonly RunOutcome[]): ReadonlyMap<string, Trajectory> =>
  new Map(
    outcomes.flatMap(({ run, outcome }) =>
      outcome?.ok === true ? [[run.id, outcome.run.trajectory] as const] : [],
    ),
  );

const saysOf = (measure: Measure): string => {
  const unit = measure.unit === null ? "" : ` (${measure.unit})`;
  if (measure.kind === "module") return `computed by ${measure.file}${unit}`;
  const { figure, group, agent, atS, betweenS } = measure;
  const where = [
    ...(group === null ? [] : [`of group ${group}`]),
    ...(agent === null ? [] : [`of agent ${agent}`]),
    ...(atS === null ? [] : [`at ${atS} s`]),
    ...(betweenS === null ? [] : [`from ${betweenS[0]} s to ${betweenS[1]} s`]),
  ];
  return `${[figure, ...where].join(" ")}${unit}`;
};

const finishedBySeed = (
  outcomes: readonly RunOutcome[],
  cell: string,
): ReadonlyMap<number, FinishedRun> =>
  new Map(
    outcomes.flatMap(({ run, outcome }) =>
      run.cell.name === cell && outcome?.ok === true ? [[run.seed, outcome.run] as const] : [],
    ),
  );

/** Warns if a treatment changed nothing: its run has every figure of the control's run. */
const doseWarnings = (
  { cells }: Experiment,
  outcomes: readonly RunOutcome[],
): readonly Warning[] => {
  const [control] = cells;
  return cells.flatMap((cell): readonly Warning[] => {
    const other =
      cell.arm === control?.arm
        ? control
        : cells.find(
            ({ arm, factors }) =>
              arm === control?.arm && JSON.stringify(factors) === JSON.stringify(cell.factors),
          );
    if (other === undefined || other === cell) return [];
    const controls = finishedBySeed(outcomes, other.name);
    const pairs = [...finishedBySeed(outcomes, cell.name)].flatMap(([seed, run]) => {
      const paired = controls.get(seed);
      return paired === undefined ? [] : [{ run, paired }];
    });
    const same = pairs.filter(
      ({ run, paired }) =>
        run.digest === paired.digest && isDeepStrictEqual(run.figures, paired.figures),
    ).length;
    if (same === 0) return [];
    const how = same === pairs.length ? "all" : `${same} of`;
    const what = `has the same figures as ${other.name} in ${how} ${pairs.length} seeds`;
    const text = `${cell.name} ${what}: there the treatment changed nothing`;
    return [{ kind: "no_dose", arm: cell.name, text }];
  });
};

/** A world is dying if its last quarter has less than this share of the trades of its second. */
const DYING_SHARE = 0.25;

const dyingWorlds = ({ cells }: Experiment, outcomes: readonly RunOutcome[]): readonly Warning[] =>
  cells.flatMap(({ name }) => {
    const runs = [...finishedBySeed(outcomes, name).values()];
    const dying = runs.filter(({ tradesByQuarter: [, second = 0, , last = 0] }) => {
      return second > 0 && last < DYING_SHARE * second;
    });
    if (2 * dying.length <= runs.length) return [];
    const share = `${100 * DYING_SHARE} % of the trades of their second quarter`;
    const many = `${dying.length} of ${runs.length} runs`;
    const text = `${name}: in their last quarter, ${many} had less than ${share}`;
    return [{ kind: "dying_world", arm: name, text }];
  });

/** Warns if the stop rule gave up: an interval is still wider than asked for. */
const wideIntervals = (
  { stop, seeds }: Experiment,
  measures: ExperimentResult["measures"],
): readonly Warning[] => {
  const found = stop === null ? undefined : measures[stop.measure];
  if (stop === null || found === undefined) return [];
  const estimates = found.differences.length > 0 ? found.differences : Object.values(found.arms);
  const widths = estimates.map(({ ci95 }) => (ci95 === null ? Infinity : ci95[1] - ci95[0]));
  const widest = Math.max(0, ...widths);
  if (widest <= stop.ciWidth) return [];
  const wide = Number.isFinite(widest) ? `is ${Number(widest.toPrecision(3))} wide` : "is unknown";
  const text =
    `the widest interval of ${stop.measure} ${wide}; the stop rule asks for ${stop.ciWidth} ` +
    `within ${Math.max(stop.seedsMax, seeds.length)} seeds`;
  return [{ kind: "wide_interval", arm: null, text }];
};
