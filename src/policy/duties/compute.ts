import type { View } from "../../kernel/index.ts";
import { call } from "../core/policy.ts";
import type { Duty, DutySituation } from "./duty.ts";

/** A new agent values its thoughts as if it had earned this much scrip with this many thoughts. */
const PRIOR = { scrip: 6, thoughts: 20 };
/** An agent without income pays this share of its scrip for a lot. */
const SAVINGS_SHARE = 0.03;
/** The largest share of its scrip that an agent bids for all its lots, and to avoid a freeze. */
const STOCK_SHARE = 0.5;
const RESCUE_SHARE = 0.3;
/** The stock that an agent wants, in periods of the sale. */
const STOCK_PERIODS = 2;
/** An order changes if its limit is wrong by more than this share. */
const TOLERANCE = 0.2;

type Terms = { readonly lots: number; readonly limit: number };

/**
 * Sets a standing order for model budget when the budget runs low. The limit is what the thoughts
 * of a lot earn on average, or a share of the savings if that is more. An agent that is outbid and
 * will soon be frozen bids more for one lot, because a frozen agent earns nothing.
 */
export const orderCompute: Duty = (here) => {
  const { view, memory, thoughtMicros } = here;
  const { compute, now } = view;
  if (thoughtMicros === 0 || (compute.sale !== "auction" && compute.sale !== "posted")) return null;
  const wanted = termsOf(here);
  if (wanted === null || !differs(wanted, compute.standing)) return null;
  if (now - memory.orderedAt < compute.period_ms / 2) return null;
  const { lots, limit } = wanted;
  return {
    action: call("genesis_compute.standing", [lots, limit]),
    why: `a lot of model budget earns about ${limit}; the price is ${compute.price}`,
    memory: { ...memory, orderedAt: now },
  };
};

/** Returns the order that the agent wants, or null if its model budget is large enough for now. */
const termsOf = (here: DutySituation): Terms | null => {
  const { view, memory, thoughtMicros } = here;
  const { compute, account, agent, horizonMs, now } = view;
  const { lot_micros, period_ms, next_sale_at_ms, minimum_price, price } = compute;
  const { thoughts } = agent.counters;
  const stock = account.llmBudgetMicros / thoughtMicros;
  const target = memory.pace * Math.min(horizonMs - now, STOCK_PERIODS * period_ms);
  if (target < 1 || stock > target + memory.pace * period_ms) return null;
  const thoughtsPerLot = lot_micros / thoughtMicros;
  const earned = (memory.earned + PRIOR.scrip) / (thoughts + PRIOR.thoughts);
  const worth = Math.max(earned * thoughtsPerLot, account.scrip * SAVINGS_SHARE);
  const lots = Math.max(1, Math.ceil(target / thoughtsPerLot));
  const limit = Math.min(worth, (account.scrip * STOCK_SHARE) / lots);
  const order = { lots, limit: Math.max(minimum_price, Math.floor(limit)) };
  const isUrgent = stock < memory.pace * ((next_sale_at_ms ?? now) - now + period_ms);
  if (!isUrgent || order.limit > price) return order;
  const rescue = Math.floor(account.scrip * RESCUE_SHARE);
  return rescue > order.limit ? { lots: 1, limit: rescue } : order;
};

const differs = ({ lots, limit }: Terms, order: View["compute"]["standing"]): boolean => {
  if (order === null || order.limit_price === null || order.lots !== lots) return true;
  return Math.abs(order.limit_price - limit) > TOLERANCE * order.limit_price;
};
