import "./language.ts";
import "uplot/dist/uPlot.min.css";
import "./charts.css";

export { type BarRow, type BarSpec, barChart } from "./bar-chart.ts";
export type { Chart } from "./chart.ts";
export { element, shape } from "./element.ts";
export { swatchOf } from "./legend.ts";
export { type LineSpec, lineChart, type Series } from "./line-chart.ts";
export { type LorenzSpec, lorenzChart } from "./lorenz-chart.ts";
export { type NetworkSpec, networkChart } from "./network-chart.ts";
export { dollarText, numberText, percentText, timeText } from "./numbers.ts";
export {
  cost,
  distribution,
  mint,
  pace,
  prices,
  type RunFigures,
  refusals,
  sellers,
  wealthLines,
  wholeStretches,
} from "./run-charts.ts";
export { type Column, sortableTable, type TableSpec } from "./table.ts";
export { onThemeChange, toneVariable } from "./tones.ts";
