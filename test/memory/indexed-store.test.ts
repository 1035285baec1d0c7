import { describe, expect, it } from "vitest";
import { asId } from "../../src/kernel/index.ts";
import { IndexedStore, type StoreParts } from "../../src/memory/indexed-store.ts";
import { manualTime, settled } from "../model/manual-time.ts";
import { FakeIndex } from "./fake-index.ts";
import { ALICE, BOB, memory, recalled, textsOf, upTo } from "./memories.ts";

const bench = (more: Partial<StoreParts> = {}) => {
  const index = new FakeIndex();
  const warnings: string[] = [];
  const { embedder } = index;
  const warn = (text: string): void => void warnings.push(text);
  const parts = { index, embedder, extract: null, patienceMs: null, warn };
  const store = new IndexedStore({ ...parts, ...more });
  /** Adds so many memories of an artifact. */
  const add = (artifact: string, count: number): boolean =>
    store.add(
      upTo(count).map((number) => memory(artifact, number, `${artifact}'s memory ${number}`)),
    );
  return { index, store, add, warnings };
};

describe("pending records", () => {
  it("are not indexed without a search while there are few", async () => {
    const { index, add } = bench();
    add("alice", 31);
    await settled();
    expect(index.calls).toBe(0);
  });

  it("are indexed in batches once there are enough", async () => {
    const { index, add } = bench();
    add("alice", 20);
    add("bob", 20);
    await settled();
    expect(index.held.size).toBe(40);
    expect(index.embedded.map(({ length }) => length)).toEqual([16, 16, 8]);
  });

  it("of the searching artifact are indexed first, and only those", async () => {
    const { index, store, add } = bench();
    add("bob", 10);
    add("alice", 2);
    await recalled(store, { artifact: "alice", query: "?" });
    expect(index.texts).toEqual(["alice's memory 1", "alice's memory 2"]);
    await store.flush();
    expect(index.held.size).toBe(12);
  });

  it("of other artifacts do not delay a search", async () => {
    const { index, store, add } = bench();
    const release = index.holdUp();
    add("bob", 40);
    await settled();
    add("alice", 1);
    const bobs = store.search([BOB], "?", 50);
    release();
    const alices = await recalled(store, { artifact: "alice", query: "?" });
    expect(textsOf(alices)).toEqual(["alice's memory 1"]);
    const found = await bobs;
    expect(found.ok && found.found).toHaveLength(40);
  });

  it("are not embedded again if the index has them", async () => {
    const { index, store, add } = bench();
    add("alice", 3);
    await store.flush();
    add("alice", 3);
    await store.flush();
    expect(index.embedded).toHaveLength(1);
  });
});

describe("a failure of the index", () => {
  it("is reported once and loses no records", async () => {
    const { index, store, add, warnings } = bench();
    index.failure = "connection refused";
    add("alice", 40);
    await settled();
    await store.flush();
    expect(await store.search([ALICE], "?", 5)).toEqual({
      ok: false,
      problem: "connection refused",
    });
    store.add([memory("alice", 41, "added during the failure")]);
    await store.flush();
    expect(warnings).toEqual(["agents cannot recall memories for now: connection refused"]);
    index.failure = null;
    expect(await recalled(store, { artifact: "alice", query: "?", limit: 99 })).toHaveLength(41);
    expect(warnings).toHaveLength(1);
  });

  it("is reported again, up to a maximum", async () => {
    const { index, store, warnings } = bench();
    for (let outage = 0; outage < 20; outage++) {
      index.failure = "gone";
      await store.search([ALICE], "?", 5);
      index.failure = null;
      await store.search([ALICE], "?", 5);
    }
    expect(warnings).toHaveLength(5);
    expect(warnings[4]).toContain("not repeated");
  });

  it("is retried by one search at a time; others fail at once", async () => {
    const { index, store } = bench();
    index.failure = "no answer";
    await store.search([ALICE], "?", 5);
    const release = index.holdUp();
    const trying = store.search([ALICE], "?", 5);
    const { calls } = index;
    const others = [BOB, asId("carol")].map((artifact) => store.search([artifact], "?", 5));
    const answer = { ok: false, problem: "no answer" };
    expect(await Promise.all(others)).toEqual([answer, answer]);
    expect(index.calls).toBe(calls);
    index.failure = null;
    release();
    expect(await trying).toMatchObject({ ok: true });
    expect(await store.search([BOB], "?", 5)).toMatchObject({ ok: true });
  });
});

it("a cut that failed is made before anything else", async () => {
  const { index, store, add } = bench();
  add("alice", 5);
  await store.flush();
  index.failure = "gone";
  await store.cutBack(new Map([[ALICE, 1]]));
  store.add([memory("alice", 2, "another second")]);
  expect(await store.search([ALICE], "?", 5)).toMatchObject({ ok: false });
  index.failure = null;
  const found = await recalled(store, { artifact: "alice", query: "?" });
  expect(textsOf(found)).toEqual(["alice's memory 1", "another second"]);
});

it("records that the index reports to have are not embedded again after a restore", async () => {
  const { index, store, add } = bench();
  index.bySpelling = true;
  index.reportedCounts = [[ALICE, 4]];
  const cut = store.cutBack(new Map([[ALICE, 6]]).set(BOB, 2));
  add("alice", 6);
  add("bob", 2);
  await cut;
  await store.flush();
  const missing = ["alice's memory 5", "alice's memory 6", "bob's memory 1", "bob's memory 2"];
  expect(index.texts.toSorted()).toEqual(missing);
});

describe("an embedder that hangs", () => {
  const TOO_LONG = { ok: false, problem: "the search took longer than 10 s" };

  it("delays one search; then searches fail at once for 30 s", async () => {
    const time = manualTime();
    const { index, store, warnings } = bench({ patienceMs: 10_000, time });
    const release = index.holdUp();
    const search = () => store.search([ALICE], "?", 1);
    const first = search();
    await time.pass(9_999);
    expect(time.armed).toBe(1);
    await time.pass(1);
    expect(await first).toEqual(TOO_LONG);
    expect(await search()).toEqual(TOO_LONG);
    await time.pass(29_999);
    expect(await search()).toEqual(TOO_LONG);
    expect(time.armed).toBe(0);
    expect(warnings).toEqual([
      "agents cannot recall memories for now: the search took longer than 10 s",
    ]);
    release();
    await time.pass(1);
    expect(await search()).toEqual({ ok: true, found: [] });
    expect(time.armed).toBe(0);
  });

  it("is used again as soon as it has answered", async () => {
    const time = manualTime();
    const { index, store, add } = bench({ patienceMs: 10_000, time });
    const release = index.holdUp();
    add("alice", 1);
    const first = store.search([ALICE], "?", 1);
    await time.pass(10_000);
    expect(await first).toEqual(TOO_LONG);
    release();
    await settled();
    expect(await store.search([ALICE], "?", 1)).toMatchObject({ ok: true });
  });
});
