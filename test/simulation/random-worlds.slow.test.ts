import { describe, expect, it } from "vitest";
import { COMMANDS_EACH, playWorld } from "./random-worlds.ts";

/** `CATALLAXY_WORLDS=1000 CATALLAXY_SEED=7` tries more worlds, from another seed. */
const { CATALLAXY_WORLDS: worlds, CATALLAXY_SEED: first = "1" } = process.env;
const seedsFrom = (seed: number, count: number): readonly number[] =>
  Array.from({ length: count }, (_, n) => seed + n);
/** In 28 an agent writes too much, and in 45 a contract is deleted that others use. */
const SEEDS =
  worlds === undefined ? [...seedsFrom(1, 22), 28, 45] : seedsFrom(Number(first), Number(worlds));

const tally = { succeeded: 0, syscalls: 0 };
const kinds = new Set<string>();
const codes = new Set<string>();

describe("many random worlds", () => {
  it.each(SEEDS)("keep every invariant and the auditor's books, seed %i", async (seed) => {
    const run = await playWorld(seed);
    tally.succeeded += run.succeeded;
    tally.syscalls += run.syscalls;
    for (const kind of run.byKind.keys()) kinds.add(kind);
    for (const code of run.byCode.keys()) codes.add(code);
  });

  it("run many commands, and enough of them succeed", () => {
    const commands = SEEDS.length * COMMANDS_EACH;
    expect(commands).toBeGreaterThanOrEqual(10_000);
    expect(tally.succeeded / commands).toBeGreaterThan(0.2);
    expect(tally.syscalls).toBeGreaterThan(commands / 4);
  });

  it("reach every kind of event and refusal that matters", () => {
    const moving = [
      ...["scrip_transferred", "scrip_burned", "scrip_held", "hold_split", "hold_spent"],
      ...["hold_released", "budget_transferred", "quota_transferred", "principal_created"],
      ...["artifact_written", "artifact_read", "artifact_deleted", "artifact_state_changed"],
      ...["ownership_offered", "ownership_transferred", "artifact_invoked", "invocation_failed"],
      ...["delegation_granted", "delegation_used", "delegation_revoked"],
      ...["dangling_contract", "random_drawn", "agent_frozen", "agent_unfrozen"],
      ...["thought_completed", "thought_failed", "agent_rate_limited"],
    ];
    expect(moving.filter((kind) => !kinds.has(kind))).toEqual([]);
    const said = [
      ...["insufficient_funds", "insufficient_disk", "not_owner", "not_authorized", "not_empty"],
      ...["price_exceeded", "rate_limited", "deleted", "not_found", "quota_exceeded"],
      ...["gas_exhausted", "syscalls_exhausted", "invalid_argument", "interface_mismatch"],
    ];
    expect(said.filter((code) => !codes.has(code))).toEqual([]);
  });
});
