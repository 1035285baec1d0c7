import type { MeasuredRun } from "catallaxy";
import { echelonsOf } from "./echelons.ts";

/** The cost of all players in all weeks. */
export default (run: MeasuredRun): number | null =>
  echelonsOf(run)?.reduce((sum, { cost }) => sum + cost, 0) ?? null;
