import { describe, expect, it } from "vitest";
import { factExtraction } from "../../src/memory/fact-extraction.ts";
import { IndexedStore } from "../../src/memory/indexed-store.ts";
import type { ModelReply } from "../../src/model/port/model.ts";
import { answer, failure, scripted } from "../model/requests.ts";
import { FakeIndex } from "./fake-index.ts";
import { memory, recalled, textsOf } from "./memories.ts";

const bench = (reply: ModelReply) => {
  const model = scripted(() => reply);
  const warnings: string[] = [];
  const warn = (text: string): void => void warnings.push(text);
  const index = new FakeIndex();
  const { embedder } = index;
  const extract = factExtraction(model, { model: "test/model", reasoning: "low" }, warn);
  const store = new IndexedStore({ index, embedder, extract, warn, patienceMs: null });
  return { store, asked: model.asked, warnings };
};

const facts = (text: string) => bench(answer({ text }));

const RECORD = memory("alice", 1, "Agent alice performed invoke_artifact: paid bob 5 for adder");
const QUERY = { artifact: "alice", query: "?" };

describe("memories with facts extracted by a model", () => {
  it("are stored as the facts", async () => {
    const { store, asked } = facts('Sure: {"facts": ["Bob sells an adder.", "It costs 5."]}');
    store.add([RECORD]);
    expect(textsOf(await recalled(store, QUERY))).toEqual(["Bob sells an adder. It costs 5."]);
    expect(asked).toMatchObject([
      { model: "test/model", purpose: "infer", agent: null, maxTokens: 400, reasoning: "low" },
    ]);
    expect(asked[0]?.prompt).toContain("paid bob 5 for adder");
  });

  it("are extracted once, even if they are added again", async () => {
    const { store, asked } = facts('{"facts": ["One."]}');
    for (let time = 0; time < 3; time++) {
      store.add([RECORD]);
      await store.flush();
    }
    expect(asked).toHaveLength(1);
  });

  const strange = ["", "no JSON", '{"facts": 7}', '{"facts": [""]}', "}{", '{"facts": []}'];
  it.each(strange)("are unchanged for the reply %j", async (reply) => {
    const { store, warnings } = facts(reply);
    store.add([RECORD]);
    expect(textsOf(await recalled(store, QUERY))).toEqual([RECORD.text]);
    expect(warnings).toEqual([]);
  });

  it("are bounded for a long reply", async () => {
    const long = Array.from({ length: 100 }, () => "x".repeat(5_000));
    const { store } = facts(JSON.stringify({ facts: long }));
    store.add([RECORD]);
    const [text = ""] = textsOf(await recalled(store, QUERY));
    expect(text.length).toBeLessThan(2_000);
  });

  it("are unchanged, with one warning, if the model fails", async () => {
    const { store, warnings } = bench(failure({ fault: "timeout" }));
    store.add([RECORD, memory("alice", 2, "and another")]);
    expect(await recalled(store, QUERY)).toHaveLength(2);
    expect(warnings).toEqual([expect.stringContaining("no luck")]);
  });
});
