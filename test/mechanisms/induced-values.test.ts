import { expect, it } from "vitest";
import { ask, install, mechanismWorlds, refusalCode } from "./mechanism-world.ts";

const newWorld = mechanismWorlds();
const VALUES = { alice: [9, 7, 4], bob: [8, 8] };

const worldWith = (settings: { readonly period_s?: number } = {}) => {
  const v = newWorld({ alice: 0, bob: 0, carol: 1_000 });
  install(v, "wheat", "token", { initial: { alice: 50, bob: 50, carol: 50 } });
  install(v, "it", "induced-values", { good: "wheat", values: VALUES, ...settings });
  for (const who of ["alice", "bob", "carol"]) ask(v, who, "wheat.approve", ["it", 50]);
  return v;
};

it("pays each trader its own values, the highest first, and no unit beyond them", () => {
  const v = worldWith();
  ask(v, "carol", "genesis_ledger.transfer", ["it", 100]);
  expect(ask(v, "alice", "it.redeem", [2])).toEqual({ units: 2, scrip: 16 });
  expect(ask(v, "alice", "it.worth")).toEqual([4]);
  expect(refusalCode(v.calls("alice", "it.redeem", [2]))).toBe("no_value");
  expect(refusalCode(v.calls("carol", "it.redeem", [1]))).toBe("no_value");
  expect(ask(v, "bob", "it.redeem", [1])).toEqual({ units: 1, scrip: 8 });
  expect(v.scrips("alice", "bob", "it")).toEqual([16, 8, 76]);
  expect(ask(v, "alice", "wheat.balance", ["it"])).toEqual({ id: "it", units: 3 });
  expect(ask(v, "carol", "it.status")).toEqual({ period: 1, ends_at_ms: null, redeemed: 3 });
});

it("takes no units if it cannot pay for them", () => {
  const v = worldWith();
  ask(v, "carol", "genesis_ledger.transfer", ["it", 15]);
  expect(refusalCode(v.calls("alice", "it.redeem", [2]))).toBe("no_funds");
  expect(ask(v, "alice", "wheat.balance")).toEqual({ id: "alice", units: 50 });
  expect(ask(v, "alice", "it.redeem", [1])).toEqual({ units: 1, scrip: 9 });
});

it("gives each trader all of its values in each period", () => {
  const v = worldWith({ period_s: 30 });
  ask(v, "carol", "genesis_ledger.transfer", ["it", 500]);
  const redeemed = [1, 2, 3].flatMap((period) => {
    v.atMs = period * 30_000;
    const paid = [ask(v, "alice", "it.redeem", [3]), ask(v, "bob", "it.redeem", [1])];
    return [...paid, ask(v, "bob", "it.status")];
  });
  expect(redeemed).toEqual(
    [2, 3, 4].flatMap((period) => [
      { units: 3, scrip: 20 },
      { units: 1, scrip: 8 },
      { period, ends_at_ms: period * 30_000, redeemed: 4 },
    ]),
  );
  expect(v.scrips("alice", "bob")).toEqual([60, 24]);
});
