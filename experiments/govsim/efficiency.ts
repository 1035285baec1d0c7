import type { MeasuredRun } from "catallaxy";
import { lakeOf, MONTHS, SUSTAINABLE_TONS, totalOf } from "./lake.ts";

/** The share of the sustainable harvest of all months that was caught, at most 1. */
export default (run: MeasuredRun): number =>
  Math.min(1, totalOf(lakeOf(run)) / (MONTHS * SUSTAINABLE_TONS));
