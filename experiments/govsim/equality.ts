import type { MeasuredRun } from "catallaxy";
import { gini } from "../measures/exchange-gini.ts";
import { gainsOf, lakeOf } from "./lake.ts";

/** 1 minus the Gini coefficient of what the fishers caught. Null if they caught nothing. */
export default (run: MeasuredRun): number | null => {
  const gains = gainsOf(lakeOf(run));
  return gains.every((each) => each === 0) ? null : 1 - gini(gains);
};
