import { describe, expect, it, onTestFinished } from "vitest";
import type { MemoryStore } from "../../../src/mind/memory/memory-store.ts";
import { ALICE, BOB, memoriesOf, memory, numbersOf, recalled, textsOf } from "./memories.ts";

/** A store, and the same again after it was closed. */
export type StoreBench = { open(): MemoryStore };

const TEXTS = [
  "Agent alice performed write_artifact: a price oracle for grain",
  "Agent alice performed invoke_artifact: paid five scrip for the adder",
  "Agent alice performed read_artifact: the handbook page about auctions",
];
const ABOUT_AUCTIONS = "the handbook page about auctions";

/** What every `MemoryStore` does. `bench` makes fresh ground for one test. */
export const storeContract = (
  name: string,
  bench: () => StoreBench | Promise<StoreBench>,
): void => {
  const opened = async (): Promise<{ store: MemoryStore; again(): MemoryStore }> => {
    const ground = await bench();
    const open = (): MemoryStore => {
      const store = ground.open();
      onTestFinished(() => store.close());
      return store;
    };
    return { store: open(), again: open };
  };

  describe(name, () => {
    it("finds nothing where nothing was added", async () => {
      const { store } = await opened();
      expect(await store.search(ALICE, "anything", 5)).toEqual({ ok: true, found: [] });
    });

    it("finds what was added just before, nearest first, with all that was told", async () => {
      const { store } = await opened();
      store.add(memoriesOf("alice", TEXTS));
      const found = await recalled(store, { agent: "alice", query: ABOUT_AUCTIONS });
      const { likeness = 0, ...best } = found[0] ?? {};
      expect(best).toEqual(memory("alice", 3, TEXTS[2] ?? ""));
      expect(likeness).toBeGreaterThan(0.3);
      expect(likeness).toBeLessThanOrEqual(1);
      const order = found.map((each) => each.likeness);
      expect(order).toEqual([...order].sort((a, b) => b - a));
    });

    it("finds no more than asked for", async () => {
      const { store } = await opened();
      store.add(memoriesOf("alice", TEXTS));
      expect(await recalled(store, { agent: "alice", query: "alice", limit: 2 })).toHaveLength(2);
      expect(await recalled(store, { agent: "alice", query: "alice", limit: 0 })).toEqual([]);
    });

    it("never shows an agent the memories of another, even a perfect match", async () => {
      const { store } = await opened();
      store.add(memoriesOf("alice", ["Agent alice performed noop: rested"]));
      store.add(memoriesOf("bob", TEXTS));
      const found = await recalled(store, { agent: "alice", query: TEXTS[2] ?? "", limit: 50 });
      for (const each of found) expect(each.agent).toBe("alice");
      expect(textsOf(found)).not.toContain(TEXTS[2]);
      expect(await recalled(store, { agent: "carol", query: TEXTS[2] ?? "" })).toEqual([]);
    });

    it("leaves records that it knows by agent and number", async () => {
      const { store } = await opened();
      store.add(memoriesOf("alice", TEXTS));
      await store.flush();
      store.add(memoriesOf("alice", TEXTS));
      store.add(memoriesOf("bob", TEXTS));
      store.add(memoriesOf("bob", TEXTS));
      for (const agent of ["alice", "bob"]) {
        const found = await recalled(store, { agent, query: ABOUT_AUCTIONS, limit: 50 });
        expect(found.length).toBeLessThanOrEqual(3);
        expect(new Set(numbersOf(found)).size).toBe(found.length);
      }
    });

    it("puts the newer of equals first", async () => {
      const { store } = await opened();
      const same = Array.from({ length: 28 }, () => "Agent alice performed noop: waited");
      store.add(memoriesOf("alice", ["Agent alice performed noop: paid the lender", ...same]));
      const found = await recalled(store, { agent: "alice", query: same[0] ?? "", limit: 3 });
      expect(numbersOf(found)).toEqual([29, 28, 27]);
    });

    it("forgets what is past the counts, and all of whom they do not name", async () => {
      const { store } = await opened();
      store.add(memoriesOf("alice", TEXTS));
      store.add(memoriesOf("bob", TEXTS));
      await store.flush();
      store.add([memory("alice", 4, "Agent alice performed noop: not in the index yet")]);
      await store.cutBack(new Map([[ALICE, 2]]));
      const alices = await recalled(store, {
        agent: "alice",
        query: "price oracle, scrip for an adder",
        limit: 9,
      });
      expect([...numbersOf(alices)].sort()).toEqual([1, 2]);
      expect(await recalled(store, { agent: "bob", query: ABOUT_AUCTIONS })).toEqual([]);
    });

    it("takes other records under the numbers that were cut away", async () => {
      const { store } = await opened();
      store.add(memoriesOf("alice", TEXTS));
      await store.flush();
      await store.cutBack(
        new Map([
          [ALICE, 2],
          [BOB, 0],
        ]),
      );
      store.add([memory("alice", 3, "Agent alice performed invoke_artifact: bid at the mint")]);
      const found = await recalled(store, { agent: "alice", query: "bid at the mint", limit: 1 });
      expect(found[0]).toMatchObject({ number: 3, text: expect.stringContaining("mint") });
    });

    it("has after a restart what was flushed before", async () => {
      const { store, again } = await opened();
      store.add(memoriesOf("alice", TEXTS));
      await store.flush();
      await store.close();
      const found = await recalled(again(), { agent: "alice", query: ABOUT_AUCTIONS, limit: 1 });
      expect(numbersOf(found)).toEqual([3]);
    });

    it("takes odd texts: blank, long, of half characters", async () => {
      const { store } = await opened();
      const odd = [
        "",
        " \n ",
        "x".repeat(100_000),
        "half \ud83d",
        "日本語のテキスト",
        "\u0000 null",
      ];
      store.add(memoriesOf("alice", odd));
      for (const text of odd) {
        expect(await store.search(ALICE, text, 3)).toMatchObject({ ok: true });
      }
      expect(await recalled(store, { agent: "alice", query: "half" })).not.toEqual([]);
    });

    it("answers with trouble, and takes nothing, once it is closed", async () => {
      const { store } = await opened();
      await store.close();
      store.add(memoriesOf("alice", TEXTS));
      await store.flush();
      await store.cutBack(new Map());
      expect(await store.search(ALICE, "anything", 5)).toMatchObject({ ok: false });
      await store.close();
    });
  });
};
