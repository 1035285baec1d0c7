import { sumOf } from "../metrics/statistics.ts";
import type { Movement } from "./movement.ts";

/** The sum of the movements with the same direction, `what`, `reason`, `other` and `artifact`. */
export type Stream = Pick<Movement, "what" | "reason" | "other" | "artifact"> & {
  readonly amount: number;
  readonly times: number;
};

/** Groups movements into streams, sorted by absolute amount, largest first. */
export const streamsOf = (movements: readonly Movement[]): readonly Stream[] => {
  const streams = new Map<string, Stream>();
  for (const { what, reason, other, artifact, amount } of movements) {
    const direction = amount > 0 ? "in" : "out";
    const key = JSON.stringify([direction, what, reason, other, artifact]);
    const before = streams.get(key) ?? { amount: 0, times: 0 };
    const sum = { amount: before.amount + amount, times: before.times + 1 };
    streams.set(key, { what, reason, other, artifact, ...sum });
  }
  return [...streams.values()].sort((a, b) => Math.abs(b.amount) - Math.abs(a.amount));
};

/** The sum of the streams with the same direction and `what`. */
type KindOfMovement = Pick<Stream, "what" | "amount" | "times"> & {
  /** The number of other parties. The world does not count. */
  readonly others: number;
  /** The number of artifacts that the scrip paid for. */
  readonly artifacts: number;
};

/** Sums up streams by kind: first what was received, then what was spent, largest first. */
export const kindsOf = (streams: readonly Stream[]): readonly KindOfMovement[] => {
  const groups = Map.groupBy(streams, ({ what, amount }) => `${amount > 0} ${what}`);
  const distinct = (names: readonly (string | null)[]): number =>
    new Set(names.filter((name) => name !== null)).size;
  const kinds = [...groups.values()].map((group) => ({
    what: group[0]?.what ?? "",
    amount: sumOf(group.map(({ amount }) => amount)),
    times: sumOf(group.map(({ times }) => times)),
    others: distinct(group.map(({ other }) => other)),
    artifacts: distinct(group.map(({ artifact }) => artifact)),
  }));
  const bySize = kinds.sort((a, b) => Math.abs(b.amount) - Math.abs(a.amount));
  return [...bySize.filter(isReceived), ...bySize.filter((kind) => !isReceived(kind))];
};

export const isReceived = ({ amount }: { readonly amount: number }): boolean => amount > 0;

/** The totals of all streams after the first `shown` streams. */
export const remainderOf = (streams: readonly Stream[], shown: number) => {
  const left = streams.slice(shown);
  return {
    streams: left.length,
    amount: sumOf(left.map(({ amount }) => amount)),
    times: sumOf(left.map(({ times }) => times)),
  };
};
