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
};

export type Trade = {
  readonly n: number;
  readonly price: number;
  readonly units: number;
  readonly buyer: string;
  readonly seller: string;
};

const FIRST_LINE = /^const settings = (.*);$/m;

/** @throws Error if the run has no experimenter, or its journal lacks a trade. */
export const marketOf = ({ events }: Pick<MeasuredRun, "events">): Market => {
  const settings = new Map<string, Settings>();
  const trades = new Map<number, Trade>();
  for (const { event } of events()) {
    if (event.kind === "artifact_written") {
      const [, text] = FIRST_LINE.exec(event.fields.code ?? "") ?? [];
      if (text !== undefined) settings.set(event.artifact_id, JSON.parse(text));
    }
    if (event.kind === "artifact_state_changed" && event.artifact_id === "market") {
      const state: { readonly trades?: readonly Trade[] } = JSON.parse(event.state);
      for (const trade of state.trades ?? []) trades.set(trade.n, trade);
    }
  }
  const { values, good = "" } = settings.get("experimenter") ?? {};
  if (values === undefined) throw new Error("the run has no program `experimenter` with values");
  const found = [...trades.values()];
  if (found.some(({ n }, at) => n !== at + 1)) throw new Error("the journal lacks a trade");
  return { values, endowment: settings.get(good)?.initial ?? {}, trades: found };
};

type Settings = {
  readonly good?: string;
  readonly values?: Market["values"];
  readonly initial?: Market["endowment"];
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

/** The realised gains from trade in scrip: the values of what traders own after and before. */
export const realisedSurplus = (market: Market): number => {
  const held = new Map(Object.entries(market.endowment));
  const add = (id: string, units: number) => held.set(id, (held.get(id) ?? 0) + units);
  for (const { buyer, seller, units } of market.trades) {
    add(buyer, units);
    add(seller, -units);
  }
  const worth = ([id, list]: readonly [string, readonly number[]]): number =>
    sum(list.slice(0, held.get(id) ?? 0));
  return sum(Object.entries(market.values).map(worth)) - keptWithoutTrade(market);
};

/** The competitive price: the middle between the last value that is served and the next one. */
export const equilibriumPrice = (market: Market): number => {
  const units = sum(Object.values(market.endowment));
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
export const efficiency = (market: Market): number =>
  realisedSurplus(market) / maximumSurplus(market);
