import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.ts";
import {
  ALICE,
  closing,
  collectionOf,
  memoriesOf,
  memory,
  numbersOf,
  openMem0,
  recalled,
  startedQdrant,
  textsOf,
} from "./memories.ts";

const bench = async () => {
  const server = await startedQdrant();
  const warnings: string[] = [];
  const warn = (text: string): void => void warnings.push(text);
  const open = (options: { run?: string; apiKey?: string } = {}) =>
    closing(openMem0({ url: server.url, folder: temporaryFolder(), warn, ...options }));
  return { server, warnings, open };
};

const TEXTS = ["sold grain to bob", "bought an oracle", "lost an auction"];

describe("the requests of mem0 to Qdrant", () => {
  it("carry the key, name one collection, and search by artifact, run and keywords", async () => {
    const { server, open } = await bench();
    const store = open({ apiKey: "secret-key" });
    store.add([...memoriesOf("alice", TEXTS), ...memoriesOf("bob", TEXTS)]);
    await recalled(store, { artifact: "alice", query: "Alice Smith and Bob Jones at the auction" });
    await store.cutBack(new Map([[ALICE, 1]]));

    expect(server.seen.length).toBeGreaterThan(5);
    expect(new Set(server.seen.map(({ apiKey }) => apiKey))).toEqual(new Set(["secret-key"]));
    expect([...server.collections.keys()]).toEqual(["memories"]);
    for (const { path } of server.seen) expect(path).toMatch(/^\/collections\/memories(\/|$)/);

    // A strict server requires an index for each filter.
    const { indexes } = server.collections.get("memories") ?? expect.fail("no collection");
    expect([...indexes.keys()]).toEqual(expect.arrayContaining(["user_id", "run_id", "number"]));

    const searches = server.seen.filter(({ path }) => /\/(search|query)$/.test(path));
    expect(searches.length).toBeGreaterThanOrEqual(2);
    for (const { body } of searches) {
      expect(body.filter?.must).toContainEqual({ key: "user_id", match: { value: "alice" } });
      const run = { value: expect.stringMatching(/^[0-9a-f]{32}$/) };
      expect(body.filter?.must).toContainEqual({ key: "run_id", match: run });
    }
    const [byKeyword] = server.seen.filter(({ path }) => path.endsWith("/query"));
    expect(byKeyword?.body).toMatchObject({ using: "bm25", query: { model: "Qdrant/bm25" } });
  });

  it("do not follow redirects", async () => {
    const { server, warnings, open } = await bench();
    const other = await startedQdrant();
    server.redirectTo = other.url;
    expect((await open({ apiKey: "secret-key" }).search([ALICE], "?", 1)).ok).toBe(false);
    expect(warnings).toHaveLength(1);
    expect(server.seen.length).toBeGreaterThan(0);
    expect(other.seen).toEqual([]);
  });

  it("write a record once, even if several stores add it repeatedly, without a key", async () => {
    const { server, open } = await bench();
    const [first, second] = [open(), open()];
    for (const store of [first, second, first]) {
      store.add(memoriesOf("alice", TEXTS));
      await store.flush();
    }
    expect(server.points("memories")).toHaveLength(3);
    const payloads = server.points("memories").map(({ payload }) => payload);
    const sold = { user_id: "alice", at_ms: 1000, kind: "action", data: "sold grain to bob" };
    expect(payloads.find(({ number }) => number === 1)).toMatchObject(sold);
    const puts = server.seen.filter(({ method }) => method === "PUT");
    expect(puts.filter(({ path }) => path.endsWith("/points"))).toHaveLength(3);
    expect(new Set(server.seen.map(({ apiKey }) => apiKey))).toEqual(new Set([null]));
  });
});

it("runs that share a collection do not see each other", async () => {
  const { server, open } = await bench();
  const [one, two] = [open({ run: "run one" }), open({ run: "run two" })];
  one.add(memoriesOf("alice", TEXTS));
  two.add(memoriesOf("alice", ["rested"]));
  await one.flush();
  const query = { artifact: "alice", query: "sold grain to bob rested" };
  expect(textsOf(await recalled(two, query))).toEqual(["rested"]);
  await two.cutBack(new Map());
  expect(await recalled(two, query)).toEqual([]);
  expect(server.points("memories")).toHaveLength(3);
});

it("a server without keywords causes one warning and finds by meaning", async () => {
  const { server, warnings, open } = await bench();
  server.infersKeywords = false;
  const store = open();
  store.add(memoriesOf("alice", TEXTS));
  expect(numbersOf(await recalled(store, { artifact: "alice", query: TEXTS[2] ?? "" }))[0]).toBe(3);
  store.add([memory("alice", 4, "one more")]);
  await store.flush();
  expect(server.points("memories")).toHaveLength(4);
  expect(warnings).toEqual([expect.stringContaining("BM25")]);
});

describe("a Qdrant server that fails", () => {
  it("causes one warning; all memories are found once it is back", async () => {
    const { server, warnings, open } = await bench();
    const store = open();
    // It is down at first.
    await server.stop();
    store.add(memoriesOf("alice", TEXTS));
    await store.flush();
    expect(await store.search([ALICE], "grain", 5)).toMatchObject({ ok: false });
    const warning = expect.stringMatching(/cannot recall memories for now: .*(fetch|connect)/);
    expect(warnings).toEqual([warning]);
    await server.start();
    expect(await recalled(store, { artifact: "alice", query: "grain" })).not.toEqual([]);
    expect(server.points("memories")).toHaveLength(3);
    expect(warnings).toHaveLength(1);
    // It goes down again.
    await server.stop();
    store.add([memory("alice", 4, "begged for fuel")]);
    for (let time = 0; time < 3; time++) {
      expect(await store.search([ALICE], "fuel", 5)).toMatchObject({ ok: false });
    }
    await store.cutBack(new Map([[ALICE, 4]]));
    expect(warnings).toEqual([warning, warning]);
    await server.start();
    const found = await recalled(store, { artifact: "alice", query: "begged for fuel" });
    expect(numbersOf(found)[0]).toBe(4);
    expect(server.points("memories")).toHaveLength(4);
    expect(warnings).toHaveLength(2);
  });

  it("causes one warning for error answers", async () => {
    const { server, warnings, open } = await bench();
    const store = open();
    server.brokenStatus = 500;
    store.add(memoriesOf("alice", TEXTS));
    expect(await store.search([ALICE], "grain", 5)).toMatchObject({ ok: false });
    expect(warnings).toHaveLength(1);
    server.brokenStatus = null;
    expect(await recalled(store, { artifact: "alice", query: "grain" })).not.toEqual([]);
  });

  it("causes a warning that says so if it refuses vectors of another length", async () => {
    const { server, warnings, open } = await bench();
    await collectionOf(server, { size: 3, distance: "Cosine" });
    const store = open();
    store.add(memoriesOf("alice", TEXTS));
    await store.flush();
    expect(warnings[0]).toContain("wrong vector size");
  });
});
