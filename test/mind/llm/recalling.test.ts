import { describe, expect, it } from "vitest";
import { asId, type View } from "../../../src/kernel/index.ts";
import { artifactMemory, withRecords } from "../../../src/memory/artifact-memory.ts";
import type { MemoryStore } from "../../../src/memory/index.ts";
import { actionMemory, storeMemory } from "../../../src/memory/port/agent-memory.ts";
import { recallFor } from "../../../src/mind/index.ts";
import { memoriesOf } from "../../memory/memories.ts";
import { offeringWith, viewWith } from "../../support/view.ts";
import { actionRecord } from "../../workflow/workbench.ts";
import { settingsWith } from "./shipped-settings.ts";

const RAG = { enabled: true, limit: 2, query_template: "what of {last_action}?" };
const ARTIFACT = artifactMemory(10_000);

/** An index that finds these texts and records its queries. */
const indexOf = (...texts: readonly string[]) => {
  const queries: string[] = [];
  const store: MemoryStore = {
    add: () => true,
    room: async () => {},
    search: async ([artifact = asId("none")], query) => {
      queries.push(query);
      const found = texts.map((text, at) => {
        return { artifact, number: at + 1, atMs: 0, kind: "action", text, similarity: 1 } as const;
      });
      return { ok: true, found };
    },
    flush: async () => null,
    onLoss: () => {},
    counts: async () => ({ ok: true, counts: new Map() }),
    cutBack: async () => null,
    close: async () => {},
  };
  return { memory: storeMemory(store), store, queries };
};

const remembering = (...texts: readonly string[]) => ({
  ...viewWith({ id: "ann" }),
  memories: [
    { id: asId("ann_memory"), text: withRecords("", memoriesOf("ann", texts), 10_000), count: 0 },
  ],
});

const now = (view: View) => ({ view, signal: new AbortController().signal });

describe("the memories that an agent recalls", () => {
  it("do not exist without recall or without memory", async () => {
    const { memory, queries } = indexOf("bread is dear");
    const view = viewWith();
    expect(await recallFor(now(view), { ...RAG, enabled: false }, memory)).toEqual([]);
    expect(await recallFor(now(view), { ...RAG, limit: 0 }, memory)).toEqual([]);
    expect(await recallFor(now(view), RAG, null)).toEqual([]);
    expect(queries).toEqual([]);
  });

  it("are limited and distinct", async () => {
    const texts = ["bread is dear", "bread is dear", "coal is cheap", "iron is out"];
    const recalled = await recallFor(now(viewWith()), RAG, indexOf(...texts).memory);
    expect(recalled.map(({ text }) => text)).toEqual(["iron is out", "coal is cheap"]);
    const rag = { ...RAG, query_template: "bread coal iron" };
    const own = await recallFor(now(remembering(...texts)), rag, ARTIFACT);
    expect(own).toHaveLength(2);
    expect(new Set(own.map(({ text }) => text)).size).toBe(2);
  });

  it("are found by the query template with its variables filled in", async () => {
    const { memory, queries } = indexOf();
    const template =
      "{agent_id} {balance} {now_s} {my_artifacts} {other_agents} {last_action} {constructor}";
    const view = viewWith({
      id: "ann",
      scrip: 7,
      now: 61_000,
      owned: [offeringWith({ id: asId("loom") })],
      principals: ["bob", "cyd"],
    });
    await recallFor(now(view), { ...RAG, query_template: template }, memory);
    const acted = viewWith({ acted: true, lastTarget: "shop", lastCode: "not_found" });
    await recallFor(now(acted), RAG, memory);
    expect(queries).toEqual([
      "ann 7 61 loom bob, cyd none {constructor}",
      expect.stringMatching(/^what of invoke_artifact shop failed: /),
    ]);
  });

  it("are by default found by the goal, the last action and what others did", async () => {
    const { memory, queries } = indexOf();
    const view = viewWith({ id: "ann", acted: true, lastTarget: "shop", lastResult: "42 loaves" });
    const { query_template } = settingsWith().rag;
    const event = { kind: "artifact_invoked", principal: asId("bob"), target: "loom" } as const;
    const rest = { n: 1, at_ms: 0, method: "run", other: null, amount: 3, code: null };
    const told: View = {
      ...view,
      workingMemoryText: '{"current_goal": "sell bread"}',
      inbox: { ...view.inbox, received: 1, recent: [{ ...event, ...rest }] },
    };
    await recallFor(now(told), { ...RAG, query_template }, memory);
    for (const part of [
      "sell bread",
      "invoke_artifact shop",
      "42 loaves",
      "bob artifact_invoked loom run",
    ]) {
      expect(queries[0]).toContain(part);
    }
  });

  it("prefer the newer of nearly equal ones, and what the prompt does not show", async () => {
    const done = actionRecord({ target: "shop" });
    const stored = (text: string, atMs: number, similarity: number) =>
      ({ artifact: asId("m"), number: atMs, atMs, kind: "action", text, similarity }) as const;
    const found = [
      stored(actionMemory(asId("ann"), done), 590_000, 1),
      stored("old", 0, 0.8),
      stored("new", 590_000, 0.75),
      stored("far", 600_000, 0.1),
    ];
    const store = { ...indexOf().store, search: async () => ({ ok: true, found }) as const };
    const view = viewWith({ id: "ann", now: 600_000 });
    const acted = { ...view, agent: { ...view.agent, actions: [done] } };
    const recalled = await recallFor(now(acted), { ...RAG, limit: 4 }, storeMemory(store));
    expect(recalled.map(({ text }) => text)).toEqual(["new", "old", "far", found[0]?.text]);
  });

  it("do not exist if the search fails", async () => {
    const search = async () => ({ ok: false, problem: "the disk is full" }) as const;
    const memory = storeMemory({ ...indexOf().store, search });
    expect(await recallFor(now(viewWith()), RAG, memory)).toEqual([]);
  });
});
