import type { MeasuredRun } from "catallaxy";
import { marketOf, periodsOf, smithAlpha } from "../../measures/double-auction.ts";

/** Smith's coefficient in the last period minus that in the first, in percentage points. Or null. */
export default (run: MeasuredRun): number | null => {
  const alphas = periodsOf(marketOf(run)).map(smithAlpha);
  const [first = null] = alphas;
  const last = alphas.at(-1) ?? null;
  return first === null || last === null ? null : last - first;
};
