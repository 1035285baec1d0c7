import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { Journal, replay, sandboxFor, stateHash, verifyJournal } from "../../src/world/index.ts";
import { liveAsRogues, ROGUE_PHYSICS } from "../support/rogue-life.ts";

/** `CATALLAXY_RUNS=50 CATALLAXY_SEED=7` tries more runs, from another seed. */
const RUNS = Number(process.env.CATALLAXY_RUNS ?? 2);
const FIRST_SEED = Number(process.env.CATALLAXY_SEED ?? 1);
const ACTIONS_EACH = 350;

const sandbox = sandboxFor(ROGUE_PHYSICS);
const folder = mkdtempSync(join(tmpdir(), "catallaxy-random-"));
afterAll(async () => {
  await sandbox.close();
  rmSync(folder, { recursive: true, force: true });
});

const kinds = new Set<string>();
const seeds = Array.from({ length: RUNS }, (_, n) => FIRST_SEED + n);

it.each(seeds)(
  "a run of rogues and their programs is told truly by its journal, seed %i",
  async (seed) => {
    const opened = Journal.create(join(folder, `${seed}.db`), {
      sync: "normal",
      groupMs: 1_000_000,
    });
    if (!opened.ok) throw new Error(opened.problem);
    const { journal } = opened;
    const { hash, succeeded } = await liveAsRogues({
      sandbox,
      journal,
      seed,
      actions: ACTIONS_EACH,
    });
    expect(succeeded).toBeGreaterThan(ACTIONS_EACH / 6);
    expect(stateHash(replay(journal).state)).toBe(hash);
    const verdict = verifyJournal(journal, () => null);
    expect(verdict.checks.filter(({ ok }) => !ok)).toEqual([]);
    expect(verdict.stateHash).toBe(hash);
    for (const { kind } of journal.events()) kinds.add(kind);
    journal.close();
  },
);

it("the runs had some of everything in them", () => {
  const wanted = ["hold_spent", "invocation_failed", "artifact_state_changed"];
  expect([...wanted, "random_drawn"].filter((kind) => !kinds.has(kind))).toEqual([]);
});
