import fc from "fast-check";
import { expect, it } from "vitest";
import { ask, install, mechanismWorlds, pays, unitsOf } from "./mechanism-world.ts";

const newWorld = mechanismWorlds({ isAudited: false });
const TRADERS = ["alice", "bob", "carol", "dave", "erin", "frank"] as const;
const SCRIP = 10_000_000;
const UNITS = 100_000;
const PRICE_MAX = 10;

const order = fc.record({
  side: fc.constantFrom("buy" as const, "sell" as const),
  by: fc.constantFrom(...TRADERS),
  price: fc.integer({ min: 1, max: PRICE_MAX }),
  units: fc.integer({ min: 1, max: 5 }),
});
type Order = typeof order extends fc.Arbitrary<infer O> ? O : never;

const unitsWhere = (orders: readonly Order[], isIn: (order: Order) => boolean): number =>
  orders.filter(isIn).reduce((sum, { units }) => sum + units, 0);

/** The price by trying every price. It shares no code with the mechanism. */
const bruteForce = (orders: readonly Order[]) => {
  const tried = Array.from({ length: PRICE_MAX + 1 }, (_, at) => {
    const price = at + 1;
    const demand = unitsWhere(orders, ({ side, price: limit }) => side === "buy" && limit >= price);
    const supply = unitsWhere(
      orders,
      ({ side, price: limit }) => side === "sell" && limit <= price,
    );
    return { price, units: Math.min(demand, supply), gap: Math.abs(demand - supply) };
  });
  const units = Math.max(...tried.map((each) => each.units));
  if (units === 0) return { price: null, units: 0 };
  const most = tried.filter((each) => each.units === units);
  const gap = Math.min(...most.map((each) => each.gap));
  const prices = most.filter((each) => each.gap === gap).map(({ price }) => price);
  return { price: Math.floor((Math.min(...prices) + Math.max(...prices)) / 2), units };
};

/** How many units each order trades: better limits first, then earlier orders. */
const fillsOf = (orders: readonly Order[], volume: number): ReadonlyMap<Order, number> => {
  const fills = new Map<Order, number>();
  for (const side of ["buy", "sell"] as const) {
    const sign = side === "buy" ? -1 : 1;
    const queue = orders
      .map((each, at) => ({ each, at }))
      .filter(({ each }) => each.side === side)
      .sort((a, b) => sign * (a.each.price - b.each.price) || a.at - b.at);
    let left = volume;
    for (const { each } of queue) {
      fills.set(each, Math.min(left, each.units));
      left -= Math.min(left, each.units);
    }
  }
  return fills;
};

it("clears at the price of a brute-force search, and pays and refunds to the last scrip", () => {
  const v = newWorld(Object.fromEntries(TRADERS.map((id) => [id, SCRIP])));
  const initial = Object.fromEntries(TRADERS.map((id) => [id, UNITS]));
  install(v, "wheat", "token", { initial });
  install(v, "market", "call-market", { good: "wheat", period_s: 10 });
  for (const who of TRADERS) ask(v, who, "wheat.approve", ["market", UNITS]);
  v.atMs = 10_000;
  fc.assert(
    fc.property(fc.array(order, { minLength: 1, maxLength: 30 }), (orders) => {
      const scrip = new Map(TRADERS.map((id) => [id, v.scrip(id) ?? 0]));
      const units = new Map(Object.entries(unitsOf(v, "wheat")));
      for (const { side, by, price, units: wanted } of orders) {
        const args = [price, wanted];
        const isBuy = side === "buy";
        v.must(pays(v, by, `market.${side}`, isBuy ? price * wanted : 0, args));
      }
      v.atMs += 10_000;
      const { price, units: volume } = bruteForce(orders);
      expect(ask(v, "alice", "market.clear")).toMatchObject({ price, units: volume });
      for (const [{ side, by }, filled] of fillsOf(orders, volume)) {
        const sign = side === "buy" ? 1 : -1;
        units.set(by, (units.get(by) ?? 0) + sign * filled);
        scrip.set(by, (scrip.get(by) ?? 0) - sign * filled * (price ?? 0));
      }
      expect(v.scrips(...TRADERS, "market")).toEqual([...scrip.values(), 0]);
      const held = unitsOf(v, "wheat");
      expect(TRADERS.map((id) => held[id])).toEqual(TRADERS.map((id) => units.get(id)));
      expect(held.market).toBeUndefined();
    }),
    { numRuns: 30 },
  );
});

it("pays more parties than one call can, in the calls that follow", () => {
  const crowd = Array.from({ length: 100 }, (_, n) => `agent_${n}`);
  const v = newWorld(Object.fromEntries(["alice", ...crowd].map((id) => [id, 1_000])));
  install(v, "wheat", "token", { initial: { alice: 1_000 } });
  install(v, "market", "call-market", { good: "wheat", period_s: 10 });
  ask(v, "alice", "wheat.approve", ["market", 1_000]);
  v.must(v.calls("alice", "market.sell", [2, 60]));
  for (const who of crowd) v.must(pays(v, who, "market.buy", 3, [3, 1]));
  v.atMs = 20_000;
  expect(ask(v, "alice", "market.clear")).toMatchObject({ units: 60, buyers: 60, sellers: 1 });
  const paid = () => crowd.filter((id) => v.scrip(id) !== 997).length;
  expect(paid()).toBeLessThan(100);
  for (let n = 0; n < 3; n++) ask(v, "alice", "market.collect");
  // Demand is 100 at every price from 2 to 3, so the middle, rounded down, is 2.
  const holders = ask(v, "alice", "wheat.status") as { holders: number };
  expect([paid(), holders.holders]).toEqual([100, 61]);
  expect([...new Set(crowd.map((id) => v.scrip(id)))].sort()).toEqual([1_000, 998]);
  expect(v.scrips("alice", "market")).toEqual([1_120, 0]);
});
