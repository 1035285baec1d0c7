/**
 * A run over its time, in columns: one value for each moment of `at_ms`. Stocks are as of that
 * moment, everything else is what happened since the moment before.
 */
export type Timeline = {
  /** From moment to moment; the last one may come sooner. */
  readonly width_ms: number;
  readonly at_ms: readonly number[];
  /** Stocks: all scrip there is; the index of prices; of the agents' wealth; the agents. */
  readonly supply: readonly number[];
  readonly price_index: readonly number[];
  readonly gini: readonly number[];
  readonly agents: readonly number[];
  readonly minted: readonly number[];
  readonly burned: readonly number[];
  readonly turnover: readonly number[];
  /** Of the mean supply of that time; null where no time has passed. */
  readonly velocity_per_min: readonly (number | null)[];
  readonly trades: readonly number[];
  /** What a paid call of a program cost on average; null where none was sold. */
  readonly mean_price: readonly (number | null)[];
  readonly actions: readonly number[];
  readonly refused: readonly number[];
  readonly thoughts: readonly number[];
  readonly cost_micros: readonly number[];
  readonly api_cost_micros: readonly number[];
  readonly frozen_share: readonly number[];
  /** Refusals by code, the most frequent first. */
  readonly errors: readonly { readonly code: string; readonly times: readonly number[] }[];
  /** Scrip of agents, whoever was richest at any moment first; null before they were there. */
  readonly wealth: readonly WealthLine[];
};

/** `order`: how many agents were there before it, which is its own for ever. */
export type WealthLine = {
  readonly id: string;
  readonly order: number;
  readonly scrip: readonly (number | null)[];
};

/** Everything that a timeline knows of one moment; what has happened is summed up until then. */
export type Sample = {
  readonly at_ms: number;
  readonly supply: number;
  readonly price_index: number;
  readonly gini: number;
  readonly agents: number;
  readonly minted: number;
  readonly burned: number;
  readonly turnover: number;
  readonly trades: number;
  readonly sales: number;
  readonly spent_on_services: number;
  readonly actions: number;
  readonly refused: number;
  readonly thoughts: number;
  readonly cost_micros: number;
  readonly api_cost_micros: number;
  readonly frozen_ms: number;
  readonly alive_ms: number;
  /** Σ supply × ms. */
  readonly supply_time: number;
  readonly errors: { readonly [code: string]: number };
  /** Of each agent, in the order they were created. */
  readonly wealth: readonly number[];
};

export const SAMPLES_MAX = 240;
const WIDTH_MIN_MS = 250;
export const WEALTH_LINES_MAX = 30;
const ERROR_LINES_MAX = 8;

/**
 * Takes samples at even distances of run time. When it has `SAMPLES_MAX` it drops every second one
 * and doubles the distance, so that it stays as small however long a run is, and the same whoever
 * follows the run and whenever they look.
 */
export class Sampling {
  readonly #fromMs: number;
  readonly #take: (atMs: number) => Sample;
  #widthMs = WIDTH_MIN_MS;
  #samples: Sample[] = [];

  /** `take` says how things are at a moment up to which everything has been counted. */
  constructor(fromMs: number, take: (atMs: number) => Sample) {
    this.#fromMs = fromMs;
    this.#take = take;
  }

  /** To be told before the first thing that happened at `atMs` is counted. */
  reach(atMs: number): void {
    for (let next = this.#next(); next < atMs; next = this.#next()) {
      this.#samples.push(this.#take(next));
      if (this.#samples.length < SAMPLES_MAX) continue;
      this.#samples = this.#samples.filter((_, at) => at % 2 === 0);
      this.#widthMs *= 2;
    }
  }

  /** Up to now. */
  timeline(nowMs: number, agents: readonly string[]): Timeline {
    const samples = [...this.#samples, this.#take(nowMs)];
    return { width_ms: this.#widthMs, ...columnsOf(samples), wealth: wealthLines(samples, agents) };
  }

  /** How the scrip of one agent went, at the moments of the timeline. */
  wealthOf(order: number, nowMs: number): WealthLine["scrip"] {
    return wealthLine([...this.#samples, this.#take(nowMs)], order);
  }

  #next(): number {
    return this.#fromMs + this.#samples.length * this.#widthMs;
  }
}

type Quantity = Exclude<keyof Sample, "errors" | "wealth">;

const columnsOf = (samples: readonly Sample[]) => {
  const stock = (key: Quantity): readonly number[] => samples.map((sample) => sample[key]);
  const flow = (key: Quantity): readonly number[] =>
    samples.map((sample, at) => sample[key] - (samples[at - 1]?.[key] ?? 0));
  const ratio = (above: readonly number[], below: readonly number[]): readonly (number | null)[] =>
    above.map((value, at) => (below[at] ? value / below[at] : null));
  const minutesOfScrip = flow("supply_time").map((product) => product / 60_000);
  return {
    at_ms: stock("at_ms"),
    supply: stock("supply"),
    price_index: stock("price_index"),
    gini: stock("gini"),
    agents: stock("agents"),
    minted: flow("minted"),
    burned: flow("burned"),
    turnover: flow("turnover"),
    velocity_per_min: ratio(flow("turnover"), minutesOfScrip),
    trades: flow("trades"),
    mean_price: ratio(flow("spent_on_services"), flow("sales")),
    actions: flow("actions"),
    refused: flow("refused"),
    thoughts: flow("thoughts"),
    cost_micros: flow("cost_micros"),
    api_cost_micros: flow("api_cost_micros"),
    frozen_share: ratio(flow("frozen_ms"), flow("alive_ms")).map((share) => share ?? 0),
    errors: errorLines(samples),
  };
};

const errorLines = (samples: readonly Sample[]): Timeline["errors"] =>
  Object.entries(samples.at(-1)?.errors ?? {})
    .sort(([a, most], [b, more]) => more - most || (a < b ? -1 : 1))
    .slice(0, ERROR_LINES_MAX)
    .map(([code]) => ({
      code,
      times: samples.map(
        ({ errors }, at) => (errors[code] ?? 0) - (samples[at - 1]?.errors[code] ?? 0),
      ),
    }));

const wealthLines = (samples: readonly Sample[], agents: readonly string[]) => {
  const lines = agents.map((id, order) => ({ id, order, scrip: wealthLine(samples, order) }));
  const peaks = new Map(
    lines.map(({ id, scrip }) => [
      id,
      scrip.reduce<number>((most, now) => Math.max(most, now ?? 0), 0),
    ]),
  );
  return lines
    .sort((a, b) => (peaks.get(b.id) ?? 0) - (peaks.get(a.id) ?? 0))
    .slice(0, WEALTH_LINES_MAX);
};

const wealthLine = (samples: readonly Sample[], order: number): WealthLine["scrip"] =>
  samples.map(({ wealth }) => wealth[order] ?? null);
