import { accept, type Refused, refuse } from "../core/decision.ts";
import type { EventIn, Stamp } from "../core/event.ts";
import type { HoldId, Id } from "../core/ids.ts";
import { isObject } from "../core/json.ts";
import { isAmount, isAmountOrZero } from "../core/money.ts";
import type { StandingTerms } from "../core/physics.ts";
import { physicsOf, worldRow } from "../core/world.ts";
import { accountRefusal, holdFor, type Payment, paymentRefusal } from "../ledger/payment.ts";
import { fundsOf, type Subject, stamp } from "../ledger/subject.ts";
import type { ComputeBidEnd, ComputeDecision, ComputeEvent, ComputeEvents } from "./events.ts";
import {
  type ComputeBid,
  type ComputeTables,
  lotsLeft,
  lotsOffered,
  nextSaleAt,
  presentPrice,
  type StandingOrder,
  saleIn,
} from "./supply.ts";

/** What a principal wants to buy at a sale: up to `lots` at up to `limitScrip` each. */
export type PurchaseOrder = {
  readonly buyer: Id;
  readonly lots: number;
  readonly limitScrip: number;
  /** The hold of a bid. Null for a standing order, which pays from free scrip. */
  readonly hold: HoldId | null;
  /** The model budget of the buyer. The buyer with the least is served first. */
  readonly budgetMicros: number;
};

/**
 * Places a bid for the next sale, in place of the bidder's earlier bid. Checks, in this order: the
 * bidder's account, the amounts, the minimum price, the sum, the bidder's scrip, which must also pay
 * the fees of the request.
 */
export const decideComputeBid = (
  state: ComputeTables,
  by: Subject,
  lots: number,
  limit_price: number,
  fees: readonly Payment[],
): ComputeDecision => {
  const refused = orderRefusal(state, by);
  if (refused !== null) return refused;
  const { minimum_price } = physicsOf(state).compute;
  if (!isAmount(lots) || !isAmount(limit_price) || limit_price < minimum_price) {
    const rule = `bid 1 lot or more at ${minimum_price} scrip or more per lot`;
    return refuse("invalid_argument", `${rule}, in whole numbers`);
  }
  const amount = lots * limit_price;
  if (!isAmount(amount)) {
    const most = `bid at most ${Number.MAX_SAFE_INTEGER} scrip in all`;
    return refuse("invalid_argument", `${most}: lots × limit_price`);
  }
  const earlier = state.computeBids.get(by.actor);
  const refund = earlier === undefined ? 0 : earlier.lots * earlier.limitPrice;
  const more = Math.max(0, amount - refund);
  const payment: Payment = { from: fundsOf(state, by), to: null, amount: more, reason: "attached" };
  const poor = paymentRefusal(state, by, [...fees, payment]);
  if (poor !== null) return more === 0 ? poor : countingRefund(poor, refund);
  const purpose = { kind: "compute_bid", bidder: by.actor } as const;
  const { hold, event: held } = holdFor(state, by, purpose, amount);
  const placed: ComputeEvent = {
    ...stamp(by),
    kind: "compute_bid_placed",
    bidder: by.actor,
    lots,
    limit_price,
    hold,
  };
  const answer = { lots, limit_price, held: amount, sale_at_ms: nextSaleAt(state) };
  const replaced = earlier === undefined ? [] : withdrawal(stamp(by), earlier, "replaced");
  return accept([...replaced, held, placed], answer);
};

/** Counts the scrip of the earlier bid, which the new bid can use, on both sides of a refusal. */
const countingRefund = (poor: Refused, refund: number): Refused => {
  const { code, data } = poor.refusal;
  if (refund === 0 || !isObject(data)) return poor;
  const { required, available } = data;
  if (typeof required !== "number" || typeof available !== "number") return poor;
  const [takes, has] = [required + refund, available + refund];
  const parts = `${available} free and ${refund} in the bid that this one would replace`;
  const message = `this takes ${takes} scrip, but you have ${has}: ${parts}`;
  return refuse(code, message, { required: takes, available: has });
};

export const decideComputeCancel = (state: ComputeTables, by: Subject): ComputeDecision => {
  const bid = state.computeBids.get(by.actor);
  if (bid === undefined) {
    return refuse("not_found", `${by.actor} has no open bid for model budget`);
  }
  return accept(withdrawal(stamp(by), bid, "withdrawn"), { refunded: bid.lots * bid.limitPrice });
};

/** Returns the events that cancel a bid and return its scrip. */
export const withdrawal = (
  when: Stamp,
  { bidder, hold }: ComputeBid,
  reason: ComputeBidEnd,
): readonly ComputeEvent[] => [
  { ...when, kind: "compute_bid_cancelled", bidder, reason },
  { ...when, kind: "hold_released", hold, into: null },
];

/** Sets the actor's standing order. Checks, in this order: the account, the terms. */
export const decideStanding = (
  state: ComputeTables,
  by: Subject,
  terms: StandingTerms,
): ComputeDecision => {
  const refused = orderRefusal(state, by) ?? termsRefusal(terms);
  if (refused !== null) return refused;
  return accept([standingEvent(stamp(by), by.actor, terms)], { ...terms });
};

