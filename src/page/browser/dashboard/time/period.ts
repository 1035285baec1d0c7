import { html } from "htm/preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import {
  isSameRange,
  isShowable,
  RANGE_MS_MIN,
  sharedTime,
  type TimeRange,
} from "../../charts/index.ts";
import { Button } from "../../parts/parts.ts";
import { momentText } from "../../parts/text.ts";
import { type Address, fieldsOfPeriod, go, periodIn, periodOf } from "../address.ts";
import { Link } from "../view.ts";

/**
 * The period in the address of the page, which is the range of all charts. A range that a person
 * chooses in a chart goes into the address.
 */
export const usePeriod = (address: Address, span: TimeRange): TimeRange | null => {
  const period = periodIn(address.filter ?? {}, span);
  const range = period !== null && isShowable(period) ? period : null;
  const shown = useRef({ address, range });
  shown.current = { address, range };
  useLayoutEffect(() => sharedTime.zoom(range), [range?.fromMs, range?.toMs]);
  useEffect(() => {
    const end = sharedTime.follow((changed) => {
      const chosen = sharedTime.now.range;
      if (!changed.has("range") || isSameRange(chosen, shown.current.range)) return;
      go(withPeriod(shown.current.address, chosen), "replace");
    });
    return () => {
      end();
      sharedTime.zoom(null);
    };
  }, []);
  return period;
};

const withPeriod = (address: Address, range: TimeRange | null): Address => ({
  ...address,
  filter: { ...address.filter, ...fieldsOfPeriod(range) },
});

const TOO_SHORT = `a period ends at least ${RANGE_MS_MIN / 1_000} s after its start`;

/** Makes the page show a period that a person typed as `text`. Returns why not, or null. */
export const openPeriod = (
  { fromMs, toMs }: TimeRange,
  { text, address, span }: { text: string; address: Address; span: TimeRange },
): string | null => {
  const cut = { fromMs: Math.max(fromMs, span.fromMs), toMs: Math.min(toMs, span.toMs) };
  // If only its end is in the run, a period is not too short but outside.
  if (isShowable({ fromMs, toMs }) && !isShowable(cut)) {
    return `${text}: this run covers ${momentText(span.fromMs)} to ${momentText(span.toMs)}`;
  }
  if (!isShowable(cut)) return `${text}: ${TOO_SHORT}`;
  go(withPeriod(address, cut), "replace");
  return null;
};

/** Makes the page show the whole run. */
export const showWholeRun = (address: Address): void => go(withPeriod(address, null), "replace");

type LineParts = { readonly address: Address; readonly period: TimeRange | null };

/** The period, and the ways from it. The line is there without a period, so that nothing moves. */
export const PeriodLine = ({ address, period }: LineParts) => {
  const to = (view: string): Address => {
    return { ...address, view, item: null, filter: periodOf(address) };
  };
  return html`
    <div class="period" role="group" aria-label="Period">
      <span role="status">${periodText(period)}</span>
      ${
        period !== null &&
        html`<${Link} to=${to("events")}>Events<//> <${Link} to=${to("moments")}>Moments<//>`
      }
      <${Button} isOff=${period === null} onClick=${() => showWholeRun(address)}>Whole run<//>
      ${
        period === null &&
        html`<span class="note">drag over a chart, or type a period such as 2:00-2:30</span>`
      }
    </div>
  `;
};

const periodText = (period: TimeRange | null): string =>
  period === null
    ? "Period: the whole run"
    : `Period ${momentText(period.fromMs)} to ${momentText(period.toMs)}`;
