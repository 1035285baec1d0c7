import "./language.ts";
import "uplot/dist/uPlot.min.css";
import "./charts.css";
import "./matrix.css";
import "./lines/lines.css";

export { barChart } from "./bar-chart.ts";
export { type Chart, toneVariable } from "./chart.ts";
export { lineChart } from "./lines/line-chart.ts";
export {
  isSameRange,
  isShowable,
  RANGE_MS_MIN,
  sharedTime,
  type TimeRange,
} from "./lines/shared-time.ts";
export { lorenzChart } from "./lorenz-chart.ts";
export { networkChart } from "./network-chart.ts";
export { networkMatrix } from "./network-matrix.ts";
export * as charts from "./run-charts.ts";
export { type BarSpec, withPayments } from "./specs.ts";
