import { describe, expect, it } from "vitest";
import { factExtraction } from "../../../src/mind/memory/fact-extraction.ts";
import { IndexedStore } from "../../../src/mind/memory/indexed-store.ts";
import type { Model, ModelReply, ModelRequest } from "../../../src/mind/model/model.ts";
import { NO_TOKENS } from "../../../src/mind/model/model.ts";
import { memory, recalled, textsOf } from "./memories.ts";
import { PuppetIndex } from "./puppet-index.ts";

type Bench = { store: IndexedStore; asked: ModelRequest[]; warnings: string[]; index: PuppetIndex };

const answered = (text: string): ModelReply => ({
  ok: true,
  text,
  servedBy: "test/model",
  usage: NO_TOKENS,
  latencyMs: 1,
});

const failed: ModelReply = {
  ok: false,
  fault: "timeout",
  message: "no answer in time",
  retriable: true,
  retryAfterMs: null,
  servedBy: "test/model",
  usage: NO_TOKENS,
  latencyMs: 1,
};

const bench = (reply: ModelReply): Bench => {
  const asked: ModelRequest[] = [];
  const warnings: string[] = [];
  const warn = (text: string): void => void warnings.push(text);
  const model: Model = {
    ask: async (request) => {
      asked.push(request);
      return reply;
    },
  };
  const index = new PuppetIndex();
  const extract = factExtraction({ model, name: "test/model", warn });
  const store = new IndexedStore({
    index,
    embedder: index.embedder,
    extract,
    warn,
    patienceMs: null,
  });
  return { store, asked, warnings, index };
};

const RECORD = memory("alice", 1, "Agent alice performed invoke_artifact: paid bob 5 for adder");
const QUERY = { agent: "alice", query: "?" };

describe("memories that a model reduces to facts", () => {
  it("are remembered as the facts", async () => {
    const { store, asked } = bench(
      answered('Sure: {"facts": ["Bob sells an adder.", "It costs 5."]}'),
    );
    store.add([RECORD]);
    expect(textsOf(await recalled(store, QUERY))).toEqual(["Bob sells an adder. It costs 5."]);
    expect(asked).toMatchObject([{ model: "test/model", purpose: "infer", agent: null }]);
    expect(asked[0]?.prompt).toContain("paid bob 5 for adder");
  });

  it("are asked for once, however often they are added", async () => {
    const { store, asked } = bench(answered('{"facts": ["One."]}'));
    for (let time = 0; time < 3; time++) {
      store.add([RECORD]);
      await store.flush();
    }
    expect(asked).toHaveLength(1);
  });

  const strange = ["", "no JSON", '{"facts": 7}', '{"facts": [""]}', "}{", '{"facts": []}'];
  it.each(strange)("stay as they are when the model says %j", async (reply) => {
    const { store, warnings } = bench(answered(reply));
    store.add([RECORD]);
    expect(textsOf(await recalled(store, QUERY))).toEqual([RECORD.text]);
    expect(warnings).toEqual([]);
  });

  it("are bounded, however much the model says", async () => {
    const facts = Array.from({ length: 100 }, () => "x".repeat(5_000));
    const { store } = bench(answered(JSON.stringify({ facts })));
    store.add([RECORD]);
    const [text = ""] = textsOf(await recalled(store, QUERY));
    expect(text.length).toBeLessThan(2_000);
  });

  it("stay as they are, with one warning, when the model fails", async () => {
    const { store, warnings } = bench(failed);
    store.add([RECORD, memory("alice", 2, "and another")]);
    expect(await recalled(store, QUERY)).toHaveLength(2);
    expect(warnings).toEqual([expect.stringContaining("no answer in time")]);
  });
});
