import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/kernel/index.ts";
import type { Outcome } from "../../src/world/index.ts";
import type { TestWorld } from "../support/test-world.ts";
import { ask, install, mechanismWorlds, refusalCode, unitsOf } from "./mechanism-world.ts";

const newWorld = mechanismWorlds({ isAudited: false });
const PEOPLE = ["alice", "bob", "carol", "dave", "erin"] as const;
const ROUND_MS = 10_000;

/** The stock of GovSim: 100, doubles each month up to 100, and is lost below 5. */
const FISHERY = {
  capacity: 100,
  initial: 100,
  growth: "exponential",
  growth_percent: 100,
  collapse_below: 5,
  members: [],
  most: 1_000_000,
};

type Status = { readonly stock: number; readonly collapsed: boolean };
type Wants = readonly (readonly [who: string, units: number])[];

/** A new commons in a world, and its token. Its rounds last 10 s. */
class Commons {
  static #made = 0;
  readonly id = `commons_${++Commons.#made}`;
  readonly fish = `fish_${Commons.#made}`;
  readonly v: TestWorld;

  constructor(v: TestWorld, settings: JsonObject = {}, issuer?: string) {
    this.v = v;
    install(v, this.fish, "token", { issuer: issuer ?? this.id });
    install(v, this.id, "commons", { good: this.fish, period_s: 10, ...FISHERY, ...settings });
  }

  asks(who: string, units: number): Outcome {
    return this.v.calls(who, `${this.id}.harvest`, [units]);
  }

  /** All ask in this round, and the next round begins, or one after some `empty` rounds. */
  round(wants: Wants, empty = 0): Status {
    for (const [who, units] of wants) this.v.must(this.asks(who, units));
    this.v.atMs += ROUND_MS * (1 + empty);
    return ask(this.v, "alice", `${this.id}.status`) as Status;
  }

  get held(): { readonly [id: string]: number } {
    return unitsOf(this.v, this.fish);
  }
}

const world = (): TestWorld => newWorld(Object.fromEntries(PEOPLE.map((id) => [id, 10])));

const all = (units: number): Wants => PEOPLE.map((id) => [id, units] as const);

describe("the commons of GovSim", () => {
  it("survives 12 rounds if each of five takes 10, and pays 600", () => {
    const commons = new Commons(world());
    for (let month = 0; month < 12; month++) {
      expect(commons.round(all(10)).stock).toBe(100);
    }
    expect(commons.held).toEqual(Object.fromEntries(PEOPLE.map((id) => [id, 120])));
  });

  it("pays 650 in 12 rounds if all take the rest in the last one, which no other plan exceeds", () => {
    const commons = new Commons(world());
    for (let month = 0; month < 11; month++) commons.round(all(10));
    expect(commons.round(all(20))).toMatchObject({ collapsed: true });
    expect(Object.values(commons.held).reduce((sum, units) => sum + units)).toBe(650);
    // Dynamic programming over all stocks: the most that `rounds` harvests can take.
    const best = (rounds: number): readonly number[] => {
      if (rounds === 0) return Array.from({ length: 101 }, () => 0);
      const later = best(rounds - 1);
      return later.map((_, stock) =>
        Math.max(
          ...Array.from({ length: stock + 1 }, (_each, taken) => {
            const left = stock - taken;
            return taken + (later[left < 5 ? 0 : Math.min(100, 2 * left)] ?? 0);
          }),
        ),
      );
    };
    expect(best(12)[100]).toBe(650);
  });

  it("is lost if fewer than 5 are left, and then no one can harvest", () => {
    const commons = new Commons(world());
    expect(commons.round([["alice", 95]])).toMatchObject({ stock: 10, collapsed: false });
    expect(commons.round([["bob", 6]])).toMatchObject({ stock: 0, collapsed: true });
    expect(refusalCode(commons.asks("bob", 1))).toBe("collapsed");
    expect(commons.held).toEqual({ alice: 95, bob: 6 });
  });
});

const wants = fc.dictionary(fc.constantFrom(...PEOPLE), fc.integer({ min: 1, max: 60 }));
const rounds = fc.array(fc.record({ wants, empty: fc.integer({ min: 0, max: 3 }) }), {
  minLength: 1,
  maxLength: 8,
});

