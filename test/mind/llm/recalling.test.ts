import { describe, expect, it } from "vitest";
import { asId, type View } from "../../../src/kernel/index.ts";
import { recallFor } from "../../../src/mind/llm/memories.ts";
import { storeMemory } from "../../../src/mind/memory/agent-memory.ts";
import { artifactMemory, withRecords } from "../../../src/mind/memory/artifact-memory.ts";
import type { MemoryStore } from "../../../src/mind/memory/index.ts";
import { offeringWith, viewWith } from "../../support/view.ts";
import { memoriesOf } from "../memory/memories.ts";

const RAG = { enabled: true, limit: 2, query_template: "what of {last_action}?" };
const ARTIFACT = artifactMemory(10_000);

/** An index that finds these texts and records its queries. */
const indexOf = (...texts: readonly string[]) => {
  const queries: string[] = [];
  const store: MemoryStore = {
    add: () => {},
    search: async ([artifact = asId("none")], query) => {
      queries.push(query);
      const found = texts.map((text, at) => {
        return { artifact, number: at + 1, atMs: 0, kind: "action", text, likeness: 1 } as const;
      });
      return { ok: true, found };
    },
    flush: async () => {},
    cutBack: async () => {},
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
    expect(recalled.map(({ text }) => text)).toEqual(["bread is dear", "coal is cheap"]);
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

  it("do not exist if the search fails", async () => {
    const search = async () => ({ ok: false, problem: "the disk is full" }) as const;
    const memory = storeMemory({ ...indexOf().store, search });
    expect(await recallFor(now(viewWith()), RAG, memory)).toEqual([]);
  });
});
