import type { ArmCell, Experiment } from "../design/experiment.ts";
import { type ExperimentResult, pointText, type Trajectory } from "../result/result.ts";

/** Everything that the report of an experiment shows. */
export type ReportInput = {
  readonly experiment: Experiment;
  /** The command that makes or continues the experiment. */
  readonly command: string;
  readonly result: ExperimentResult;
  /** By the id of the run. Runs without a trajectory are missing. */
  readonly trajectories: ReadonlyMap<string, Trajectory>;
  /** The versions of programs, such as `catallaxy` and `node`. */
  readonly versions: { readonly [program: string]: string };
};

/** A cell with the number of its arm, 0 for the control. */
type ReportCell = ArmCell & { readonly armAt: number };

/** The cells: point by point, and at each point in the order of the arms. */
export const cellsOf = ({ experiment: { arms, cells } }: ReportInput): readonly ReportCell[] => {
  const points = [...new Set(cells.map(({ factors }) => pointText(factors)))];
  const pointAt = ({ factors }: ArmCell): number => points.indexOf(pointText(factors));
  return cells
    .map((cell) => ({ ...cell, armAt: arms.indexOf(cell.arm) }))
    .toSorted((a, b) => pointAt(a) - pointAt(b) || a.armAt - b.armAt);
};
