import type { MeasuredRun } from "catallaxy";

export const MONTHS = 12;
/** Tons that can be harvested in a month so that the stock grows back to its capacity of 100. */
export const SUSTAINABLE_TONS = 50;

/** A month in which someone harvested. */
export type Month = {
  /** From 0. */
  readonly round: number;
  /** The stock in tons at its beginning. */
  readonly stock: number;
  /** The tons that each fisher got. */
  readonly got: { readonly [fisher: string]: number };
  /** The stock at its end, after growth. 0 if it collapsed. */
  readonly next: number;
};

export type Lake = { readonly fishers: readonly string[]; readonly months: readonly Month[] };

type Run = Pick<MeasuredRun, "events" | "metrics">;

/** What happened in the program `lake`, from the results that it keeps. */
export const lakeOf = ({ events, metrics }: Run): Lake => {
  const months = new Map<number, Month>();
  for (const { event } of events()) {
    if (event.kind !== "artifact_state_changed" || event.artifact_id !== "lake") continue;
    const { results = [] }: { readonly results?: readonly Month[] } = JSON.parse(event.state);
    for (const month of results) if (month.round < MONTHS) months.set(month.round, month);
  }
  const fishers = metrics.principals.flatMap(({ id, agent }) => (agent ? [id] : []));
  return { fishers, months: [...months.values()] };
};

/** The tons that each fisher caught in all months. */
export const gainsOf = ({ fishers, months }: Lake): readonly number[] =>
  fishers.map((id) => months.reduce((sum, { got }) => sum + (got[id] ?? 0), 0));

export const totalOf = (lake: Lake): number => gainsOf(lake).reduce((sum, each) => sum + each, 0);
