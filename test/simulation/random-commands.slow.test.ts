import { describe, expect, it } from "vitest";
import { replay, stateHash, verifyJournal } from "../../src/world/index.ts";
import { created } from "../world/journal/fixtures.ts";
import { agentProblem, RANDOM_PHYSICS, runRandomCommands } from "./random-commands.ts";

const COMMANDS = 2_000;
/** Together they cause all kinds of events. Only 13 of the first 20 cancels a bid. */
const SEEDS = [1, 5, 13];

/** Kinds of events that the seeds together must cause. */
const MUST_HAPPEN: readonly string[] = [
  ...["scrip_transferred", "scrip_held", "hold_split", "hold_spent", "hold_released"],
  ...["budget_transferred", "quota_transferred", "ownership_offered"],
  ...["ownership_transferred", "artifact_state_changed", "artifact_deleted"],
  ...["dangling_contract", "delegation_granted", "delegation_used", "delegation_revoked"],
  ...["invocation_failed", "random_drawn", "bid_placed", "bid_cancelled", "auction_resolved"],
  ...["artifact_scored", "scoring_failed", "task_posted", "task_withdrawn"],
  ...["agent_handed_over", "agent_unfrozen", "agent_bankrupt", "agent_state_changed"],
  ...["thought_dropped", "contacts_set", "review_set", "action_proposed", "proposal_decided"],
  ...["message_sent", "messages_read", "sender_blocked", "sender_unblocked"],
];

describe("six thousand random commands", () => {
  const kinds = new Set<string>();

  it.each(SEEDS)("keep all invariants, and their journal verifies: seed %i", async (seed) => {
    const journal = created();
    const plan = { seed, commands: COMMANDS, journal };
    const { byKind, byCode, succeeded, hash } = await runRandomCommands(RANDOM_PHYSICS, plan);
    for (const kind of byKind.keys()) kinds.add(kind);
    expect(succeeded).toBeGreaterThan(COMMANDS / 5);
    expect(byCode.size).toBeGreaterThan(10);
    expect(stateHash(replay(journal).state)).toBe(hash);
    const verdict = verifyJournal(journal, agentProblem);
    expect(verdict.checks.filter(({ ok }) => !ok)).toEqual([]);
    expect(verdict.stateHash).toBe(hash);
  });

  it("cause every kind of event that changes balances, owners or agents", () => {
    expect(MUST_HAPPEN.filter((kind) => !kinds.has(kind))).toEqual([]);
  });
});
