import { unfrozen } from "../agent/events.ts";
import { accept, refuse } from "../core/decision.ts";
import type { Stamp } from "../core/event.ts";
import { isAmount } from "../core/money.ts";
import { physicsOf, worldRow } from "../core/world.ts";
import { type Payment, paymentRefusal } from "../ledger/payment.ts";
import { fundsOf, type Subject, stamp } from "../ledger/subject.ts";
import { sharingOf } from "../mint/proceeds.ts";

import type { ComputeDecision, ComputeEvent } from "./events.ts";
import { canUse, orderRefusal, ordersFor, type PurchaseOrder, withdrawal } from "./orders.ts";
import {
  type ComputeBid,
  type ComputeTables,
  lotsLeft,
  lotsOffered,
  microsOffered,
  nextSaleAt,
  offersCompute,
} from "./supply.ts";

/**
 * Executes the sale at the end of a period: all orders of an auction, the standing orders of a
 * posted sale, or an equal division. Ends all bids, and shares or burns what was paid.
 */
export const decideSale = (
  state: ComputeTables,
  { at_ms }: { readonly at_ms: number },
): ComputeDecision => {
  if (!offersCompute(state)) return refuse("not_found", "this world sells no model budget");
  const dueMs = nextSaleAt(state);
  if (at_ms < dueMs) return refuse("invalid_argument", `the next sale is at ${dueMs / 1_000} s`);
  const when = { at_ms, principal: null };
  return physicsOf(state).compute.sale === "equal" ? divide(state, when) : sell(state, when);
};

const sell = (state: ComputeTables, when: Stamp): ComputeDecision => {
  const { sale, minimum_price, posted_price, proceeds: use } = physicsOf(state).compute;
  const orders = ordersFor(state);
  const offered = lotsOffered(state);
  const { price, fills } =
    sale === "posted"
      ? clearAt(orders, posted_price, offered)
      : clearAuction(orders, { lots: offered, minimumPrice: minimum_price });
  const result = { price, offered, asked: lotsIn(orders), sold: lotsIn(fills) };
  const bought = fills.flatMap((fill) => purchase(state, when, fill, price));
  const paid = result.sold * price;
  const shares = sharingOf(state, when.at_ms, paid, use, null);
  const bids = [...state.computeBids.rows()];
  const isVoid = ({ bidder }: ComputeBid): boolean => !canUse(state, bidder);
  const voided = bids.filter(isVoid).flatMap((bid) => withdrawal(when, bid, "stopped"));
  const refunds = bids
    .filter((bid) => !isVoid(bid))
    .map(({ hold }): ComputeEvent => ({ ...when, kind: "hold_released", hold, into: null }));
  const opened = opening(state, when, result);
  return accept([...voided, opened, ...bought, ...refunds, ...shares], result);
};

/** Divides the supply among all agents that have not stopped. The remainder is not issued. */
const divide = (state: ComputeTables, when: Stamp): ComputeDecision => {
  const agents = [...state.agents.rows()]
    .filter((agent) => agent.state !== "stopped")
    .sort((a, b) => a.order - b.order);
  const micros = agents.length === 0 ? 0 : Math.floor(microsOffered(state) / agents.length);
  const shares = micros === 0 ? [] : agents;
  const grants = shares.flatMap(({ id: to }): readonly ComputeEvent[] => [
    { ...when, kind: "compute_granted", to, micros },
    ...unfrozen(state, when, to, "llm_budget", micros),
  ]);
  const result = { price: null, offered: 0, asked: 0, sold: 0 };
  return accept([opening(state, when, result), ...grants], { micros });
};

/** The result of a sale. `price` is null and all lots are 0 if the supply is divided. */
type Result = {
  readonly price: number | null;
  readonly offered: number;
  readonly asked: number;
  readonly sold: number;
};

/** Returns the event that ends all bids and begins the next period. */
const opening = (state: ComputeTables, when: Stamp, result: Result): ComputeEvent => ({
  ...when,
  kind: "compute_sold",
  sale: worldRow(state).compute.sales,
  ...result,
});

const purchase = (
  state: ComputeTables,
  when: Stamp,
  { order, lots }: Fill,
  price: number,
): readonly ComputeEvent[] => {
  const { buyer, hold } = order;
  const micros = lots * physicsOf(state).compute.lot_micros;
  return [
    { ...when, kind: "compute_bought", buyer, lots, price, micros, hold },
    ...unfrozen(state, when, buyer, "llm_budget", micros),
  ];
};

