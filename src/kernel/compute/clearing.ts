import type { PurchaseOrder } from "./orders.ts";

export type Fill = { readonly order: PurchaseOrder; readonly lots: number };
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
