import { expect, it } from "vitest";
import { asId, type Event } from "../../src/kernel/index.ts";
import { tradeIn } from "../../src/runner/trade.ts";
import { LIBRARY_NAMES, libraryProgram } from "../../src/world/standard-library.ts";

const METHODS = LIBRARY_NAMES.map(libraryProgram).flatMap(({ id, interface: declared }) =>
  declared.methods.map(({ name }) => [id, name] as const),
);

const called = ([artifact, method]: readonly [string, string], paid_to: string | null): Event => ({
  at_ms: 1,
  principal: asId("ann"),
  kind: "artifact_invoked",
  artifact_id: asId(artifact),
  method,
  caller: asId("ann"),
  depth: 0,
  price: 0,
  paid_to: paid_to === null ? null : asId(paid_to),
  gas: 0,
});

it("an unpaid call of the standard library is a trade only if it sells or lends", () => {
  const trades = METHODS.map((call) => [call.join("."), tradeIn(called(call, null))]);
  expect(trades.filter(([, trade]) => trade !== null)).toEqual([
    ["genesis_escrow.purchase", "sale"],
    ["genesis_debt_contract.accept", "loan"],
  ]);
});

it("every paid call of the standard library is a paid call of a program", () => {
  for (const call of METHODS) expect(tradeIn(called(call, "bob"))).toBe("service");
});