export const termsRefusal = ({ lots, limit_price }: StandingTerms): Refused | null =>
  isAmountOrZero(lots) && (limit_price === null || isAmountOrZero(limit_price))
    ? null
    : refuse(
        "invalid_argument",
        "lots and limit_price must be whole numbers from 0; limit_price may also be null",
      );

export const standingEvent = (
  when: Stamp,
  principal_id: Id,
  { lots, limit_price }: StandingTerms,
): EventIn<ComputeEvents, "standing_order_set"> => ({
  ...when,
  kind: "standing_order_set",
  principal_id,
  lots,
  limit_price,
});

export const orderRefusal = (state: ComputeTables, { actor }: Subject): Refused | null =>
  accountRefusal(state, actor, ", and only principals can buy");

/** Returns the standing order of a principal. Without an own order, agents have the default. */
const standingOrderOf = (state: ComputeTables, principal: Id): StandingOrder | null => {
  const own = state.standingOrders.get(principal);
  if (own !== undefined) return own;
  if (!state.agents.has(principal)) return null;
  const { lots, limit_price: limitPrice } = physicsOf(state).compute.standing;
  return { principal, lots, limitPrice };
};

/** Returns all orders for a sale: bids, and the standing orders of those who have no bid. */
export const ordersFor = (state: ComputeTables): readonly PurchaseOrder[] => {
  const bids = [...state.computeBids.rows()].map(
    ({ bidder, lots, limitPrice, hold }): PurchaseOrder => {
      const budgetMicros = budgetOf(state, bidder);
      return { buyer: bidder, lots, limitScrip: limitPrice, hold, budgetMicros };
    },
  );
  const buyers = new Set([...state.agents.keys(), ...state.standingOrders.keys()]);
  const standing = [...buyers]
    .filter((buyer) => !state.computeBids.has(buyer))
    .flatMap((buyer) => standingOrder(state, buyer) ?? []);
  return [...bids, ...standing].filter(({ buyer }) => canUse(state, buyer));
};

/** Returns the most that a principal's order pays for a lot at the next sale, or 0. */
export const offerFrom = (state: ComputeTables, buyer: Id): number =>
  state.computeBids.get(buyer)?.limitPrice ?? standingOrder(state, buyer)?.limitScrip ?? 0;

/** False for an agent that has stopped for good. */
export const canUse = (state: ComputeTables, buyer: Id): boolean =>
  state.agents.get(buyer)?.state !== "stopped";

const budgetOf = (state: ComputeTables, id: Id): number =>
  state.accounts.get(id)?.llmBudgetMicros ?? 0;

/**
 * An order for what the buyer lacks. Scrip for less than one lot at the limit lowers the limit. A
 * frozen agent whose limit is below the last price bids all its scrip for its next thought,
 * because it can do nothing else; with a limit of 0 it buys nothing.
 */
const standingOrder = (state: ComputeTables, buyer: Id): PurchaseOrder | null => {
  const terms = standingOrderOf(state, buyer);
  const free = state.accounts.get(buyer)?.scrip ?? 0;
  if (terms === null || free === 0) return null;
  const { lot_micros } = physicsOf(state).compute;
  const budgetMicros = budgetOf(state, buyer);
  const needs = state.agents.get(buyer)?.needs;
  const least = needs?.lacks === "llm_budget" ? needs.amount : 0;
  const lotsFor = (micros: number) => Math.max(0, Math.ceil((micros - budgetMicros) / lot_micros));
  const needed = lotsFor(least);
  const isRescue =
    needed > 0 && terms.limitPrice !== null && terms.limitPrice < presentPrice(state);
  const missing = isRescue ? needed : Math.max(needed, lotsFor(terms.lots * lot_micros));
  if (missing === 0 || terms.limitPrice === 0) return null;
  const asMuch = Math.max(1, Math.floor(free / missing));
  const limitScrip = isRescue ? asMuch : Math.min(terms.limitPrice ?? asMuch, free);
  const lots = Math.min(missing, Math.floor(free / limitScrip));
  return { buyer, lots, limitScrip, hold: null, budgetMicros };
};

/** Returns what a principal sees of the sale of model budget. The orders of others are secret. */
export const computeFor = (state: ComputeTables, id: Id) => {
  const physics = physicsOf(state);
  const { period_ms, lot_micros, minimum_price } = physics.compute;
  const sale = saleIn(physics);
  const bid = state.computeBids.get(id);
  const standing = standingOrderOf(state, id);
  return {
    sale,
    /** The posted price, or the price of the last auction. */
    price: presentPrice(state),
    /** Null in a world that sells nothing. */
    next_sale_at_ms: sale === "none" ? null : nextSaleAt(state),
    lots: lotsOffered(state),
    /** The lots that `buy` can still buy in this period. Null unless the sale is posted. */
    lots_left: sale === "posted" ? lotsLeft(state) : null,
    lot_micros,
    period_ms,
    minimum_price,
    bid: bid === undefined ? null : { lots: bid.lots, limit_price: bid.limitPrice },
    standing: standing === null ? null : { lots: standing.lots, limit_price: standing.limitPrice },
  };
};

/** Returns the newest sales, newest first. */
export const saleHistory = (state: ComputeTables, limit: number) =>
  worldRow(state)
    .compute.results.slice(-limit)
    .reverse()
    .map(({ atMs: at_ms, ...result }) => ({ ...result, at_ms }));
