import type { MeasuredRun } from "catallaxy";
import { giniByRound } from "./exchange-gini.ts";

/** The mean Gini coefficient over the second half of the rounds. Null without a round. */
export default (run: MeasuredRun): number | null => {
  const all = giniByRound(run);
  const half = all.slice(Math.floor(all.length / 2));
  return half.length === 0 ? null : half.reduce((sum, each) => sum + each, 0) / half.length;
};
