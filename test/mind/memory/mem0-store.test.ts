import { describe, expect, it, onTestFinished } from "vitest";
import { hashedEmbedder } from "../../../src/mind/memory/embedder/hashed.ts";
import { IndexedStore } from "../../../src/mind/memory/indexed-store.ts";
import { mem0Index } from "../../../src/mind/memory/mem0/mem0-index.ts";
import type { MemoryStore } from "../../../src/mind/memory/memory-store.ts";
import { QdrantServer } from "../../support/qdrant-server/qdrant-server.ts";
import { ALICE, memoriesOf, memory, newFolder, numbersOf, recalled, textsOf } from "./memories.ts";

type Bench = {
  server: QdrantServer;
  warnings: string[];
  open(settings?: { run?: string; apiKey?: string; path?: string }): MemoryStore;
};

const bench = async (): Promise<Bench> => {
  const server = await new QdrantServer().start();
  onTestFinished(() => server.stop());
  const warnings: string[] = [];
  const warn = (text: string): void => void warnings.push(text);
  const embedder = hashedEmbedder();
  const parts = { embedder, extract: null, patienceMs: null, warn };
  const open: Bench["open"] = ({ run = "run one", apiKey = null, path = "" } = {}) => {
    const place = { url: `${server.url}${path}`, apiKey, collection: "memories", run };
    const opened = mem0Index({ place, folder: newFolder(), embedder: embedder.name }, warn);
    const store = new IndexedStore({ ...parts, ...opened });
    onTestFinished(() => store.close());
    return store;
  };
  return { server, warnings, open };
};

const TEXTS = ["sold grain to bob", "bought an oracle", "lost an auction"];

describe("the requests of mem0 to Qdrant", () => {
  it("all carry the key and name one collection", async () => {
    const { server, open } = await bench();
    const store = open({ apiKey: "secret-key" });
    store.add(memoriesOf("alice", TEXTS));
    await recalled(store, { agent: "alice", query: "Alice Smith and Bob Jones at the auction" });
    await store.cutBack(new Map([[ALICE, 1]]));
    expect(server.seen.length).toBeGreaterThan(5);
    expect(new Set(server.seen.map(({ apiKey }) => apiKey))).toEqual(new Set(["secret-key"]));
    expect([...server.collections.keys()]).toEqual(["memories"]);
    for (const { path } of server.seen) expect(path).toMatch(/^\/collections\/memories(\/|$)/);
  });

  it("do not follow redirects", async () => {
    const { server, warnings, open } = await bench();
    const other = await new QdrantServer().start();
    onTestFinished(() => other.stop());
    server.redirectTo = other.url;
    const recall = await open({ apiKey: "secret-key" }).search(ALICE, "?", 1);
    expect(recall.ok).toBe(false);
    expect(warnings).toHaveLength(1);
    expect(server.seen.length).toBeGreaterThan(0);
    expect(other.seen).toEqual([]);
  });

  it("carry no key if there is none", async () => {
    const { server, open } = await bench();
    await recalled(open(), { agent: "alice", query: "?" });
    expect(new Set(server.seen.map(({ apiKey }) => apiKey))).toEqual(new Set([null]));
  });

  it("filter every search by agent and run", async () => {
    const { server, open } = await bench();
    const store = open();
    store.add([...memoriesOf("alice", TEXTS), ...memoriesOf("bob", TEXTS)]);
    await recalled(store, { agent: "alice", query: "bought an oracle" });
    const searches = server.seen.filter(({ path }) => /\/(search|query)$/.test(path));
    expect(searches.length).toBeGreaterThanOrEqual(2);
    for (const { body } of searches) {
      expect(body.filter?.must).toContainEqual({ key: "user_id", match: { value: "alice" } });
      expect(body.filter?.must).toContainEqual({
        key: "run_id",
        match: { value: expect.stringMatching(/^[0-9a-f]{32}$/) },
      });
    }
  });

  it("create the indexes that a strict server requires for filters", async () => {
    const { server, open } = await bench();
    await recalled(open(), { agent: "alice", query: "?" });
    const { indexes } = server.collections.get("memories") ?? expect.fail("no collection");
    expect([...indexes]).toEqual(expect.arrayContaining(["user_id", "run_id", "number"]));
  });

  it("write a record once, even if several stores add it repeatedly", async () => {
    const { server, open } = await bench();
    const [first, second] = [open(), open()];
    for (const store of [first, second, first]) {
      store.add(memoriesOf("alice", TEXTS));
      await store.flush();
    }
    expect(server.points("memories")).toHaveLength(3);
    const payloads = server.points("memories").map(({ payload }) => payload);
    expect(payloads.find(({ number }) => number === 1)).toMatchObject({
      user_id: "alice",
      at_ms: 1000,
      kind: "action",
      data: "sold grain to bob",
    });
    expect(
      server.seen.filter(({ method, path }) => `${method} ${path.slice(-7)}` === "PUT /points"),
    ).toHaveLength(3);
  });
});

