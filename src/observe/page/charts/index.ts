import "./language.ts";
import "uplot/dist/uPlot.min.css";
import "./charts.css";
import "./matrix.css";

export { type BarSpec, barChart } from "./bar-chart.ts";
export type { Chart } from "./chart.ts";
export { lineChart } from "./line-chart.ts";
export { lorenzChart } from "./lorenz-chart.ts";
export { type NetworkSpec, networkChart } from "./network-chart.ts";
export { networkMatrix } from "./network-matrix.ts";
export * as charts from "./run-charts.ts";
