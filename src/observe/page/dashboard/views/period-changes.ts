import type { RunOverview } from "../../../run-overview.ts";

type Timeline = RunOverview["timeline"];

/** A value at the start and at the end of a period. */
export type Change = { readonly name: string; readonly from: number; readonly to: number };

type PeriodChanges = {
  /** The samples at the ends, in ms of run time. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly figures: readonly Change[];
  /** The agents whose wealth changed most. */
  readonly wealth: readonly Change[];
  /** What happened in between: the sums of flows. */
  readonly sums: readonly (readonly [name: string, sum: number])[];
};

const AGENTS_SHOWN = 8;

/**
 * What changed between the last samples that are not after the start and the end of a period. The
 * timeline knows only the agents with the highest peaks of wealth.
 */
export const changesIn = (
  timeline: Timeline,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): PeriodChanges => {
  const { at_ms: times, supply, gini, price_index: prices, wealth } = timeline;
  const first = Math.max(
    0,
    times.findLastIndex((ms) => ms <= fromMs),
  );
  const last = Math.max(
    first,
    times.findLastIndex((ms) => ms <= toMs),
  );
  const change = (name: string, values: readonly (number | null)[]): Change => ({
    ...{ name, from: values[first] ?? 0, to: values[last] ?? 0 },
  });
  const sum = (values: readonly number[]): number =>
    values.slice(first + 1, last + 1).reduce((all, value) => all + value, 0);
  return {
    fromMs: times[first] ?? 0,
    toMs: times[last] ?? 0,
    figures: [change("Gini", gini), change("scrip", supply), change("price index", prices)],
    wealth: wealth
      .map(({ id, scrip }) => change(id, scrip))
      .filter(({ from, to }) => from !== to)
      .sort((a, b) => Math.abs(b.to - b.from) - Math.abs(a.to - a.from))
      .slice(0, AGENTS_SHOWN),
    sums: [
      ["trades", sum(timeline.trades)],
      ["scrip paid", sum(timeline.turnover)],
      ["minted", sum(timeline.minted)],
      ["burned", sum(timeline.burned)],
      ["actions refused", sum(timeline.refused)],
    ],
  };
};
