import { describe, expect, it } from "vitest";
import { asId, type View } from "../../../src/kernel/index.ts";
import { recallFor } from "../../../src/mind/llm/recalling.ts";
import type { MemoryStore } from "../../../src/mind/memory/index.ts";
import { offeringWith, viewWith } from "../../support/view.ts";

const RAG = { enabled: true, limit: 2, query_template: "what of {last_action}?" };
const ARTIFACT = { kind: "artifact", bytesMax: 10_000 } as const;

/** An index that finds these, and keeps what it was asked. */
const indexOf = (...texts: readonly string[]) => {
  const queries: string[] = [];
  const store: MemoryStore = {
    add: () => {},
    search: async (agent, query) => {
      queries.push(query);
      const found = texts.map((text, at) => {
        return { agent, number: at + 1, atMs: 0, kind: "action", text, likeness: 1 } as const;
      });
      return { ok: true, found };
    },
    flush: async () => {},
    cutBack: async () => {},
    close: async () => {},
  };
  return { backend: { kind: "index", store } as const, queries };
};

const remembering = (...texts: readonly string[]) => ({
  ...viewWith({ id: "ann" }),
  memoryText: JSON.stringify(
    texts.map((text, at) => ({ n: at + 1, at_ms: 0, kind: "action", text })),
  ),
});

/** A moment in which nobody wants the thought to end. */
const now = (view: View) => ({ view, signal: new AbortController().signal });

describe("what comes to an agent's mind", () => {
  it("is nothing where it does not recall, or has no memory", async () => {
    const { backend, queries } = indexOf("bread is dear");
    const view = viewWith();
    expect(await recallFor(now(view), { ...RAG, enabled: false }, backend)).toEqual([]);
    expect(await recallFor(now(view), { ...RAG, limit: 0 }, backend)).toEqual([]);
    expect(await recallFor(now(view), RAG, { kind: "none" })).toEqual([]);
    expect(queries).toEqual([]);
  });

  it("is so much and no more, and says nothing twice", async () => {
    const texts = ["bread is dear", "bread is dear", "coal is cheap", "iron is out"];
    const recalled = await recallFor(now(viewWith()), RAG, indexOf(...texts).backend);
    expect(recalled.map(({ text }) => text)).toEqual(["bread is dear", "coal is cheap"]);
    const rag = { ...RAG, query_template: "bread coal iron" };
    const own = await recallFor(now(remembering(...texts)), rag, ARTIFACT);
    expect(own).toHaveLength(2);
    expect(new Set(own.map(({ text }) => text)).size).toBe(2);
  });

  it("is asked for in the words of the template, with what it knows filled in", async () => {
    const { backend, queries } = indexOf();
    const template = "{agent_id} {balance} {now_s} {my_artifacts} {other_agents} {last_action} {x}";
    const view = viewWith({
      id: "ann",
      scrip: 7,
      now: 61_000,
      owned: [offeringWith({ id: asId("loom") })],
      principals: ["bob", "cyd"],
    });
    await recallFor(now(view), { ...RAG, query_template: template }, backend);
    const acted = viewWith({ acted: true, lastTarget: "shop", lastCode: "not_found" });
    await recallFor(now(acted), RAG, backend);
    expect(queries).toEqual([
      "ann 7 61 loom bob, cyd none {x}",
      expect.stringMatching(/^what of invoke_artifact shop failed: /),
    ]);
  });

  it("is nothing where the index has trouble, and that stops nobody", async () => {
    const { backend } = indexOf();
    const search = async () => ({ ok: false, problem: "the disk is full" }) as const;
    const store = { ...backend.store, search };
    expect(await recallFor(now(viewWith()), RAG, { kind: "index", store })).toEqual([]);
  });
});
