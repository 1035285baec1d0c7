import type { UserMind } from "catallaxy";
import { GRID, REPLIES } from "./duopoly.ts";
import { learnedPrices } from "./q-learning.ts";

type Memory = {
  readonly number: number | null;
  /** The learned price in each state, once both firms have published their numbers. */
  readonly prices: readonly number[] | null;
  /** The last period in which it has set a price. */
  readonly period: number;
};

type Status = {
  readonly firms: readonly string[];
  readonly numbers: readonly [number | null, number | null];
  readonly period: number;
  readonly last: { readonly prices: readonly number[] } | null;
};

type Strategy = "q_learning" | "myopic" | "random";

/** The first period in which firms set prices. Before it, they publish their numbers and learn. */
const FIRST_PERIOD = 3;
const M = GRID.length;

const call = (method: string, args: readonly number[] = []) => ({
  invoke_artifact: { artifact_id: "market", method, args: [...args] },
});

const statusIn = (last: Parameters<UserMind["decide"]>[0]["view"]["agent"]["last"]) =>
  last?.method === "status" && last.ok && last.result !== null
    ? (JSON.parse(last.result) as Status)
    : null;

/** The place of the next price in the grid. */
const chosen = (
  strategy: Strategy,
  { own, other }: { readonly own: number; readonly other: number },
  { prices, random }: { prices: readonly number[] | null; random: () => number },
): number => {
  if (strategy === "random") return Math.floor(random() * M);
  if (strategy === "myopic") return REPLIES[other] ?? 0;
  return prices?.[own * M + other] ?? 0;
};

/** Sets one price in each period, by one of three strategies. */
const mind: UserMind = {
  decide({ view, memory: saved, settings, random }) {
    const strategy = settings.strategy as Strategy;
    const memory = (saved as Memory | null) ?? { number: null, prices: null, period: 0 };
    if (memory.number === null) {
      const number = Math.floor(random() * 2 ** 31);
      return { action: call("enter", [number]), memory: { ...memory, number } };
    }
    const status = statusIn(view.agent.last);
    const periodMs = 1_000 * Number(settings.period_s);
    const nextStart = periodMs - (view.now % periodMs);
    const isDone = status === null || status.period === memory.period;
    const isEarly = (status?.period ?? 0) < FIRST_PERIOD;
    if (isDone || isEarly) {
      const waits = status !== null && { sleep: { for_s: Math.max(1, nextStart / 1_000) } };
      return { action: status === null ? call("status") : { noop: {} }, ...waits, memory };
    }
    const at = status.firms.indexOf(view.id);
    const isLearner = strategy === "q_learning" && memory.prices === null;
    const seed = (status.numbers[0] ?? 0) + (status.numbers[1] ?? 0);
    const prices = isLearner ? (learnedPrices(seed)[at] ?? null) : memory.prices;
    const place = (price: number | undefined) => GRID.indexOf(price ?? -1);
    const { last } = status;
    const before =
      last === null
        ? { own: Math.floor(random() * M), other: Math.floor(random() * M) }
        : { own: place(last.prices[at]), other: place(last.prices[1 - at]) };
    const next = GRID[chosen(strategy, before, { prices, random })] ?? 0;
    return {
      action: call("price", [next]),
      sleep: { for_s: Math.max(1, nextStart / 1_000) },
      reasoning: strategy,
      memory: { ...memory, prices, period: status.period },
    };
  },
};

export default mind;