const lotsIn = (list: readonly { readonly lots: number }[]): number =>
  list.reduce((sum, { lots }) => sum + lots, 0);

/** Buys at the posted price. Checks: the account, the amount, the supply, the scrip with the fees. */
export const decideBuy = (
  state: ComputeTables,
  by: Subject,
  lots: number,
  fees: readonly Payment[],
): ComputeDecision => {
  const refused = orderRefusal(state, by);
  if (refused !== null) return refused;
  if (!isAmount(lots)) return refuse("invalid_argument", "buy 1 lot or more, in whole numbers");
  const left = lotsLeft(state);
  if (lots > left) {
    const more = `the next period begins at ${nextSaleAt(state) / 1_000} s`;
    const data = { required: lots, available: left };
    return refuse("quota_exceeded", `${left} lots are left, less than ${lots}; ${more}`, data);
  }
  const { posted_price: price, lot_micros, proceeds: use } = physicsOf(state).compute;
  const cost = lots * price;
  const payment: Payment = { from: fundsOf(state, by), to: null, amount: cost, reason: "attached" };
  const poor = paymentRefusal(state, by, [...fees, payment]);
  if (poor !== null) return poor;
  const order = { buyer: by.actor, lots, limitScrip: price, hold: null, budgetMicros: 0 };
  const bought = purchase(state, stamp(by), { order, lots }, price);
  const shares = sharingOf(state, by.atMs, cost, use, null);
  return accept([...bought, ...shares], { lots, price, paid: cost, micros: lots * lot_micros });
};

type Fill = { readonly order: PurchaseOrder; readonly lots: number };
export type Clearing = { readonly price: number; readonly fills: readonly Fill[] };

/**
 * Clears an auction of equal lots at one price. The price is the highest limit of a lot that is not
 * sold, or `minimumPrice` if all are sold. Orders above the price are filled. Orders at the price
 * share the remaining lots in turn.
 */
export const clearAuction = (
  orders: readonly PurchaseOrder[],
  { lots, minimumPrice }: { readonly lots: number; readonly minimumPrice: number },
): Clearing => {
  const ranked = orders
    .filter(({ limitScrip }) => limitScrip >= minimumPrice)
    .sort((a, b) => b.limitScrip - a.limitScrip || inTurn(a, b));
  const price = limitOfLot(ranked, lots) ?? minimumPrice;
  const above = ranked.filter(({ limitScrip }) => limitScrip > price);
  const at = ranked.filter(({ limitScrip }) => limitScrip === price);
  const left = lots - sumOf(above);
  const fills = above.map((order) => ({ order, lots: order.lots }));
  return { price, fills: [...fills, ...rationed(at, left)] };
};

/** Sells lots at a fixed price. The orders that accept this price share the lots in turn. */
export const clearAt = (
  orders: readonly PurchaseOrder[],
  price: number,
  lots: number,
): Clearing => {
  const able = orders.filter(({ limitScrip }) => limitScrip >= price);
  return { price, fills: rationed(able.sort(inTurn), lots) };
};

const inTurn = (a: PurchaseOrder, b: PurchaseOrder): number =>
  a.budgetMicros - b.budgetMicros || (a.buyer < b.buyer ? -1 : 1);

const sumOf = (orders: readonly PurchaseOrder[]): number =>
  orders.reduce((sum, { lots }) => sum + lots, 0);

/** Returns the limit of the lot at an index, with the lots sorted by their limits. */
const limitOfLot = (ranked: readonly PurchaseOrder[], index: number): number | undefined => {
  let before = 0;
  return ranked.find(({ lots }) => {
    before += lots;
    return before > index;
  })?.limitScrip;
};

/** Deals one lot to each order in turn, in the order of `orders`, until no lot or order is left. */
const rationed = (orders: readonly PurchaseOrder[], lots: number): readonly Fill[] => {
  const dealt = new Map(orders.map((order) => [order, 0]));
  let left = lots;
  for (;;) {
    const open = orders.filter((order) => (dealt.get(order) ?? 0) < order.lots);
    if (open.length === 0 || left === 0) break;
    // Deals several rounds at once. In the last round, the first orders get one lot each.
    const rounds = Math.max(1, Math.floor(left / open.length));
    for (const order of open.slice(0, left)) {
      const before = dealt.get(order) ?? 0;
      const more = Math.min(rounds, order.lots - before);
      dealt.set(order, before + more);
      left -= more;
    }
  }
  return [...dealt].flatMap(([order, got]) => (got === 0 ? [] : [{ order, lots: got }]));
};
