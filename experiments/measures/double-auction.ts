import type { MeasuredRun } from "catallaxy";

/**
 * What happened in a double auction with induced values (Smith, 1976). It is read from the journal:
 * the values from the settings of the program `experimenter`, the endowment from those of the token
 * that this program redeems, and the trades from the state of the order book `market`.
 */
export type Market = {
  /** What each unit is worth to each trader, in scrip, the highest first. */
  readonly values: { readonly [trader: string]: readonly number[] };
  /** The units that each trader has at the start. */
  readonly endowment: { readonly [trader: string]: number };
  readonly trades: readonly Trade[];
  /** The length of a trading period, after which all values are there again. Null: one period. */
  readonly periodMs: number | null;
  /** The run time of the last event. */
  readonly endMs: number;
};

export type Trade = {
  readonly n: number;
  readonly at_ms: number;
  readonly price: number;
  readonly units: number;
  readonly buyer: string;
  readonly seller: string;
};

const FIRST_LINE = /^const settings = (.*);$/m;

/** @throws Error if the run has no experimenter or no order book, or its journal lacks a trade. */
export const marketOf = ({ events }: Pick<MeasuredRun, "events">): Market => {
  const settings = new Map<string, Settings>();
  const trades = new Map<number, Trade>();
  let endMs = 0;
  for (const { event, at_ms } of events()) {
    endMs = at_ms;
    if (event.kind === "artifact_written") {
      const [, text] = FIRST_LINE.exec(event.fields.code ?? "") ?? [];
      if (text !== undefined) settings.set(event.artifact_id, JSON.parse(text));
      const { methods } = event.fields;
      if (event.artifact_id === "market" && methods?.includes("trades") === false) {
        throw new Error("the program `market` is not an order book: it has no method `trades`");
      }
    }
    if (event.kind === "artifact_state_changed" && event.artifact_id === "market") {
      const state: { readonly trades?: readonly Trade[] } = JSON.parse(event.state);
      for (const trade of state.trades ?? []) trades.set(trade.n, trade);
    }
  }
  const { values, good = "", period_s = null } = settings.get("experimenter") ?? {};
  if (values === undefined) throw new Error("the run has no program `experimenter` with values");
  const found = [...trades.values()];
  if (found.some(({ n }, at) => n !== at + 1)) throw new Error("the journal lacks a trade");
  const endowment = settings.get(good)?.initial ?? {};
  const periodMs = period_s === null ? null : 1_000 * period_s;
  return { values, endowment, trades: found, periodMs, endMs };
};

/**
 * The market of each trading period. A trader that has units brings one for each of its values. The
 * units that it keeps for later periods are worth nothing in this one.
 */
export const periodsOf = (market: Market): readonly Market[] => {
  const { periodMs, endMs, endowment, trades, values } = market;
  if (periodMs === null) return [market];
  const brought = Object.entries(endowment).map(([id, units]): [string, number] => {
    return [id, Math.min(units, values[id]?.length ?? 0)];
  });
  const periods = Math.max(1, Math.ceil(endMs / periodMs));
  return Array.from({ length: periods }, (_, period) => ({
    ...market,
    endowment: Object.fromEntries(brought),
    trades: trades.filter(({ at_ms }) => Math.floor(at_ms / periodMs) === period),
    periodMs: null,
  }));
};

type Settings = {
  readonly good?: string;
  readonly values?: Market["values"];
  readonly initial?: Market["endowment"];
  readonly period_s?: number | null;
};

const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0);

/** The values of the units that traders own at the start. */
const keptWithoutTrade = ({ values, endowment }: Market): number =>
  sum(Object.entries(values).flatMap(([id, list]) => list.slice(0, endowment[id] ?? 0)));

const ranked = ({ values }: Market): readonly number[] =>
  Object.values(values)
    .flat()
    .toSorted((a, b) => b - a);

/** The greatest possible gains from trade in scrip: those who value units most have them. */
export const maximumSurplus = (market: Market): number => {
  const units = sum(Object.values(market.endowment));
  return sum(ranked(market).slice(0, units)) - keptWithoutTrade(market);
};

/** What each trader gains in scrip: the value of its units after and before, and its payments. */
export const gainsOf = (market: Market): ReadonlyMap<string, number> => {
  const held = new Map(Object.entries(market.endowment));
  const scrip = new Map<string, number>();
  const add = (to: Map<string, number>, id: string, amount: number) =>
    to.set(id, (to.get(id) ?? 0) + amount);
  for (const { buyer, seller, units, price } of market.trades) {
    add(held, buyer, units);
    add(held, seller, -units);
    add(scrip, buyer, -units * price);
    add(scrip, seller, units * price);
  }
  const gain = (id: string, list: readonly number[]): number => {
    const before = sum(list.slice(0, market.endowment[id] ?? 0));
    return sum(list.slice(0, held.get(id) ?? 0)) - before + (scrip.get(id) ?? 0);
  };
  return new Map(Object.entries(market.values).map(([id, list]) => [id, gain(id, list)]));
};

/** The realised gains from trade of all traders in scrip. Prices only share them out. */
export const realisedSurplus = (market: Market): number => sum([...gainsOf(market).values()]);

/** The competitive price: the middle between the last value that is served and the next one. */
export const equilibriumPrice = (market: Market): number => {
  const [period = market] = periodsOf(market);
  const units = sum(Object.values(period.endowment));
  const all = ranked(market);
  return ((all[units - 1] ?? 0) + (all[units] ?? 0)) / 2;
};

/** The price of each traded unit. */
export const pricesOf = ({ trades }: Market): readonly number[] =>
  trades.flatMap(({ price, units }) => Array.from({ length: units }, () => price));

/** The mean price of a unit, or null without trades. */
export const meanPrice = (market: Market): number | null => {
  const prices = pricesOf(market);
  return prices.length === 0 ? null : sum(prices) / prices.length;
};

/** The root of the mean square difference of prices and the equilibrium price, or null. */
export const priceError = (market: Market): number | null => {
  const prices = pricesOf(market);
  const price = equilibriumPrice(market);
  if (prices.length === 0) return null;
  return Math.sqrt(sum(prices.map((each) => (each - price) ** 2)) / prices.length);
};

/** The share of the greatest possible gains from trade that traders realised, from 0 to 1. */
export const efficiency = (market: Market): number => shareOf(market, realisedSurplus);

/** The part of `efficiency` that goes to traders with units at the start, or to those without. */
export const surplusShare = (market: Market, side: "buyers" | "sellers"): number =>
  shareOf(market, (period) => {
    const isSeller = (id: string): boolean => (period.endowment[id] ?? 0) > 0;
    const own = [...gainsOf(period)].filter(([id]) => isSeller(id) === (side === "sellers"));
    return sum(own.map(([, gain]) => gain));
  });

/** Gains from trade in all periods, divided by the greatest possible gains. */
const shareOf = (market: Market, gains: (period: Market) => number): number => {
  const periods = periodsOf(market);
  return sum(periods.map(gains)) / sum(periods.map(maximumSurplus));
};

/**
 * Smith's coefficient of convergence in percent: the standard deviation of prices around the
 * equilibrium price, divided by this price (Smith, 1962). Null without trades.
 */
export const smithAlpha = (market: Market): number | null => {
  const error = priceError(market);
  return error === null ? null : (100 * error) / equilibriumPrice(market);
};

/** Smith's coefficient in one trading period, from 1. */
export const smithAlphaIn = (market: Market, period: number): number | null => {
  const found = periodsOf(market)[period - 1];
  return found === undefined ? null : smithAlpha(found);
};
