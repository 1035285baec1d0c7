import type { TimeRange } from "../../charts/index.ts";
import { momentText } from "../../parts/text.ts";
import { periodIn, periodOf } from "../address.ts";
import { filterQuery } from "../typed-filter.ts";
import type { ViewParts } from "../view.ts";

/** The ends of a period in ms of run time, as the server has cut them to the run. */
type Ends = { readonly from_ms: number; readonly to_ms: number };

type Shown = Pick<ViewParts, "address" | "tick">;

/** The period of the page in ms of run time, cut to the run, or null. */
export const shownPeriod = ({ address, tick }: Shown): TimeRange | null =>
  periodIn(address.filter ?? {}, { fromMs: tick.first_ms, toMs: tick.at_ms });

/** The period of the page as a query, with `&` at its end. Null without a period. */
export const periodQuery = (shown: Shown): string | null =>
  shownPeriod(shown) === null ? null : `${filterQuery(periodOf(shown.address))}&`;

/** Example: `from 2:00.0 to 2:30.0`. */
export const periodText = ({ from_ms: fromMs, to_ms: toMs }: Ends): string =>
  toMs < fromMs
    ? "in the period, which begins after this moment"
    : `from ${momentText(fromMs)} to ${momentText(toMs)}`;

/** Adds to the note of a chart the moment of its values, which are not those of a period. */
export const atMoment = <Spec extends { readonly note: string }>(
  spec: Spec,
  atMs: number,
): Spec => ({ ...spec, note: `${spec.note} At ${momentText(atMs)}.` });
