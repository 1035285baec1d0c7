import { describe, expect, it } from "vitest";
import {
  actionMemory,
  observationMemory,
  relevantMemories,
  tellingPart,
} from "../../../src/mind/memory/agent-memory.ts";
import { IndexedStore } from "../../../src/mind/memory/indexed-store.ts";
import { ALICE, memoriesOf, textsOf } from "./memories.ts";
import { PuppetIndex } from "./puppet-index.ts";

describe("how an action is remembered", () => {
  const deed = {
    agent: ALICE,
    action: "invoke_artifact",
    details: "paid 5\n to bob",
    success: true,
  };

  it("is one line with the outcome", () => {
    expect(actionMemory(deed)).toBe(
      "Agent alice performed invoke_artifact: paid 5 to bob (it succeeded)",
    );
    expect(actionMemory({ ...deed, success: false })).toMatch(/\(it failed\)$/);
  });

  it("is bounded, and the outcome stays", () => {
    const text = actionMemory({ ...deed, details: "😀".repeat(5_000), success: false });
    expect(text.length).toBeLessThanOrEqual(600);
    expect(text).toMatch(/😀… \(it failed\)$/u);
    expect(text.isWellFormed()).toBe(true);
  });
});

it("what tells a memory of an action from another is what comes after its frame", () => {
  expect(tellingPart("Agent a.b performed invoke_artifact: paid 5")).toBe("paid 5");
  expect(tellingPart("Agent bob performed invoke_artifact adder run: 5")).toBe("adder run: 5");
  expect(tellingPart("Agent bob performed noop:")).toBe("Agent bob performed noop:");
  expect(tellingPart("the price fell")).toBe("the price fell");
});

it("an observation is one bounded line", () => {
  expect(observationMemory(" the price\nfell ")).toBe("the price fell");
  expect(observationMemory("x".repeat(10_000))).toHaveLength(600);
});

describe("memories that bear on something", () => {
  const storeOf = (texts: readonly string[]): { store: IndexedStore; index: PuppetIndex } => {
    const index = new PuppetIndex();
    const { embedder } = index;
    const about = { distil: null, patienceMs: null, warn: () => {} };
    const store = new IndexedStore({ index, embedder, ...about });
    store.add(memoriesOf("alice", texts));
    return { store, index };
  };

  it("are different from each other", async () => {
    const { store } = storeOf(["waited", "waited", "sold grain", "waited", "paid", "slept"]);
    const recall = await relevantMemories(store, ALICE, { context: "?", limit: 3 });
    expect(recall.ok && textsOf(recall.found)).toEqual(["waited", "sold grain", "paid"]);
  });

  it("are none where none are wanted, or where there is trouble", async () => {
    const { store, index } = storeOf(["waited"]);
    const none = await relevantMemories(store, ALICE, { context: "?", limit: 0 });
    expect(none).toEqual({ ok: true, found: [] });
    expect(index.calls).toBe(0);
    index.trouble = "gone";
    const trouble = await relevantMemories(store, ALICE, { context: "?", limit: 3 });
    expect(trouble).toEqual({ ok: false, problem: "gone" });
  });
});
