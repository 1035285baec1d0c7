import { afterEach, describe, expect, it, vi } from "vitest";
import { expectRefused, fileSandbox, TestWorld } from "../../support/test-world.ts";

const sandbox = fileSandbox();
afterEach(() => void vi.restoreAllMocks());

/** A program that takes a while to load. */
const LONG = `let sum = 0;
  for (let i = 0; i < 20_000; i++) sum += i;
  function run() { return sum }`;

describe("the cache of checked code", () => {
  it("charges the same gas for known code, with the same methods and print", () => {
    const v = new TestWorld(sandbox).agent("alice").agent("bob");
    const inspect = vi.spyOn(sandbox, "inspect");
    const [first, again] = ["alice", "bob"].map((who) => {
      return v.writes(who, `${who}_tool`, { code: LONG });
    });
    expect(inspect).toHaveBeenCalledTimes(1);
    expect(first?.charged.gas).toBeGreaterThan(100);
    expect(again?.charged.gas).toBe(first?.charged.gas);
    const [one, other] = [...v.state.artifacts.rows()].slice(-2);
    expect(other?.methods).toEqual(["run"]);
    expect([other?.methods, other?.codePrint]).toEqual([one?.methods, one?.codePrint]);
    const endless = "for (;;) {}";
    const refused = [1, 2].map((n) => v.writes("alice", `bad${n}`, { code: endless }));
    expect(refused[1]).toMatchObject({ success: false, error_code: refused[0]?.error_code });
    expect(refused[1]?.charged.gas).toBe(refused[0]?.charged.gas);
  });

  it("refuses known code to a writer with too little gas, like new code", () => {
    const withCache = new TestWorld(sandbox).agent("alice");
    const { gas } = withCache.must(withCache.writes("alice", "tool", { code: LONG })).charged;
    const inspect = vi.spyOn(sandbox, "inspect");
    const copying = (v: TestWorld) =>
      v.agent("poor", { quotas: { cpu_gas: gas - 1 } }).writes("poor", "copy", { code: LONG });
    const known = copying(withCache);
    expectRefused(known, "gas_exhausted");
    expect(copying(new TestWorld(sandbox))).toEqual(known);
    expect(inspect).toHaveBeenCalledTimes(2);
  });
});
