import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/kernel/index.ts";
import type { TestWorld } from "../support/test-world.ts";
import { ask, install, mechanismWorlds, pays, refusalCode } from "./mechanism-world.ts";

const newWorld = mechanismWorlds({ isAudited: false });
const TRADERS = ["bob", "carol", "dave"] as const;
const SCRIP = 10_000_000_000_000;

const world = (): TestWorld =>
  newWorld(Object.fromEntries(["alice", "judge", ...TRADERS].map((id) => [id, SCRIP])));

let made = 0;
/** A new market that alice funds. */
const opens = (v: TestWorld, settings: JsonObject): { id: string; fund: number } => {
  made += 1;
  const id = `market_${made}`;
  const usual = { question: "?", outcomes: ["yes", "no"], liquidity: 100, payout: 100 };
  install(v, id, "prediction-market", { ...usual, resolver: "judge", ...settings });
  const { fund } = JSON.parse(v.must(pays(v, "alice", `${id}.fund`, SCRIP)).result ?? "");
  return { id, fund };
};

type Trade = { readonly scrip: number };
const bought = (v: TestWorld, who: string, ...[id, args]: [string, (string | number)[]]): number =>
  (ask(v, who, `${id}.buy`, args, { attach: { scrip: v.scrip(who) ?? 0 } }) as Trade).scrip;

// The cost function in 60 decimal places, by other series than those of the mechanism.
const ONE = 10n ** 60n;

const exponential = (x: bigint): bigint => {
  let sum = ONE;
  for (let n = 1n, term = ONE; term > 0n; n++) {
    term = (term * x) / (n * ONE);
    sum += term;
  }
  return sum;
};

/** By Newton's method, from the logarithm of Node. */
const logarithm = (x: bigint): bigint => {
  const text = String(x);
  const start = Math.log(Number(`0.${text.slice(0, 17)}`)) + (text.length - 60) * Math.LN10;
  let root = BigInt(Math.round(start * 1e9)) * 10n ** 51n;
  for (let n = 0; n < 5; n++) root += (x * ONE) / exponential(root) - ONE;
  return root;
};

type Rule = { readonly liquidity: number; readonly payout: number };

const costOf = (sold: readonly number[], { liquidity, payout }: Rule): number => {
  const parts = sold.map((units) => exponential((BigInt(units) * ONE) / BigInt(liquidity)));
  const sum = parts.reduce((all, part) => all + part, 0n);
  return Number((BigInt(payout * liquidity) * logarithm(sum)) / ONE) + 1;
};

describe("the logarithmic market", () => {
  it("has the published loss, cost and price of a liquidity of 100", () => {
    const v = world();
    // In millionths: ln 2 × 100 = 69.314718…, and 50 shares cost 28.092980 and cost 0.622459 then.
    const { id, fund } = opens(v, { payout: 1_000_000 });
    expect(fund).toBe(69_314_719);
    expect(ask(v, "bob", `${id}.quote`, ["yes", 50])).toEqual({ costs: 28_092_980, pays: null });
    expect(bought(v, "bob", id, ["yes", 50])).toBe(28_092_980);
    const { outcomes } = ask(v, "bob", `${id}.status`) as { outcomes: JsonObject[] };
    expect(outcomes[0]).toEqual({ outcome: "yes", sold: 50, price_ppm: 622_459 });
  });

  it("pays what it promised with the largest numbers, and then loses at most its fund", () => {
    const v = world();
    const names = Array.from({ length: 20 }, (_, n) => `outcome ${n}`);
    const { id, fund } = opens(v, { outcomes: names, liquidity: 1, payout: 1_000 });
    for (const name of names) bought(v, "bob", id, [name, 1_000_000]);
    expect(bought(v, "carol", id, ["outcome 7", 999_000_000])).toBeGreaterThan(0);
    ask(v, "judge", `${id}.resolve`, ["outcome 7"]);
    const [left, carol = 0, alice = 0] = v.scrips(id, "carol", "alice");
    expect(left).toBe(0);
    expect(carol).toBeGreaterThanOrEqual(SCRIP);
    expect(alice).toBeGreaterThanOrEqual(SCRIP - fund);
  });

  it("is funded first, and only its resolver ends it, once", () => {
    const v = world();
    install(v, "early", "prediction-market", { question: "?", resolver: "judge" });
    expect(refusalCode(pays(v, "bob", "early.buy", 9, ["yes", 1]))).toBe("not_funded");
    expect(refusalCode(pays(v, "bob", "early.fund", 6_931))).toBe("too_little");
    install(v, "lost", "prediction-market", { question: "?", resolver: "no_such_id" });
    expect(refusalCode(pays(v, "bob", "lost.fund", 7_000))).toBe("no_resolver");
    const { id } = opens(v, {});
    expect(refusalCode(pays(v, "bob", `${id}.fund`, 9_999))).toBe("funded");
    expect(refusalCode(pays(v, "bob", `${id}.buy`, 28, ["yes", 1]))).toBe("too_little");
    expect(refusalCode(pays(v, "bob", `${id}.buy`, 99, ["maybe", 1]))).toBe("unknown_outcome");
    expect(refusalCode(v.calls("bob", `${id}.sell`, ["yes", 1]))).toBe("too_few");
    expect(refusalCode(v.calls("bob", `${id}.resolve`, ["yes"]))).toBe("not_resolver");
    ask(v, "judge", `${id}.resolve`, ["no"]);
    expect(refusalCode(v.calls("judge", `${id}.resolve`, ["yes"]))).toBe("resolved");
    expect(v.scrips("alice", id)).toEqual([SCRIP, 0]);
  });
});

