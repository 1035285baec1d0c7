import { describe, expect, it } from "vitest";
import { asId, type Json } from "../../../src/kernel/index.ts";
import { withDefaultMaxPrice } from "../../../src/run/agents/agent-loop.ts";
import { offeringWith, viewWith } from "../../support/view.ts";

const SHOWN = viewWith({
  market: [offeringWith({ id: asId("tool"), price: 5, read_price: 2 })],
  owned: [offeringWith({ id: asId("mine"), price: 9 })],
});
const told = (action: Json): Json => withDefaultMaxPrice(action, SHOWN);

describe("the default of max_price", () => {
  it("is the price that the agent was shown", () => {
    for (const [action, id, max_price] of [
      ["invoke_artifact", "tool", 5],
      ["read_artifact", "tool", 2],
      ["invoke_artifact", "mine", 9],
    ] as const) {
      const fields = { artifact_id: id, args: [1] };
      expect(told({ [action]: fields })).toEqual({ [action]: { ...fields, max_price } });
    }
  });

  it("is added to an action in flat form", () => {
    const call = { kind: "invoke_artifact", artifact_id: "tool" };
    expect(told({ ...call, max_price: null })).toEqual({ ...call, max_price: 5 });
    const read = { action_type: "read_artifact", artifact_id: "tool" };
    expect(told(read)).toEqual({ ...read, max_price: 2 });
  });

  it.each<readonly [string, Json]>([
    ["that says its own", { invoke_artifact: { artifact_id: "tool", max_price: 0 } }],
    ["that the world refuses", { read_artifact: { artifact_id: "tool", max_price: "x" } }],
    ["of what was not shown", { invoke_artifact: { artifact_id: "genesis_ledger" } }],
    ["of what is not an id", { invoke_artifact: { artifact_id: 7 } }],
    ["that writes", { write_artifact: { artifact_id: "tool" } }],
    ["that does nothing", { noop: {} }],
    ["that is none", null],
    ["without fields", { invoke_artifact: "tool" }],
  ])("is not added to an action %s", (_, action) => {
    expect(told(action)).toEqual(action);
  });
});