it("runs that share a collection do not see each other", async () => {
  const { server, open } = await bench();
  const [one, two] = [open({ run: "run one" }), open({ run: "run two" })];
  one.add(memoriesOf("alice", TEXTS));
  two.add(memoriesOf("alice", ["rested"]));
  await one.flush();
  const query = { agent: "alice", query: "sold grain to bob rested" };
  expect(textsOf(await recalled(two, query))).toEqual(["rested"]);
  await two.cutBack(new Map());
  expect(await recalled(two, query)).toEqual([]);
  expect(server.points("memories")).toHaveLength(3);
});

it("ranks by keywords too if the server supports it", async () => {
  const { server, open } = await bench();
  const store = open();
  store.add(memoriesOf("alice", TEXTS));
  await recalled(store, { agent: "alice", query: "lost an auction" });
  const asked = server.seen.filter(({ path }) => path.endsWith("/query"));
  expect(asked[0]?.body).toMatchObject({ using: "bm25", query: { model: "Qdrant/bm25" } });
});

it("works without keywords, with one warning, if the server does not support them", async () => {
  const { server, warnings, open } = await bench();
  server.infersKeywords = false;
  const store = open();
  store.add(memoriesOf("alice", TEXTS));
  expect(numbersOf(await recalled(store, { agent: "alice", query: TEXTS[2] ?? "" }))[0]).toBe(3);
  store.add([memory("alice", 4, "one more")]);
  await store.flush();
  expect(server.points("memories")).toHaveLength(4);
  expect(warnings.filter((text) => text.includes("BM25"))).toHaveLength(1);
  expect(warnings).toHaveLength(1);
});

describe("a Qdrant that fails", () => {
  it("costs one warning; all memories are found once it is back", async () => {
    const { server, warnings, open } = await bench();
    const store = open();
    store.add(memoriesOf("alice", TEXTS));
    await store.flush();
    await server.stop();
    store.add([memory("alice", 4, "begged for fuel")]);
    for (let time = 0; time < 3; time++) {
      expect(await store.search(ALICE, "fuel", 5)).toMatchObject({ ok: false });
    }
    await store.cutBack(new Map([[ALICE, 4]]));
    expect(warnings).toEqual([expect.stringMatching(/recall nothing for now: .*(fetch|connect)/)]);
    await server.start();
    const found = await recalled(store, { agent: "alice", query: "begged for fuel" });
    expect(numbersOf(found)[0]).toBe(4);
    expect(server.points("memories")).toHaveLength(4);
    expect(warnings).toHaveLength(1);
  });

  it("may fail from the start", async () => {
    const { server, warnings, open } = await bench();
    await server.stop();
    const store = open();
    store.add(memoriesOf("alice", TEXTS));
    await store.flush();
    expect(await store.search(ALICE, "grain", 5)).toMatchObject({ ok: false });
    expect(warnings).toHaveLength(1);
    await server.start();
    expect(await recalled(store, { agent: "alice", query: "grain" })).not.toEqual([]);
    expect(server.points("memories")).toHaveLength(3);
  });

  it("may fail with error answers", async () => {
    const { server, warnings, open } = await bench();
    const store = open();
    server.brokenStatus = 500;
    store.add(memoriesOf("alice", TEXTS));
    expect(await store.search(ALICE, "grain", 5)).toMatchObject({ ok: false });
    expect(warnings).toHaveLength(1);
    server.brokenStatus = null;
    expect(await recalled(store, { agent: "alice", query: "grain" })).not.toEqual([]);
  });

  it("may refuse vectors of another length, which the warning says", async () => {
    const { server, warnings, open } = await bench();
    await fetch(`${server.url}/collections/memories`, {
      method: "PUT",
      body: JSON.stringify({ vectors: { size: 3 } }),
    });
    const store = open();
    store.add(memoriesOf("alice", TEXTS));
    await store.flush();
    expect(warnings[0]).toContain("wrong vector size");
  });
});