const trade = fc.record({
  by: fc.constantFrom(...TRADERS),
  at: fc.nat({ max: 3 }),
  shares: fc.integer({ min: 1, max: 300 }),
  isBuy: fc.boolean(),
});

const rules = fc.record({
  liquidity: fc.constantFrom(1, 7, 100, 5_000),
  payout: fc.constantFrom(1, 100, 12_345),
  count: fc.integer({ min: 2, max: 4 }),
});

it("costs exactly the rounded cost function, on any path, and loses at most its fund", () => {
  const v = world();
  fc.assert(
    fc.property(rules, fc.array(trade, { maxLength: 12 }), fc.nat(), (rule, trades, chance) => {
      const outcomes = ["a", "b", "c", "d"].slice(0, rule.count);
      const before = v.scrips("alice", ...TRADERS);
      const { liquidity, payout } = rule;
      const { id, fund } = opens(v, { liquidity, payout, outcomes });
      const sold = outcomes.map(() => 0);
      expect(fund).toBe(costOf(sold, rule));
      const held = new Map(TRADERS.map((who) => [who, outcomes.map(() => 0)]));
      const paid = new Map(TRADERS.map((who) => [who, 0]));
      for (const { by, at: chosen, shares, isBuy } of trades) {
        const at = chosen % rule.count;
        const own = held.get(by) ?? [];
        const change = isBuy ? shares : -Math.min(shares, own[at] ?? 0);
        if (change === 0) continue;
        const old = costOf(sold, rule);
        sold[at] = (sold[at] ?? 0) + change;
        own[at] = (own[at] ?? 0) + change;
        const cost = costOf(sold, rule) - old;
        const args = [outcomes[at] ?? "", Math.abs(change)];
        if (isBuy) expect(bought(v, by, id, args)).toBe(cost);
        else expect((ask(v, by, `${id}.sell`, args) as Trade).scrip).toBe(0 - cost);
        paid.set(by, (paid.get(by) ?? 0) + cost);
        expect(v.scrip(id)).toBe(costOf(sold, rule));
      }
      const winner = chance % rule.count;
      ask(v, "judge", `${id}.resolve`, [outcomes[winner] ?? ""]);
      const gains = TRADERS.map(
        (who) => (held.get(who)?.[winner] ?? 0) * rule.payout - (paid.get(who) ?? 0),
      );
      const loss = gains.reduce((sum, gain) => sum + gain, 0);
      expect(loss).toBeLessThanOrEqual(fund);
      const after = [-loss, ...gains].map((gain, n) => (before[n] ?? 0) + gain);
      expect(v.scrips("alice", ...TRADERS, id)).toEqual([...after, 0]);
    }),
    { numRuns: 15 },
  );
});
