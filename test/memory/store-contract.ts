import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { MemoryStore } from "../../src/memory/port/memory-store.ts";
import { ALICE, BOB, memoriesOf, memory, numbersOf, recalled, textsOf } from "./memories.ts";

const ORACLE = "Agent alice performed write_artifact: a price oracle for grain";
const ADDER = "Agent alice performed invoke_artifact: paid five scrip for the adder";
const HANDBOOK = "Agent alice performed read_artifact: the handbook page about auctions";
const TEXTS = [ORACLE, ADDER, HANDBOOK];
const ABOUT_AUCTIONS = "the handbook page about auctions";

/** The contract of every `MemoryStore`. `open` always opens the same memories. */
export const storeContract = (open: () => MemoryStore): void => {
  let store: MemoryStore;
  beforeAll(() => {
    store = open();
  });
  // One store for all tests, because some start slowly.
  beforeEach(() => store.cutBack(new Map()));
  afterAll(() => store.close());

  it("finds nothing if nothing was added", async () => {
    expect(await store.search([ALICE], "anything", 5)).toEqual({ ok: true, found: [] });
  });

  it("finds what was just added, nearest first, with all its fields", async () => {
    store.add(memoriesOf("alice", TEXTS));
    const found = await recalled(store, { artifact: "alice", query: ABOUT_AUCTIONS });
    const { similarity = 0, ...best } = found[0] ?? {};
    expect(best).toEqual(memory("alice", 3, HANDBOOK));
    expect(similarity).toBeGreaterThan(0.3);
    expect(similarity).toBeLessThanOrEqual(1);
    const order = found.map((each) => each.similarity);
    expect(order).toEqual([...order].sort((a, b) => b - a));
  });

  it("finds at most the limit", async () => {
    store.add(memoriesOf("alice", TEXTS));
    expect(await recalled(store, { artifact: "alice", query: "alice", limit: 2 })).toHaveLength(2);
    expect(await recalled(store, { artifact: "alice", query: "alice", limit: 0 })).toEqual([]);
  });

  it("never finds the memories of another artifact, not even a perfect match", async () => {
    store.add(memoriesOf("alice", ["Agent alice performed noop: rested"]));
    store.add(memoriesOf("bob", TEXTS));
    const found = await recalled(store, { artifact: "alice", query: HANDBOOK, limit: 50 });
    expect(found.map(({ artifact }) => artifact)).toEqual(["alice"]);
    expect(textsOf(found)).not.toContain(HANDBOOK);
    expect(await recalled(store, { artifact: "carol", query: HANDBOOK })).toEqual([]);
  });

  it("skips records that it has, by artifact and number", async () => {
    store.add(memoriesOf("alice", TEXTS));
    await store.flush();
    store.add(memoriesOf("alice", TEXTS));
    store.add(memoriesOf("bob", TEXTS));
    store.add(memoriesOf("bob", TEXTS));
    for (const artifact of ["alice", "bob"]) {
      const found = await recalled(store, { artifact, query: ABOUT_AUCTIONS, limit: 50 });
      expect(found.length).toBeLessThanOrEqual(3);
      expect(new Set(numbersOf(found)).size).toBe(found.length);
    }
  });

  it("finds the newer of equals first", async () => {
    const same = Array.from({ length: 28 }, () => "Agent alice performed noop: waited");
    store.add(memoriesOf("alice", ["Agent alice performed noop: paid the lender", ...same]));
    const found = await recalled(store, { artifact: "alice", query: same[0] ?? "", limit: 3 });
    expect(numbersOf(found)).toEqual([29, 28, 27]);
  });

  it("deletes records above the counts and those of artifacts without a count", async () => {
    store.add(memoriesOf("alice", TEXTS));
    store.add(memoriesOf("bob", TEXTS));
    await store.flush();
    store.add([memory("alice", 4, "Agent alice performed noop: not in the index yet")]);
    await store.cutBack(new Map([[ALICE, 2]]));
    const query = "price oracle, scrip for an adder";
    const found = await recalled(store, { artifact: "alice", query, limit: 9 });
    expect([...numbersOf(found)].sort()).toEqual([1, 2]);
    expect(await recalled(store, { artifact: "bob", query: ABOUT_AUCTIONS })).toEqual([]);
  });

  it("accepts other records with the deleted numbers", async () => {
    store.add(memoriesOf("alice", TEXTS));
    await store.flush();
    await store.cutBack(new Map([[ALICE, 2]]).set(BOB, 0));
    store.add([memory("alice", 3, "Agent alice performed invoke_artifact: bid at the mint")]);
    const found = await recalled(store, { artifact: "alice", query: "bid at the mint", limit: 1 });
    expect(found[0]).toMatchObject({ number: 3, text: expect.stringContaining("mint") });
  });

  it("accepts odd texts: blank, long, with half characters", async () => {
    const odd = ["", " \n ", "x".repeat(100_000), "half \ud83d", "日本語のテキスト", "\u0000 null"];
    store.add(memoriesOf("alice", odd));
    for (const text of odd) {
      expect(await store.search([ALICE], text, 3)).toMatchObject({ ok: true });
    }
    expect(await recalled(store, { artifact: "alice", query: "half" })).not.toEqual([]);
  });

  it("fails once it is closed, and has the flushed records after a restart", async () => {
    store.add(memoriesOf("alice", TEXTS));
    await store.flush();
    await store.close();
    store.add([memory("alice", 4, HANDBOOK)]);
    await store.flush();
    await store.cutBack(new Map());
    expect(await store.search([ALICE], "anything", 5)).toMatchObject({ ok: false });
    await store.close();
    store = open();
    const found = await recalled(store, { artifact: "alice", query: ABOUT_AUCTIONS, limit: 1 });
    expect(numbersOf(found)).toEqual([3]);
  });
};
