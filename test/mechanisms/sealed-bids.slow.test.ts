import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draw, seedPrng } from "../../src/kernel/index.ts";
import type { TestWorld } from "../support/test-world.ts";
import { ask, install, mechanismWorlds, pays } from "./mechanism-world.ts";

const newWorld = mechanismWorlds({ isAudited: false });
const RULES = ["vickrey", "first-price"] as const;
const BIDDERS = ["bob", "carol", "dave", "erin", "frank"] as const;
const SCRIP = 1_000_000_000;

type Sale = { readonly winner: string | null; readonly price: number | null };

/** A house of auctions in which alice sells one new note after the other. */
class House {
  readonly v: TestWorld;
  #sold = 0;

  constructor(rule: (typeof RULES)[number]) {
    this.v = newWorld(Object.fromEntries(["alice", ...BIDDERS].map((id) => [id, SCRIP])));
    install(this.v, "house", rule);
  }

  /** One auction: bids in order, each for the bidder at its place. 0: this bidder does not bid. */
  sell(bids: readonly number[], reserve = 1): Sale {
    const { v } = this;
    this.#sold += 1;
    const note = `note_${this.#sold}`;
    v.must(v.writes("alice", note, { content: "x" }));
    const attach = { artifacts: [note] };
    const { lot } = ask(v, "alice", "house.open", [reserve, 10], { attach }) as { lot: number };
    for (const [at, bid] of bids.entries()) {
      const who = BIDDERS[at] ?? "";
      if (bid >= reserve) v.must(pays(v, who, "house.bid", bid + at, [lot, bid]));
    }
    v.atMs += 10_000;
    const { winner, price } = ask(v, "dave", "house.settle", [lot]) as Sale;
    const owner = winner ?? "alice";
    if (owner !== "dave") ask(v, owner, "house.settle", [lot]);
    expect([v.owner(note), v.scrip("house")]).toEqual([owner, 0]);
    v.must(v.calls(owner, "genesis_store.delete", [note]));
    return { winner, price };
  }
}

describe.each(RULES)("the %s auction", (rule) => {
  it("gives the lot to the first highest bid, at its price, and refunds the others", () => {
    const house = new House(rule);
    const bid = fc.integer({ min: 0, max: 6 });
    fc.assert(
      fc.property(
        fc.array(bid, { minLength: 1, maxLength: BIDDERS.length }),
        fc.integer({ min: 1, max: 4 }),
        (bids, reserve) => {
          const before = house.v.scrips("alice", ...BIDDERS);
          const valid = bids.filter((each) => each >= reserve).sort((a, b) => b - a);
          const [first = null, second = reserve] = valid;
          const price = first === null ? null : rule === "vickrey" ? second : first;
          const winner = first === null ? null : (BIDDERS[bids.indexOf(first)] ?? null);
          expect(house.sell(bids, reserve)).toEqual({ winner, price });
          const gains = house.v.scrips("alice", ...BIDDERS).map((scrip, at) => {
            return (scrip ?? 0) - (before[at] ?? 0);
          });
          const paid = BIDDERS.map((id) => (id === winner ? -(price ?? 0) : 0));
          expect(gains).toEqual([price ?? 0, ...paid.map((each) => each + 0)]);
        },
      ),
      { numRuns: 40 },
    );
  });
});

it("makes it weakly dominant to bid the value in a Vickrey auction, but not in the other", () => {
  const VALUES = [1, 2, 3, 4];
  const hasBetter = (rule: (typeof RULES)[number]): boolean => {
    const house = new House(rule);
    // The other bids come before and after that of carol, so that ties fall both ways.
    const others = VALUES.flatMap((rival) => [
      [rival, 0],
      [0, rival],
    ]);
    return others.some(([before = 0, after = 0]) => {
      const sales = VALUES.map((bid) => house.sell([before, bid, after]));
      const gainOf = (value: number, bid: number): number => {
        const { winner, price } = sales[bid - 1] ?? { winner: null, price: null };
        return winner === "carol" ? value - (price ?? 0) : 0;
      };
      return VALUES.some((value) =>
        VALUES.some((bid) => gainOf(value, bid) > gainOf(value, value)),
      );
    });
  };
  expect([hasBetter("vickrey"), hasBetter("first-price")]).toEqual([false, true]);
});

/** Bidders with values from the uniform distribution on 0 to 1, times this. */
const SCALE = 100_000;
const AUCTIONS = 100;

it.each(RULES)("%s sells for (n - 1) / (n + 1) on average, with uniform values", (rule) => {
  const house = new House(rule);
  let prng = seedPrng(1, rule);
  for (const n of [2, 4]) {
    let revenue = 0;
    for (let k = 0; k < AUCTIONS; k++) {
      const bids = Array.from({ length: n }, () => {
        const [value, next] = draw(prng);
        prng = next;
        // In equilibrium, a bidder bids its value, or in a first-price auction this share of it.
        const share = rule === "vickrey" ? 1 : (n - 1) / n;
        return Math.max(1, Math.floor(value * share * SCALE));
      });
      revenue += (house.sell(bids).price ?? 0) / SCALE;
    }
    // The standard deviation of the revenue is at most that of the second of two values, 0.236.
    const error = 0.236 / Math.sqrt(AUCTIONS);
    expect(Math.abs(revenue / AUCTIONS - (n - 1) / (n + 1))).toBeLessThan(4 * error);
  }
});
