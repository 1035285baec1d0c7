import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PurchaseOrder } from "../../../src/kernel/compute/orders.ts";
import { type Clearing, clearAt, clearAuction } from "../../../src/kernel/compute/sale.ts";
import { asId } from "../../../src/kernel/index.ts";

const order = (buyer: string, ...terms: readonly [number, number, number?]): PurchaseOrder => ({
  buyer: asId(buyer),
  lots: terms[0],
  limitScrip: terms[1],
  hold: null,
  budgetMicros: terms[2] ?? 0,
});

const gets = ({ price, fills }: Clearing) => ({
  price,
  lots: Object.fromEntries(fills.map(({ order: { buyer }, lots }) => [buyer, lots])),
});

describe("an auction of lots", () => {
  it.each<readonly [string, readonly PurchaseOrder[], number, object]>([
    ["without orders", [], 1, {}],
    [
      "at the minimum, if all orders are filled",
      [order("a", 3, 9), order("b", 7, 5)],
      2,
      { a: 3, b: 7 },
    ],
    [
      "at the highest limit of a lot that is not sold",
      [order("a", 6, 9), order("b", 4, 7), order("c", 1, 5), order("d", 2, 3)],
      5,
      { a: 6, b: 4 },
    ],
    [
      "at the limit of an order that is filled in part",
      [order("a", 6, 9), order("b", 8, 5), order("c", 4, 3)],
      5,
      { a: 6, b: 4 },
    ],
    [
      "in turn to equal limits, the least model budget first",
      [order("a", 9, 5, 30), order("b", 9, 5, 10), order("c", 9, 5, 20)],
      5,
      { b: 4, c: 3, a: 3 },
    ],
    [
      "in turn, until an order has all that it asks for",
      [order("a", 1, 5), order("b", 9, 5), order("c", 3, 5)],
      5,
      { a: 1, b: 6, c: 3 },
    ],
    ["not to orders below the minimum", [order("a", 1, 1), order("b", 1, 2)], 2, { b: 1 }],
  ])("sells %s", (_, orders, price, lots) => {
    const minimumPrice = orders.length === 0 ? 1 : 2;
    expect(gets(clearAuction(orders, { lots: 10, minimumPrice }))).toEqual({ price, lots });
  });
});

const orders = fc.uniqueArray(
  fc.record({
    buyer: fc.constantFrom(..."abcdefgh"),
    lots: fc.integer({ min: 1, max: 8 }),
    limit: fc.integer({ min: 1, max: 6 }),
    budget: fc.integer({ min: 0, max: 3 }),
  }),
  { selector: ({ buyer }) => buyer },
);
const many = orders.map((list) =>
  list.map(({ buyer, lots, limit, budget }) => order(buyer, lots, limit, budget)),
);
const lots = fc.integer({ min: 1, max: 20 });

const sum = (list: readonly { readonly lots: number }[]): number =>
  list.reduce((all, each) => all + each.lots, 0);

describe("any auction", () => {
  it("sells as much as it can, to the highest limits, at one price that no buyer minds", () => {
    fc.assert(
      fc.property(many, lots, fc.integer({ min: 1, max: 3 }), (all, supply, minimumPrice) => {
        const { price, fills } = clearAuction(all, { lots: supply, minimumPrice });
        const able = all.filter(({ limitScrip }) => limitScrip >= minimumPrice);
        expect(sum(fills)).toBe(Math.min(supply, sum(able)));
        const got = new Map(fills.map((fill) => [fill.order.buyer, fill.lots]));
        for (const { buyer, limitScrip, lots: asked } of all) {
          const lotsGot = got.get(buyer) ?? 0;
          expect(lotsGot).toBeLessThanOrEqual(asked);
          if (lotsGot > 0) expect(limitScrip).toBeGreaterThanOrEqual(price);
          if (limitScrip > price) expect(lotsGot).toBe(asked);
        }
        const isScarce = sum(able) > supply;
        expect(price).toBe(
          isScarce ? able.flatMap(limitsOf).sort(descending)[supply] : minimumPrice,
        );
      }),
    );
  });

  it("deals lots one at a time to equal limits, and does not depend on the order of orders", () => {
    fc.assert(
      fc.property(many, lots, fc.integer(), (all, supply, seed) => {
        const clearing = clearAuction(all, { lots: supply, minimumPrice: 1 });
        const turned = all.toSorted((a, b) => ((seed ^ a.lots) % 3) - ((seed ^ b.lots) % 3));
        expect(gets(clearAuction(turned, { lots: supply, minimumPrice: 1 }))).toEqual(
          gets(clearing),
        );
        const above = all.filter(({ limitScrip }) => limitScrip > clearing.price);
        const at = all.filter(({ limitScrip }) => limitScrip === clearing.price);
        const dealt = oneByOne(at, supply - sum(above));
        for (const { buyer } of at) expect(gets(clearing).lots[buyer] ?? 0).toBe(dealt.get(buyer));
      }),
    );
  });
});

const limitsOf = ({ lots: count, limitScrip }: PurchaseOrder): readonly number[] =>
  Array(count).fill(limitScrip);
const descending = (a: number, b: number): number => b - a;

/** Deals single lots in rounds, as the rule says. */
const oneByOne = (at: readonly PurchaseOrder[], supply: number): ReadonlyMap<string, number> => {
  const dealt = new Map<string, number>(at.map(({ buyer }) => [buyer, 0]));
  const turn = at.toSorted(
    (a, b) => a.budgetMicros - b.budgetMicros || (a.buyer < b.buyer ? -1 : 1),
  );
  let left = supply;
  while (left > 0 && turn.some(({ buyer, lots: asked }) => (dealt.get(buyer) ?? 0) < asked)) {
    for (const { buyer, lots: asked } of turn) {
      const got = dealt.get(buyer) ?? 0;
      if (left === 0 || got === asked) continue;
      dealt.set(buyer, got + 1);
      left -= 1;
    }
  }
  return dealt;
};

describe("a sale at a fixed price", () => {
  it("serves the orders that accept the price, in turn", () => {
    const all = [order("a", 4, 3), order("b", 4, 9, 5), order("c", 4, 2)];
    expect(gets(clearAt(all, 3, 5))).toEqual({ price: 3, lots: { a: 3, b: 2 } });
  });
});
