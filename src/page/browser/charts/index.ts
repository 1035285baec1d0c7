import "./charts.css";

export { useWidth } from "./chart.ts";
export { LineChart } from "./line-chart.ts";
export { LorenzChart } from "./lorenz-chart.ts";
export { MatrixChart } from "./matrix-chart.ts";
export { RowsChart } from "./rows-chart.ts";
export * as charts from "./run-charts.ts";
export { isSameRange, isShowable, RANGE_MS_MIN, sharedTime } from "./shared-time.ts";
