import "./language.ts";
import "uplot/dist/uPlot.min.css";
import "./charts.css";

export { type BarSpec, barChart } from "./bar-chart.ts";
export type { Chart } from "./chart.ts";
export { lineChart } from "./line-chart.ts";
export { lorenzChart } from "./lorenz-chart.ts";
export { networkChart } from "./network-chart.ts";
export * as charts from "./run-charts.ts";
