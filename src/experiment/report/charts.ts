import { type DrawnChart, drawCharts } from "./chart.ts";
import { distributionCharts } from "./distribution-chart.ts";
import { forestChart } from "./forest-chart.ts";
import type { ReportInput } from "./report-input.ts";
import { cellsOf } from "./report-input.ts";
import { trajectoryCharts } from "./trajectory-chart.ts";

export { type DrawnChart, svgFile } from "./chart.ts";
export { darkStyle } from "./palette.ts";
export { pngFile } from "./png.ts";

/** The charts of a report by their kind, in their order. Kinds without values are empty. */
export type Charts = {
  readonly differences: readonly DrawnChart[];
  readonly trajectories: readonly DrawnChart[];
  readonly distributions: readonly DrawnChart[];
};

/** Draws all charts of a report. The same input always gives the same charts. */
export const chartsOf = async (input: ReportInput): Promise<Charts> => {
  const forest = forestChart(input.result, cellsOf(input));
  return {
    differences: await drawCharts(forest === null ? [] : [forest]),
    trajectories: await drawCharts(trajectoryCharts(input)),
    distributions: await drawCharts(distributionCharts(input)),
  };
};
