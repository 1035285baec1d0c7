import { GRID, PROFITS } from "./duopoly.ts";

/** The baseline of Calvano et al. (2020). */
const LEARNING_RATE = 0.15;
const EXPLORATION_DECAY = 4e-6;
const DISCOUNT = 0.95;
/** Learning ends when no firm has changed its best reply to any state for so many periods. */
const STABLE_PERIODS = 100_000;
const PERIODS_MAX = 10_000_000;

const M = GRID.length;
const STATES = M * M;

/** A generator of numbers from 0 up to 1 (mulberry32), because learning needs millions of them. */
const generator = (seed: number): (() => number) => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
};

type Table = { readonly values: Float64Array; readonly best: Uint8Array };

/** Each price is first worth what it earns for ever if the other firm takes random prices. */
const freshTable = (): Table => {
  const first = PROFITS.map((row) => row.reduce((sum, each) => sum + each, 0) / M / (1 - DISCOUNT));
  const values = Float64Array.from({ length: STATES * M }, (_, at) => first[at % M] ?? 0);
  const best = new Uint8Array(STATES).fill(first.indexOf(Math.max(...first)));
  return { values, best };
};

const placeOfBest = (values: Float64Array, state: number): number => {
  let best = 0;
  for (let at = 1; at < M; at++) {
    if ((values[state * M + at] ?? 0) > (values[state * M + best] ?? 0)) best = at;
  }
  return best;
};

/** Updates the value of a price in a state. Returns whether the best price of the state changed. */
const learn = (
  { values, best }: Table,
  { state, action, profit, next }: Readonly<Record<"state" | "action" | "profit" | "next", number>>,
): boolean => {
  const future = values[next * M + (best[next] ?? 0)] ?? 0;
  const place = state * M + action;
  const old = values[place] ?? 0;
  values[place] = old + LEARNING_RATE * (profit + DISCOUNT * future - old);
  const now = placeOfBest(values, state);
  const isChanged = now !== best[state];
  best[state] = now;
  return isChanged;
};

/**
 * Two firms learn against each other by Q-learning with a memory of one period. Returns the price of
 * each firm in each state, as places in the grid. A state is 15 × own last price + other's last
 * price, from the view of each firm. The same seed gives the same firms.
 */
export const learnedPrices = (seed: number): readonly [readonly number[], readonly number[]] => {
  const random = generator(seed);
  const pick = () => Math.floor(random() * M);
  const [one, two] = [freshTable(), freshTable()];
  let [a, b] = [pick(), pick()];
  let exploration = 1;
  let stable = 0;
  for (let period = 0; period < PERIODS_MAX && stable < STABLE_PERIODS; period++) {
    const [mine, theirs] = [a * M + b, b * M + a];
    a = random() < exploration ? pick() : (one.best[mine] ?? 0);
    b = random() < exploration ? pick() : (two.best[theirs] ?? 0);
    const profits = [PROFITS[a]?.[b] ?? 0, PROFITS[b]?.[a] ?? 0] as const;
    const first = { state: mine, action: a, profit: profits[0], next: a * M + b };
    const second = { state: theirs, action: b, profit: profits[1], next: b * M + a };
    const changes = [learn(one, first), learn(two, second)];
    stable = changes.includes(true) ? 0 : stable + 1;
    exploration *= 1 - EXPLORATION_DECAY;
  }
  return [[...one.best], [...two.best]];
};
