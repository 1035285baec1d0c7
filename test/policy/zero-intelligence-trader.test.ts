import { describe, expect, it } from "vitest";
import type { Json } from "../../src/kernel/index.ts";
import { type Seen, viewWith } from "../support/view.ts";

import { type Decided, decide, invocation, live, mind } from "./thinkers.ts";

const trader = (policy: object) => mind("policy/zero_intelligence_trader", policy);

/** An order book with which no order trades, so that each turn replaces the last order. */
const empty = (action: Json): Seen => ({
  acted: true,
  lastResult: JSON.stringify({
    order: invocation(action)?.args.length ?? 0,
    filled: 0,
    waiting: 1,
  }),
});

/** An order book in which each order trades at once. */
const deep = (): Seen => ({ acted: true, lastResult: '{"order":1,"filled":1,"waiting":0}' });

const pricesOf = (thoughts: readonly Decided[]): readonly number[] =>
  thoughts.flatMap(({ action }) => {
    const call = invocation(action);
    return call?.method === "buy" || call?.method === "sell" ? [Number(call.args[0])] : [];
  });

describe("a constrained zero-intelligence trader", () => {
  it("bids any price up to the worth of its unit, and attaches it", () => {
    const thoughts = live(trader({ units: [30] }), { turns: 400 }, empty);
    const prices = pricesOf(thoughts);
    expect([Math.min(...prices), Math.max(...prices), new Set(prices).size]).toEqual([1, 30, 30]);
    const bids = thoughts
      .map(({ action }) => invocation(action))
      .filter((c) => c?.method === "buy");
    expect(bids.every((call) => call?.attach.scrip === call?.args[0])).toBe(true);
  });

  it("asks any price from the cost of its unit to the highest", () => {
    const asker = trader({ side: "seller", units: [181], price_max: 200 });
    const prices = pricesOf(live(asker, { turns: 400 }, empty));
    expect([Math.min(...prices), Math.max(...prices)]).toEqual([181, 200]);
  });

  it("never bids more scrip than it has", () => {
    const prices = pricesOf(live(trader({ units: [150] }), { turns: 200, scrip: 9 }, empty));
    expect(Math.max(...prices)).toBe(9);
  });
});

it("an unconstrained trader takes any price", () => {
  const free = { constrained: false, price_max: 50, units: [30] };
  const bids = pricesOf(live(trader(free), { turns: 800 }, empty));
  const asks = pricesOf(live(trader({ ...free, side: "seller" }), { turns: 800 }, empty));
  expect([Math.max(...bids), Math.min(...asks)]).toEqual([50, 1]);
});

describe("a zero-intelligence trader", () => {
  it("trades each unit once, within its own limit, and then rests", () => {
    const thoughts = live(trader({ units: [40, 20, 5] }), { turns: 5 }, deep);
    const [first = 0, second = 0, third = 0] = pricesOf(thoughts);
    expect([first <= 40, second <= 20, third <= 5]).toEqual([true, true, true]);
    expect(thoughts.slice(3).map(({ action }) => action)).toEqual([{ noop: {} }, { noop: {} }]);
  });

  it("starts again with its first unit in each period", () => {
    const again = trader({ units: [40], period_s: 2 });
    const methods = live(again, { turns: 6 }, deep).map(
      ({ action }) => invocation(action)?.method ?? "noop",
    );
    expect(methods).toEqual(["buy", "noop", "buy", "noop", "buy", "noop"]);
  });

  it("cancels an order that waits, and counts an order that has gone as filled", () => {
    const one = trader({ units: [40, 20] });
    const ordered = decide(one, viewWith());
    const waits = { mind: ordered.memory, acted: true, lastResult: '{"order":7,"filled":0}' };
    const cancels = decide(one, viewWith(waits));
    expect(invocation(cancels.action)).toMatchObject({ method: "cancel", args: [7] });
    const after = (seen: Seen) =>
      decide(one, viewWith({ ...seen, mind: cancels.memory, acted: true }));
    const gone = { lastCode: "rejected_by_artifact", lastResult: '{"code":"not_found"}' };
    expect(JSON.stringify(after(gone).memory)).toContain('"traded":1');
    expect(JSON.stringify(after({ lastResult: '{"order":7}' }).memory)).toContain('"traded":0');
    const busy = after({ lastCode: "rate_limited", lastResult: "null" });
    expect(invocation(busy.action)).toMatchObject({ method: "cancel", args: [7] });
  });

  it("lets the market take its units before it sells", () => {
    const seller = trader({ side: "seller", good: "wheat", units: [4, 4] });
    const methods = live(seller, { turns: 2 }, deep).map(({ action }) => {
      const call = invocation(action);
      return `${call?.artifact_id}.${call?.method}`;
    });
    expect(methods).toEqual(["wheat.approve", "market.sell"]);
  });

  it("reads no part of its view that grows with the world", () => {
    const costly = ["market", "texts", "owned", "events", "mint", "tasks", "principals"];
    const view = new Proxy(viewWith(), {
      get: (target, part) => {
        expect(costly).not.toContain(part);
        return Reflect.get(target, part);
      },
    });
    expect(decide(trader({ units: [4] }), view).kind).toBe("decided");
  });
});
