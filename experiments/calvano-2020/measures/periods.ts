import type { MeasuredRun } from "catallaxy";

type Period = {
  readonly period: number;
  readonly prices: readonly number[];
  readonly profits: readonly number[];
};

/** The complete periods in the second half of a run, when the first prices no longer matter. */
export const latePeriods = ({ events }: MeasuredRun): readonly Period[] => {
  const periods = new Map<number, Period>();
  for (const { event } of events()) {
    if (event.kind !== "artifact_state_changed" || event.artifact_id !== "market") continue;
    const { last }: { readonly last?: Period } = JSON.parse(event.state);
    if (last !== undefined) periods.set(last.period, last);
  }
  const all = [...periods.values()];
  return all.slice(Math.floor(all.length / 2));
};

export const mean = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, each) => sum + each, 0) / values.length;
