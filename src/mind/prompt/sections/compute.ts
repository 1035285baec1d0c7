import type { View } from "../../../kernel/index.ts";
import { seconds, usd } from "../../../model/index.ts";
import { section } from "../prompt.ts";

const scripEach = (limit: number | null): string =>
  limit === null ? "up to all your scrip" : `up to ${limit} scrip per lot`;

const offerLine = ({ compute, now }: View): string => {
  const { sale, lots, lots_left, lot_micros, minimum_price, price, next_sale_at_ms } = compute;
  const inTime = `in ${seconds(Math.max(0, (next_sale_at_ms ?? now) - now))}`;
  const supply = `${lots} lots of ${usd(lot_micros)}`;
  switch (sale) {
    case "auction":
      return `${supply} are auctioned ${inTime}. Last price: ${price}, minimum: ${minimum_price}.`;
    case "posted":
      return `${lots_left} lots of ${usd(lot_micros)} are left at ${price} scrip; more ${inTime}.`;
    case "equal":
      return `The world gives every agent an equal share of model budget ${inTime}.`;
    case "none":
      return "";
  }
};

const stockLine = ({ compute, account, agent }: View): string => {
  const { thoughts, thoughtsFailed, spentMicros } = agent.counters;
  const micros = account.llmBudgetMicros;
  const lots = (micros / compute.lot_micros).toFixed(1);
  if (spentMicros === 0) return `Your budget is worth ${lots} lots.`;
  const left = Math.floor((micros * (thoughts + thoughtsFailed)) / spentMicros);
  return `Your budget is worth ${lots} lots, or about ${left} thoughts at your average cost.`;
};

const orderLines = ({ compute: { sale, bid, standing } }: View): readonly string[] => {
  if (sale === "equal" || standing === null) return [];
  const { lots, limit_price } = standing;
  const buys = lots === 0 ? "buys only when you are frozen" : `keeps ${lots} lots in stock`;
  const order = `Your standing order ${buys}, at ${scripEach(limit_price)}.`;
  if (sale === "posted") return [order];
  return bid === null
    ? [`You have no bid. ${order}`]
    : [`Your bid: ${bid.lots} lots, at ${scripEach(bid.limit_price)}. ${order}`];
};

export const computeSections = {
  compute: section(
    { title: "Model budget for sale: genesis_compute", priority: 79, tokensMax: 160 },
    ({ view }) =>
      view.compute.sale === "none" ? [] : [offerLine(view), stockLine(view), ...orderLines(view)],
  ),
};
