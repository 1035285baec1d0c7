/**
 * The duopoly of Calvano et al. (2020): quality 2, cost 1, differentiation 1/4 and an outside good of
 * value 0. Prices are in thousandths, as in `market.js`.
 */
const [QUALITY, COST, DIFFERENCE] = [2, 1, 0.25];
const CONSUMERS = 10_000;

/** The prices and profits of one period in the static equilibrium, and in joint monopoly. */
export const NASH = { price: 1.4729, profit: 2_229.3 };
export const MONOPOLY = { price: 1.925, profit: 3_375.3 };

/** A tenth of the way from one to the other is added at both ends. */
const MARGIN = 0.1;
const PRICES = 15;

/** The prices among which firms choose. */
export const GRID: readonly number[] = Array.from({ length: PRICES }, (_, at) => {
  const range = MONOPOLY.price - NASH.price;
  const step = (range * (1 + 2 * MARGIN)) / (PRICES - 1);
  return Math.round(1_000 * (NASH.price - MARGIN * range + at * step));
});

/** What a firm earns with price `own` if the other takes `other`. */
export const profitAt = (own: number, other: number): number => {
  const appeal = (price: number) => Math.exp((QUALITY - price / 1_000) / DIFFERENCE);
  const share = appeal(own) / (appeal(own) + appeal(other) + 1);
  return (own / 1_000 - COST) * Math.round(CONSUMERS * share);
};

/** The profits of one firm: a row for each own price, and a column for each price of the other. */
export const PROFITS: readonly (readonly number[])[] = GRID.map((own) =>
  GRID.map((other) => profitAt(own, other)),
);

/** The most profitable reply to each price of the other firm, as places in the grid. */
export const REPLIES: readonly number[] = GRID.map((_, other) => {
  const profits = PROFITS.map((row) => row[other] ?? 0);
  return profits.indexOf(Math.max(...profits));
});
