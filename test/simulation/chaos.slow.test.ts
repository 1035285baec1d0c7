import { describe, expect, it } from "vitest";
import type { EventKind } from "../../src/kernel/index.ts";

import { CHAOS_PHYSICS, chaos } from "./chaos.ts";

const COMMANDS = 4_000;
const SEEDS = [1, 2, 3];

/** What must have happened somewhere, or the books were not tried. */
const MUST_HAPPEN: readonly EventKind[] = [
  "scrip_transferred",
  "scrip_held",
  "hold_split",
  "hold_spent",
  "hold_released",
  "budget_transferred",
  "quota_transferred",
  "ownership_offered",
  "ownership_transferred",
  "artifact_state_changed",
  "artifact_deleted",
  "dangling_contract",
  "delegation_granted",
  "delegation_used",
  "delegation_revoked",
  "invocation_failed",
  "random_drawn",
  "bid_placed",
  "bid_cancelled",
  "auction_resolved",
  "artifact_scored",
  "scoring_failed",
  "task_posted",
  "task_withdrawn",
  "agent_handed_over",
  "agent_slept",
  "agent_woken",
  "agent_unfrozen",
  "agent_bankrupt",
  "thought_dropped",
];

describe("twelve thousand random actions of rogues", () => {
  const kinds = new Set<EventKind>();

  it.each(SEEDS)("keep every invariant and the auditor's books, seed %i", async (seed) => {
    const result = await chaos(CHAOS_PHYSICS, { seed, commands: COMMANDS });
    for (const kind of result.byKind.keys()) kinds.add(kind);
    expect(result.succeeded).toBeGreaterThan(COMMANDS / 5);
    expect(result.byCode.size).toBeGreaterThan(10);
  });

  it("reached every kind of event that moves something", () => {
    expect(MUST_HAPPEN.filter((kind) => !kinds.has(kind))).toEqual([]);
  });
});
