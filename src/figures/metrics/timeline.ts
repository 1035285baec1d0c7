import type { EventCounters } from "./event-counters.ts";
import { gini, quantiles, sumOf } from "./statistics.ts";

/** The figures of a run over time: a stock at each moment, a flow since the previous moment. */
export type Timeline = ReturnType<Sampling["timeline"]>;

/** The values at a moment. A flow is its sum so far. `supplyTime`: the supply integral over ms. */
export const sampleOf = (
  { activity, balances, sales, prices, roster, graph }: EventCounters,
  { atMs, supplyTime }: { readonly atMs: number; readonly supplyTime: number },
) => {
  const { actions, supply, trades } = activity.total();
  const { thoughts, costMicros, apiCostMicros } = activity.thoughts();
  const { aliveMs, frozenMs } = roster.frozen(atMs);
  const { sold, last_price } = sales.compute();
  const wealth = roster.ids().map((id) => balances.wealthOf(id));
  const [poor = null, rich = null] = quantiles(wealth, [0.1, 0.9]);
  return {
    at_ms: atMs,
    supply: balances.supply,
    price_index: prices.value,
    gini: gini(wealth),
    agents: roster.size,
    minted: supply.minted,
    burned: supply.burned,
    turnover: graph.turnover,
    trades: sumOf(Object.values(trades)),
    sales: prices.sales,
    spent_on_services: prices.spent,
    actions: actions.total,
    refused: actions.failed,
    thoughts,
    cost_micros: costMicros,
    api_cost_micros: apiCostMicros,
    frozen_ms: frozenMs,
    alive_ms: aliveMs,
    supply_time: supplyTime,
    compute_lots: sold,
    errors: actions.by_error,
    /** The price of a lot of model budget at the last sale, or null before the first sale. */
    compute_price: last_price,
    /** The wealth below which a tenth of the agents are, and above which another tenth are. */
    wealth_p10: poor,
    wealth_p90: rich,
    /** The wealth of each agent, in order of creation. */
    wealth,
  };
};

export type SampleValues = ReturnType<typeof sampleOf>;

export const SAMPLES_MAX = 240;

/**
 * Takes samples at equal intervals of run time. At `SAMPLES_MAX` samples, drops every second sample
 * and doubles the interval, so that memory use is bounded. The samples depend on the events, not on
 * when `timeline` is called.
 */
export class Sampling {
  readonly #fromMs: number;
  readonly #take: (atMs: number) => SampleValues;
  #widthMs = 250;
  #samples: SampleValues[] = [];

  /** `take` is called when all events up to `atMs` are counted. It returns the values at `atMs`. */
  constructor(fromMs: number, take: (atMs: number) => SampleValues) {
    this.#fromMs = fromMs;
    this.#take = take;
  }

  /** Takes all samples due before `atMs`. Call `reach` before an event at `atMs` is counted. */
  reach(atMs: number): void {
    for (let next = this.#next(); next < atMs; next = this.#next()) {
      this.#samples.push(this.#take(next));
      if (this.#samples.length < SAMPLES_MAX) continue;
      this.#samples = this.#samples.filter((_, at) => at % 2 === 0);
      this.#widthMs *= 2;
    }
  }

  timeline(nowMs: number, agents: readonly string[]) {
    const samples = [...this.#samples, this.#take(nowMs)];
    return {
      /** The run time from one value to the next, in ms. Only the last interval may be shorter. */
      width_ms: this.#widthMs,
      ...columnsOf(samples),
      /** The wealth over time of the agents with the highest peaks of wealth, highest first. */
      wealth: wealthLines(samples, agents),
    };
  }

  #next(): number {
    return this.#fromMs + this.#samples.length * this.#widthMs;
  }
}

/** The values that are numbers at every moment. */
type Quantity = Exclude<
  keyof SampleValues,
  "errors" | "compute_price" | "wealth_p10" | "wealth_p90" | "wealth"
>;

const columnsOf = (samples: readonly SampleValues[]) => {
  const stock = (key: Quantity): readonly number[] => samples.map((sample) => sample[key]);
  const flow = (key: Quantity): readonly number[] =>
    samples.map((sample, at) => sample[key] - (samples[at - 1]?.[key] ?? 0));
  const ratio = (above: readonly number[], below: readonly number[]): readonly (number | null)[] =>
    above.map((value, at) => (below[at] ? value / below[at] : null));
  const scripMinutes = flow("supply_time").map((product) => product / 60_000);
  return {
    at_ms: stock("at_ms"),
    supply: stock("supply"),
    price_index: stock("price_index"),
    gini: stock("gini"),
    agents: stock("agents"),
    minted: flow("minted"),
    burned: flow("burned"),
    turnover: flow("turnover"),
    velocity_per_min: ratio(flow("turnover"), scripMinutes),
    trades: flow("trades"),
    mean_price: ratio(flow("spent_on_services"), flow("sales")),
    actions: flow("actions"),
    refused: flow("refused"),
    thoughts: flow("thoughts"),
    cost_micros: flow("cost_micros"),
    api_cost_micros: flow("api_cost_micros"),
    compute_lots: flow("compute_lots"),
    compute_price: samples.map((sample) => sample.compute_price),
    wealth_p10: samples.map((sample) => sample.wealth_p10),
    wealth_p90: samples.map((sample) => sample.wealth_p90),
    frozen_share: ratio(flow("frozen_ms"), flow("alive_ms")).map((share) => share ?? 0),
    errors: errorLines(samples),
  };
};

const errorLines = (samples: readonly SampleValues[]) =>
  Object.entries(samples.at(-1)?.errors ?? {})
    .sort(([a, most], [b, more]) => more - most || (a < b ? -1 : 1))
    .slice(0, 8)
    .map(([code]) => ({
      code,
      times: samples.map(
        ({ errors }, at) => (errors[code] ?? 0) - (samples[at - 1]?.errors[code] ?? 0),
      ),
    }));

/** `order` is the number of older agents. A value in `scrip` is null before the agent exists. */
const wealthLines = (samples: readonly SampleValues[], agents: readonly string[]) => {
  const lines = agents.map((id, order) => {
    const scrip = samples.map(({ wealth }) => wealth[order] ?? null);
    const peak = scrip.reduce<number>((most, now) => Math.max(most, now ?? 0), 0);
    return { peak, line: { id, order, scrip } };
  });
  return lines
    .sort((a, b) => b.peak - a.peak)
    .slice(0, 30)
    .map(({ line }) => line);
};
