import {
  type MeterSnapshot,
  moversBetween,
  type PriceChange,
  type PriceEdit,
  type PriceMover,
} from "../../figures/index.ts";

/** A value at the start and at the end of a period. */
export type Change = { readonly name: string; readonly from: number; readonly to: number };

/** A mover, with the write behind the largest change of its price in the direction of its move. */
export type ExplainedMover = PriceMover & { readonly edit: PriceEdit | null };

/** What changed in a period. Of wealth, only the largest changes. Sums are of the whole period. */
export type PeriodChanges = ReturnType<typeof changesOf> & {
  /** The moments at which the values hold, in ms of run time. */
  readonly from_ms: number;
  readonly to_ms: number;
  readonly movers: readonly ExplainedMover[];
};

/** The ends of a period. */
type Ends = {
  /** Just before the first event of the period. */
  readonly before: MeterSnapshot;
  /** Like `before`, but not earlier than just after the world is made. */
  readonly start: MeterSnapshot;
  /** After the last event of the period. */
  readonly end: MeterSnapshot;
};

/** What the events of a period changed, as lists show these events: with those at its two ends. */
export const changesOf = ({ before, start, end }: Ends) => {
  const change = (name: string, key: "gini" | "supply" | "price_index"): Change => {
    return { name, from: start[key], to: end[key] };
  };
  return {
    figures: [
      change("Gini", "gini"),
      change("scrip", "supply"),
      change("price index", "price_index"),
    ],
    wealth: [...end.wealth]
      .map(([name, to]): Change => ({ name, from: start.wealth.get(name) ?? 0, to }))
      .filter(({ from, to }) => from !== to)
      .sort((a, b) => Math.abs(b.to - b.from) - Math.abs(a.to - a.from))
      .slice(0, 8),
    sums: {
      trades: end.trades - before.trades,
      turnover: end.turnover - before.turnover,
      minted: end.minted - before.minted,
      burned: end.burned - before.burned,
      refused: end.refused - before.refused,
    },
  };
};

/** The programs that moved the price index in a period. `changes` are those of its prices. */
export const moversOf = (
  { start, end }: Pick<Ends, "start" | "end">,
  changes: readonly PriceChange[],
): readonly ExplainedMover[] =>
  withEdits(moversBetween(start.salesByProgram, end.salesByProgram), changes);

export const withEdits = (
  movers: readonly PriceMover[],
  changes: readonly PriceChange[],
): readonly ExplainedMover[] =>
  movers.map((mover) => {
    const direction = Math.sign(mover.factor - 1);
    let largest: PriceChange | null = null;
    for (const change of changes) {
      if (change.artifact !== mover.artifact || change.edit === null) continue;
      // Of equal changes, the last one stays.
      if (change.moved * direction >= (largest?.moved ?? 0) * direction) largest = change;
    }
    return { ...mover, edit: largest?.edit ?? null };
  });
