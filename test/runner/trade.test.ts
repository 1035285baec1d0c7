import { describe, expect, it } from "vitest";
import { asId, type Event } from "../../src/kernel/index.ts";
import { BROKERED, tradeIn } from "../../src/runner/trade.ts";
import { LIBRARY_NAMES, libraryProgram } from "../../src/world/genesis-library.ts";

const METHODS = LIBRARY_NAMES.map(libraryProgram).flatMap(({ id, interface: declared }) =>
  declared.methods.map(({ name }) => `${id}.${name}`),
);

const called = (call: string, paid_to: string | null): Event => {
  const [artifact = "", method = ""] = call.split(".");
  return {
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
  };
};

describe("a trade through the standard library", () => {
  it.each(Object.entries(BROKERED))("%s counts as a %s and can be called", (call, trade) => {
    expect(METHODS).toContain(call);
    expect(tradeIn(called(call, null))).toBe(trade);
  });

  it("is no other call of it, unless that is paid for", () => {
    const [other = ""] = METHODS.filter((call) => !(call in BROKERED));
    expect(tradeIn(called(other, null))).toBeNull();
    expect(tradeIn(called(other, "bob"))).toBe("service");
  });
});
