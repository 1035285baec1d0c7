import { expect, it } from "vitest";
import { EVENTS, type EventKind, WAKING_KINDS } from "../../../src/kernel/index.ts";

it("every public kind of event that can be in an inbox can also wake its agent", () => {
  const kinds = Object.keys(EVENTS) as EventKind[];
  // Some kinds are private. They can only wake an agent that waits for a balance or a budget.
  const isPrivate = (kind: EventKind) =>
    kind === "hold_released" || kind === "compute_granted" || kind === "budget_issued";
  const open = kinds.filter((kind) => EVENTS[kind].concerns !== undefined && !isPrivate(kind));
  expect([...WAKING_KINDS].sort()).toEqual(open.sort());
});
