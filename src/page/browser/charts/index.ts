import "./language.ts";
import "uplot/dist/uPlot.min.css";
import "./charts.css";

export { ChartPanel } from "./chart.ts";
export { lineChart } from "./line-chart.ts";
export { lorenzChart } from "./lorenz-chart.ts";
export { matrixChart } from "./matrix-chart.ts";
export { toneVariable } from "./picture.ts";
export { axisOf, type Mark, type RowsSpec, rowsChart } from "./rows-chart.ts";
export * as charts from "./run-charts.ts";
export {
  isSameRange,
  isShowable,
  RANGE_MS_MIN,
  sharedTime,
  type TimeRange,
} from "./shared-time.ts";
