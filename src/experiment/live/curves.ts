import type { ExperimentResult, FigureCurves, Trajectory } from "../../observe/index.ts";
import type { Experiment } from "../experiment.ts";
import { figureOverTime, isFlow } from "../measure/figures.ts";
import {
  BAND_FIGURES,
  type BandFigure,
  bandOf,
  periodsOf,
  seriesOf,
  trajectoriesIn,
} from "../report/index.ts";

/**
 * The figures over time of each cell: those of the measures first, then those of the report. A
 * figure of no measure is left out if it never changes. The periods and quantiles are those of the
 * charts in the report.
 */
export const curvesOf = (
  experiment: Pick<Experiment, "measures" | "cells">,
  { runs }: Pick<ExperimentResult, "runs">,
  trajectories: ReadonlyMap<string, Trajectory>,
): readonly FigureCurves[] => {
  const periods = periodsOf([...trajectories.values()]);
  const own = experiment.cells.map(({ name }) => ({
    cell: name,
    trajectories: trajectoriesIn(runs, name, trajectories),
  }));
  return figuresOf(experiment).flatMap(({ measures, ...figure }): readonly FigureCurves[] => {
    const cells = own.flatMap(({ cell, trajectories: all }) => {
      const band = bandOf(
        all.map((trajectory) => seriesOf(trajectory, figure, periods)),
        periods,
      );
      if (band.length === 0) return [];
      return [
        {
          ...{ cell, n: all.length },
          at_ms: band.map(({ atMs }) => atMs),
          mean: band.map(({ mean }) => mean),
          q05: band.map(({ q05 }) => q05),
          q95: band.map(({ q95 }) => q95),
        },
      ];
    });
    const values = cells.flatMap(({ q05, q95 }) => [...q05, ...q95]);
    const isFlat = values.every((value) => value === values[0]);
    if (cells.length === 0 || (isFlat && measures.length === 0)) return [];
    return [{ figure: figure.column, title: figure.title, measures, cells }];
  });
};

/** A figure over time, with the measures that have its value at the end of a run. */
type MeasuredFigure = BandFigure & { readonly measures: readonly string[] };

const figuresOf = ({ measures }: Pick<Experiment, "measures">): readonly MeasuredFigure[] => {
  const named = measures.flatMap((measure) => {
    if (measure.kind !== "figure" || measure.group !== null || measure.agent !== null) return [];
    const isOfTimeline = measure.atS !== null || measure.betweenS !== null;
    const column = isOfTimeline ? measure.figure : figureOverTime(measure.figure);
    return column === null ? [] : [{ measure: measure.name, column }];
  });
  const columns = new Set([
    ...named.map(({ column }) => column),
    ...BAND_FIGURES.map(({ column }) => column),
  ]);
  return [...columns].map((column) => ({
    ...(BAND_FIGURES.find((figure) => figure.column === column) ?? plainFigure(column)),
    measures: named.filter((each) => each.column === column).map(({ measure }) => measure),
  }));
};

const plainFigure = (column: string): BandFigure => {
  const words = column.replaceAll("_", " ");
  return isFlow(column)
    ? { column, title: `${words} a minute`, how: "per_minute" }
    : { column, title: words, how: "last" };
};
