import type { MeasuredRun } from "catallaxy";

/** A player of the program `chain` when the game ended. Players are in order, the retailer first. */
export type Echelon = {
  readonly cost: number;
  /** Its orders by week, without that of the last week. */
  readonly orders: readonly number[];
  /** The orders of its customer in the same weeks. */
  readonly demand: readonly number[];
};

type State = {
  readonly week: number;
  readonly chain: readonly { readonly cost: number }[];
  readonly history: readonly (readonly number[])[];
};

const STEP_WEEK = 5;
const customers = (weeks: number): readonly number[] =>
  Array.from({ length: weeks }, (_, at) => (at + 1 < STEP_WEEK ? 4 : 8));

/** Null if the game did not begin. */
export const echelonsOf = ({ events }: Pick<MeasuredRun, "events">): readonly Echelon[] | null => {
  let last: State | null = null;
  for (const { event } of events()) {
    if (event.kind !== "artifact_state_changed" || event.artifact_id !== "chain") continue;
    last = JSON.parse(event.state) as State;
  }
  if (last === null) return null;
  const { chain, history } = last;
  return chain.map(({ cost }, at) => {
    const orders = history[at] ?? [];
    return { cost, orders, demand: history[at - 1] ?? customers(orders.length) };
  });
};

/** The cost of one player, or null. */
export const costOf =
  (at: number) =>
  (run: MeasuredRun): number | null =>
    echelonsOf(run)?.[at]?.cost ?? null;

export const variance = (numbers: readonly number[]): number => {
  const mean = numbers.reduce((sum, each) => sum + each, 0) / numbers.length;
  return numbers.reduce((sum, each) => sum + (each - mean) ** 2, 0) / numbers.length;
};
