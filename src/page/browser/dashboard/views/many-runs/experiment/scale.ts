import { roundStep } from "../../../../parts/round-step.ts";

/** A horizontal axis. Places are percentages of its width, from the left. */
export type Scale = {
  readonly placeOf: (value: number) => number;
  /** Round values on the axis. */
  readonly ticks: readonly number[];
};

const TICKS_MAX = 5;
const MARGIN = 0.05;

/** A scale on which all of `values` have a place. */
export const scaleOf = (values: readonly number[]): Scale => {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  if (values.length === 0) return { placeOf: () => 50, ticks: [] };
  const margin = low === high ? Math.max(Math.abs(low) / 10, 0.5) : (high - low) * MARGIN;
  const [from, to] = [low - margin, high + margin];
  const step = roundStep((to - from) / TICKS_MAX);
  const first = Math.ceil(from / step);
  const count = Math.floor(to / step) - first + 1;
  return {
    placeOf: (value) => (100 * (value - from)) / (to - from),
    // The division keeps 0.3 from being 0.30000000000000004.
    ticks: Array.from({ length: count }, (_, at) => Number(((first + at) * step).toPrecision(12))),
  };
};

const LEVELS_MAX = 7;

/**
 * The level of each place, so that dots on one level are at least `gap` apart as far as there are
 * levels: 0, 1, -1, 2, -2 and so on.
 */
export const levelsOf = (places: readonly number[], gap: number): readonly number[] => {
  const lastAt: number[] = [];
  const levels = new Map<number, number>();
  const order = [...places.keys()].sort((a, b) => (places[a] ?? 0) - (places[b] ?? 0) || a - b);
  for (const at of order) {
    const place = places[at] ?? 0;
    const candidates = Array.from({ length: LEVELS_MAX }, (_, level) => level);
    const free = candidates.find((level) => place - (lastAt[level] ?? -gap) >= gap) ?? 0;
    lastAt[free] = place;
    levels.set(at, free % 2 === 0 ? 0 - free / 2 : (free + 1) / 2);
  }
  return places.map((_, at) => levels.get(at) ?? 0);
};
