import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { TestWorld } from "../support/test-world.ts";
import { ask, install, mechanismWorlds, pays, refusalCode } from "./mechanism-world.ts";

const newWorld = mechanismWorlds({ isAudited: false });

type Pool = { readonly scrip: number; readonly units: number };
type Shares = { readonly shares: number; readonly all: number };

const poolOf = (v: TestWorld, id = "pool"): Pool => {
  const { scrip, units } = ask(v, "alice", `${id}.status`) as Pool;
  return { scrip, units };
};

/** Alice fills a pool; bob trades. */
const exchange = (scrip: number, units: number, fee_ppm: number): TestWorld => {
  const v = newWorld({ alice: 2_000_000_000, bob: 2_000_000_000 });
  install(v, "good", "token", { initial: { alice: 1_000_000_000, bob: 1_000_000_000 } });
  install(v, "pool", "constant-product", { good: "good", fee_ppm });
  for (const who of ["alice", "bob"]) ask(v, who, "good.approve", ["pool", 1_000_000_000]);
  v.must(pays(v, "alice", "pool.add", scrip, [units]));
  return v;
};

describe("the constant-product exchange", () => {
  it.each([
    // A pool of 1000 and 1000: 1000 × 100 / 1100, and 1000 × 99.7 / 1099.7 with a fee of 0.3 %.
    [0, 90_909_090],
    [3_000, 90_661_089],
  ])("with a fee of %d ppm pays %d millionths for 100, rounded down", (fee_ppm, millionths) => {
    const v = exchange(1_000, 1_000_000_000, fee_ppm);
    expect(ask(v, "bob", "pool.buy", [], { attach: { scrip: 100 } })).toEqual({
      scrip: 100,
      units: millionths,
    });
    expect(poolOf(v)).toEqual({ scrip: 1_100, units: 1_000_000_000 - millionths });
  });

  it("refuses a worse price than the trader accepts, and an empty pool", () => {
    const v = exchange(1_000, 1_000, 3_000);
    expect(refusalCode(pays(v, "bob", "pool.buy", 100, [91]))).toBe("price");
    expect(refusalCode(v.calls("bob", "pool.sell", [100, 91]))).toBe("price");
    expect(refusalCode(v.calls("bob", "pool.sell", [1]))).toBe("price");
    expect(refusalCode(pays(v, "bob", "pool.add", 100, [99]))).toBe("too_few");
    ask(v, "alice", "pool.remove", [1_000]);
    expect([poolOf(v), v.scrip("pool")]).toEqual([{ scrip: 0, units: 0 }, 0]);
    expect(refusalCode(pays(v, "bob", "pool.buy", 100))).toBe("empty");
  });
});

const step = fc.record({
  by: fc.constantFrom("alice", "bob"),
  kind: fc.constantFrom("buy", "sell", "add", "remove"),
  amount: fc.integer({ min: 1, max: 5_000 }),
});

/** The exact payment of a pool: out × in × (1 − fee) / (reserve + in × (1 − fee)), as a floor. */
const paidBy = (fee: number, paid: number, [into, out]: readonly [number, number]): number => {
  const net = BigInt(paid) * BigInt(1_000_000 - fee);
  return Number((BigInt(out) * net) / (BigInt(into) * 1_000_000n + net));
};

type Step = { readonly by: string; readonly kind: string; readonly amount: number };

/** Takes a step, and compares what it pays with the formula. */
const takes = (
  v: TestWorld,
  { by, kind, amount }: Step,
  { id, fee }: { readonly id: string; readonly fee: number },
): void => {
  const { scrip, units } = poolOf(v, id);
  if (kind === "add") {
    pays(v, by, `${id}.add`, amount, [100_000]);
  } else if (kind === "remove") {
    const { shares } = ask(v, by, `${id}.shares`) as Shares;
    if (shares > 0) ask(v, by, `${id}.remove`, [Math.min(shares, amount)]);
  } else {
    const isBuy = kind === "buy";
    const out = paidBy(fee, amount, isBuy ? [scrip, units] : [units, scrip]);
    const outcome = isBuy ? pays(v, by, `${id}.buy`, amount) : v.calls(by, `${id}.sell`, [amount]);
    if (out < 1) expect(refusalCode(outcome)).toMatch(/price|empty/);
    else
      expect(JSON.parse(v.must(outcome).result ?? "")).toMatchObject(
        isBuy ? { units: out } : { scrip: out },
      );
  }
};

it("pays as the formula says, rounds in favour of the pool, and holds its reserves", () => {
  let made = 0;
  const v = newWorld({ alice: 2_000_000_000, bob: 2_000_000_000 });
  install(v, "good", "token", { initial: { alice: 1_000_000_000, bob: 1_000_000_000 } });
  const reserve = fc.integer({ min: 10, max: 20_000 });
  const fees = fc.constantFrom(0, 3_000, 250_000);
  const steps = fc.array(step, { minLength: 1, maxLength: 25 });
  fc.assert(
    fc.property(fees, fc.tuple(reserve, reserve), steps, (fee, [scrip, units], all) => {
      made += 1;
      const id = `pool_${made}`;
      install(v, id, "constant-product", { good: "good", fee_ppm: fee });
      for (const who of ["alice", "bob"]) {
        if (made > 1) ask(v, who, "good.approve", [`pool_${made - 1}`, 0]);
        ask(v, who, "good.approve", [id, 1_000_000]);
      }
      v.must(pays(v, "alice", `${id}.add`, scrip, [units]));
      for (const each of all) {
        const before = { ...poolOf(v, id), ...(ask(v, "bob", `${id}.shares`) as Shares) };
        takes(v, each, { id, fee });
        const after = { ...poolOf(v, id), ...(ask(v, "bob", `${id}.shares`) as Shares) };
        const held = ask(v, "bob", "good.balance", [id]) as Pool;
        expect([v.scrip(id), held.units]).toEqual([after.scrip, after.units]);
        // The product per share squared never falls; in a trade, the shares do not change.
        const product = (pool: Pool, other: Shares): bigint =>
          BigInt(pool.scrip) * BigInt(pool.units) * BigInt(other.all) ** 2n;
        expect(product(after, before) >= product(before, after)).toBe(true);
      }
    }),
    { numRuns: 20 },
  );
});
