import { expect, it } from "vitest";
import type { Event } from "../../src/kernel/index.ts";
import { tradeIn } from "../../src/run/index.ts";
import { LIBRARY_NAMES, libraryProgram } from "../../src/world/standard-library.ts";
import { calls } from "../support/run-events.ts";

const METHODS = LIBRARY_NAMES.map(libraryProgram).flatMap(({ id, interface: declared }) =>
  declared.methods.map(({ name }) => [id, name] as const),
);

const called = ([artifact, method]: readonly [string, string], to?: string): Event => {
  const call = calls(artifact, to === undefined ? { by: "ann" } : { by: "ann", to });
  return { ...call, method } as Event;
};

it("an unpaid call of the standard library is a trade only if it sells or lends", () => {
  const trades = METHODS.map((call) => [call.join("."), tradeIn(called(call))]);
  expect(trades.filter(([, trade]) => trade !== null)).toEqual([
    ["genesis_escrow.purchase", "sale"],
    ["genesis_debt_contract.accept", "loan"],
  ]);
});

it("every paid call of the standard library is a paid call of a program", () => {
  for (const call of METHODS) expect(tradeIn(called(call, "bob"))).toBe("service");
});
