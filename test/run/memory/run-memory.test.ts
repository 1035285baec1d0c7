import { expect, it } from "vitest";
import { asId, type Event } from "../../../src/kernel/index.ts";
import { IndexedStore } from "../../../src/memory/indexed-store.ts";
import { RunMemory } from "../../../src/run/memory/run-memory.ts";
import { FakeIndex } from "../../memory/fake-index.ts";
import { NOW } from "../../support/physics.ts";
import { fileSandbox, TestWorld } from "../../support/test-world.ts";
import { created, freshPath } from "../../world/journal/fixtures.ts";

const sandbox = fileSandbox();

/** A world whose memories go to a store in which at most 40 records wait. */
const bench = () => {
  const journal = created(freshPath());
  const index = new FakeIndex();
  const warnings: string[] = [];
  const warn = (text: string): void => void warnings.push(text);
  let onLoss = (): void => {};
  const store = new IndexedStore({
    index: Object.assign(index, {
      onLoss: (listener: () => void) => {
        onLoss = listener;
      },
    }),
    embedder: index.embedder,
    extract: null,
    patienceMs: null,
    pendingMax: 40,
    warn,
  });
  const memory = new RunMemory(store, { journal, isLive: true });
  const happened = (events: readonly Event[]): void => memory.note(events, journal.head().seq);
  const world = new TestWorld(sandbox, { journal, agentProblem: () => null, happened });
  world.agent("alice").agent("bob");
  const remember = (agent: string, count: number): void => {
    for (let number = 1; number <= count; number += 1) {
      const notes = [{ kind: "observation", text: `${agent} saw ${number}` }] as const;
      const about = { at_ms: NOW, agent: asId(agent), notes, through: 0, write: null };
      expect(world.submit({ kind: "remember", ...about }).success).toBe(true);
    }
  };
  return { index, store, memory, remember, warnings, lose: () => onLoss() };
};

it("reads from the journal what the store could not take while its index was down", async () => {
  const { index, store, memory, remember, warnings } = bench();
  index.failure = "connection refused";
  remember("alice", 150);
  expect(await memory.flush()).toBe("connection refused");
  remember("bob", 60);
  expect(index.held.size).toBe(0);
  expect(warnings.toSorted()).toEqual([
    expect.stringContaining("40 memories are waiting to be indexed, so later ones wait in the"),
    "agents cannot recall memories for now: connection refused",
  ]);
  index.failure = null;
  // One search finds that the index is back. Memories that are recorded meanwhile come last.
  expect(await store.search([asId("alice_memory")], "?", 1)).toMatchObject({ ok: true });
  remember("bob", 5);
  expect(await memory.flush()).toBeNull();
  expect(new Set(index.texts).size).toBe(210);
  expect(index.held.size).toBe(215);
  expect(warnings).toHaveLength(2);
  await memory.close(1_000);
});

it("reads all memories from the journal if the index has lost them", async () => {
  const { index, memory, remember, lose } = bench();
  remember("alice", 30);
  expect(await memory.flush()).toBeNull();
  index.held.clear();
  lose();
  remember("bob", 3);
  expect(await memory.flush()).toBeNull();
  expect(index.held.size).toBe(33);
  await memory.close(1_000);
});
