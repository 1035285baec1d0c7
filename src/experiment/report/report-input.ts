import type { ExperimentResult, Factors, FactorValue, Trajectory } from "../../observe/index.ts";
import { pointText } from "../design/points.ts";

/** A setting or a flag of a run, and its value. */
export type ReportSetting = { readonly key: string; readonly value: unknown };

export type ReportArm = {
  readonly name: string;
  readonly label: string | null;
  /** What differs from the base. */
  readonly settings: readonly ReportSetting[];
};

export type ReportDesign = {
  /** The path of the experiment file, and its text. */
  readonly file: string;
  readonly text: string;
  /** The command that makes or continues the experiment. */
  readonly command: string;
  /** What all runs have in common. */
  readonly base: readonly ReportSetting[];
  /** The first arm is the control. */
  readonly arms: readonly ReportArm[];
  readonly factors: { readonly [setting: string]: readonly FactorValue[] };
  readonly seeds: readonly number[];
  /** The run time at which the common past of a seed is forked into the cells, or null. */
  readonly fork_ms: number | null;
  /** True if the folders of the runs are kept, so that they can be opened. */
  readonly keeps_runs: boolean;
};

/** Everything that the report of an experiment shows. */
export type ReportInput = {
  readonly result: ExperimentResult;
  /** By the id of the run. Runs without a trajectory are missing. */
  readonly trajectories: ReadonlyMap<string, Trajectory>;
  readonly design: ReportDesign;
  /** The versions of programs, such as `catallaxy` and `node`. */
  readonly versions: { readonly [program: string]: string };
};

/** An arm at one point of the factors. `armAt` is the number of the arm, 0 for the control. */
export type ReportCell = {
  readonly name: string;
  readonly arm: string;
  readonly factors: Factors;
  readonly armAt: number;
};

/** The cells of the runs: point by point, and at each point in the order of the arms. */
export const cellsOf = ({ result, design }: ReportInput): readonly ReportCell[] => {
  const arms = new Map(design.arms.map(({ name }, at) => [name, at]));
  const points = new Map<string, number>();
  for (const { factors } of result.runs) {
    const point = pointText(factors);
    if (!points.has(point)) points.set(point, points.size);
  }
  const placeOf = (arm: string, factors: Factors): number =>
    (points.get(pointText(factors)) ?? 0) * (arms.size + 1) + (arms.get(arm) ?? arms.size);
  const cells = new Map(result.runs.map(({ cell, arm, factors }) => [cell, { arm, factors }]));
  return [...cells]
    .map(([name, { arm, factors }]) => ({ name, arm, factors, place: placeOf(arm, factors) }))
    .sort((a, b) => a.place - b.place)
    .map(({ name, arm, factors }) => ({ name, arm, factors, armAt: arms.get(arm) ?? arms.size }));
};