/** Gives one unit to everyone who wants more, as long as there is one for each of them. */
const dealt = (stock: number, asked: { readonly [id: string]: number }) => {
  const got = new Map(Object.keys(asked).map((id) => [id, 0]));
  let left = stock;
  for (;;) {
    const hungry = [...got].filter(([id, units]) => units < (asked[id] ?? 0));
    if (hungry.length === 0 || hungry.length > left) return { got: Object.fromEntries(got), left };
    for (const [id, units] of hungry) got.set(id, units + 1);
    left -= hungry.length;
  }
};

/** Growth in exact fractions of BigInts. */
const grownBy = (kind: string, percent: number, left: number): number => {
  if (left < 5) return 0;
  const [s, k] = [BigInt(left), 100n];
  const growth = (BigInt(percent) * s * (kind === "logistic" ? k - s : k)) / (100n * k);
  return Number(s + growth > k ? k : s + growth);
};

it("deals and grows as an independent computation says, in rounds of any order", () => {
  const growths = fc.constantFrom("exponential", "logistic");
  const percents = fc.constantFrom(10, 35, 100, 250);
  const v = world();
  fc.assert(
    fc.property(growths, percents, rounds, (growth, growth_percent, played) => {
      const commons = new Commons(v, { growth, growth_percent });
      let stock = 100;
      const held = new Map<string, number>();
      for (const { wants: asked, empty } of played) {
        if (stock === 0) break;
        const { got, left } = dealt(stock, asked);
        for (const [id, units] of Object.entries(got)) held.set(id, (held.get(id) ?? 0) + units);
        stock = grownBy(growth, growth_percent, left);
        for (let n = 0; n < empty; n++) stock = grownBy(growth, growth_percent, stock);
        expect(commons.round(Object.entries(asked), empty)).toMatchObject({ stock });
        expect(commons.held).toEqual(
          Object.fromEntries([...held].filter(([, units]) => units > 0)),
        );
      }
    }),
    { numRuns: 20 },
  );
});

it("gives no one more for asking for more than it wants, nor for asking first or last", () => {
  const peaks = fc.array(fc.integer({ min: 0, max: 12 }), { minLength: 3, maxLength: 3 });
  const v = world();
  const deal = (wants: Wants): number => {
    const commons = new Commons(v, { capacity: 17, initial: 17 });
    commons.round(wants);
    return commons.held.alice ?? 0;
  };
  fc.assert(
    fc.property(peaks, fc.integer({ min: 0, max: 12 }), ([own = 0, ...others], lie) => {
      const rest = others.map((units, at) => [PEOPLE[at + 1] ?? "", units] as const);
      const honest = deal([["alice", own], ...rest]);
      const last = deal([...rest, ["alice", own]]);
      const lying = deal([["alice", lie], ...rest]);
      expect(last).toBe(honest);
      // A lie never brings it nearer to what it wants.
      expect(Math.abs(own - lying)).toBeGreaterThanOrEqual(own - honest);
      expect(honest).toBeLessThanOrEqual(own);
    }),
    { numRuns: 10 },
  );
});

it("serves only its members, up to their limit, and only with a token that it issues", () => {
  const v = world();
  const commons = new Commons(v, { members: ["alice", "bob"], most: 12 });
  expect(refusalCode(commons.asks("carol", 1))).toBe("not_member");
  expect(refusalCode(commons.asks("bob", 13))).toBe("bad_number");
  const wants: Wants = [
    ["bob", 12],
    ["bob", 7],
    ["alice", 3],
    ["alice", 0],
  ];
  expect(commons.round(wants)).toMatchObject({ stock: 100 });
  expect(commons.held).toEqual({ bob: 7 });
  expect(refusalCode(new Commons(v, {}, "alice").asks("bob", 1))).toBe("not_issuer");
});

it("catches up with a week of empty rounds in one call", () => {
  const growth = { growth: "logistic", growth_percent: 1, period_s: 1 };
  const commons = new Commons(world(), { capacity: 1_000_000, initial: 200, ...growth });
  commons.round([]);
  const week = 7 * 24 * 3_600_000;
  expect(commons.round([], week / ROUND_MS)).toMatchObject({ stock: 999_900 });
});
