import { mkdirSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Worker } from "node:worker_threads";
import { describe, expect, it, onTestFinished } from "vitest";
import { hashedEmbedder } from "../../../src/mind/memory/embedder/hashed.ts";
import type { Embedder, MemoryStore } from "../../../src/mind/memory/memory-store.ts";
import {
  ALICE,
  BOB,
  memoriesOf,
  memory,
  newFolder,
  numbersOf,
  recalled,
  sqliteStore,
  textsOf,
} from "./memories.ts";

type Opened = { store: MemoryStore; warnings: string[] };

type Asked = { readonly embedder?: Embedder; readonly run?: string };

const open = (folder: string, asked: Asked = {}): Opened => {
  const warnings: string[] = [];
  const store = sqliteStore(folder, { ...asked, warn: (text) => void warnings.push(text) });
  return { store, warnings };
};

const filled = async (folder: string, count: number): Promise<void> => {
  const { store } = open(folder);
  store.add(
    memoriesOf(
      "alice",
      Array.from({ length: count }, (_, i) => `memory number ${i + 1}`),
    ),
  );
  await store.flush();
  await store.close();
};

const fileIn = (folder: string): string => join(folder, "memory.db");

/** Embeds by spelling as if it were a model, and records its texts. */
const counting = (asked: string[]): Embedder => {
  const hashed = hashedEmbedder();
  return {
    ...hashed,
    bySpelling: false,
    embed: (texts) => {
      asked.push(...texts);
      return hashed.embed(texts);
    },
  };
};

/** Damages blocks in a way that SQLite does not detect. */
const changed =
  (change: string) =>
  (path: string): void => {
    const database = new DatabaseSync(path);
    database.exec(`UPDATE blocks SET ${change}`);
    database.close();
  };

describe("the file of a SQLite index", () => {
  it("is not created by a flush without records", async () => {
    const folder = newFolder();
    const { store } = open(folder);
    await store.flush();
    await store.close();
    expect(() => statSync(fileIn(folder))).toThrow("ENOENT");
  });

  it("is not created by a cut", async () => {
    const folder = newFolder();
    const { store } = open(folder);
    await store.cutBack(new Map([[ALICE, 3]]));
    await store.flush();
    expect(() => statSync(fileIn(folder))).toThrow("ENOENT");
    store.add(memoriesOf("alice", ["one"]));
    expect(await recalled(store, { agent: "alice", query: "one" })).toHaveLength(1);
  });

  it("is created with its folder", async () => {
    const folder = join(newFolder(), "runs", "one");
    await filled(folder, 1);
    expect(statSync(fileIn(folder)).size).toBeGreaterThan(0);
  });

  it("is complete after a flush, without its log", async () => {
    const folder = newFolder();
    const { store } = open(folder);
    store.add(memoriesOf("alice", ["one", "two"]));
    await store.flush();
    expect(statSync(`${fileIn(folder)}-wal`).size).toBe(0);
    const copy = newFolder();
    writeFileSync(fileIn(copy), readFileSync(fileIn(folder)));
    const again = open(copy);
    expect(await recalled(again.store, { agent: "alice", query: "one" })).toHaveLength(2);
  });

  const damages: readonly (readonly [string, (path: string) => void])[] = [
    ["holds something else", (path) => writeFileSync(path, "not a database ".repeat(1_000))],
    ["is cut off", (path) => truncateSync(path, statSync(path).size / 2)],
    [
      "is full of noise from its second page on",
      (path) => {
        const bytes = readFileSync(path);
        writeFileSync(path, bytes.fill(0xa5, 32_768));
      },
    ],
    ["has a block whose records are cut off", changed("records = substr(records, 1, 99)")],
    ["has a block whose records are no list", changed("records = 'null' WHERE place = 0")],
    ["has a block with one record too few", changed("records = json_remove(records, '$[5]')")],
    ["has a record without a text", changed("records = json_remove(records, '$[5][3]')")],
    ["has a block without vectors", changed("vectors = x'' WHERE place = 0")],
    [
      "has a block of half its vectors",
      changed("vectors = substr(vectors, 1, length(vectors) / 2) WHERE place = 0"),
    ],
    ["has a block that ends in a number", changed("vectors = substr(vectors, 1, 4095)")],
    ["has a block of more memories than can be", changed("held = 9007199254740993")],
  ];
  it.each(damages)("is replaced with one warning if it %s", async (_, damage) => {
    const folder = newFolder();
    await filled(folder, 300);
    damage(fileIn(folder));
    const { store, warnings } = open(folder);
    store.add([memory("alice", 301, "a memory after the damage")]);
    const found = await recalled(store, { agent: "alice", query: "after the damage" });
    expect(numbersOf(found)).toContain(301);
    expect(warnings).toEqual([expect.stringContaining("created again")]);
  });

  it.each<readonly [string, Asked, string]>([
    ["other vectors are", { embedder: { ...hashedEmbedder(), name: "other" } }, "its embedder is"],
    ["another run's memories are", { run: "another" }, "its run is run, not another"],
  ])("is replaced if %s in it", async (_, asked, words) => {
    const folder = newFolder();
    await filled(folder, 3);
    const { store, warnings } = open(folder, asked);
    expect(await recalled(store, { agent: "alice", query: "memory" })).toEqual([]);
    expect(warnings).toEqual([expect.stringContaining(words)]);
  });

  it("costs recall and one warning if it cannot be opened", async () => {
    const folder = newFolder();
    mkdirSync(fileIn(folder));
    const { store, warnings } = open(folder);
    store.add(memoriesOf("alice", ["one", "two"]));
    await store.flush();
    expect(await store.search(ALICE, "one", 5)).toMatchObject({ ok: false });
    await store.cutBack(new Map([[ALICE, 1]]));
    expect(await store.search(ALICE, "one", 5)).toMatchObject({ ok: false });
    expect(warnings).toEqual([expect.stringContaining("recall nothing")]);
  });

  it("costs recall and one warning if it cannot grow", async () => {
    const folder = newFolder();
    await filled(folder, 100);
    const { store, warnings } = open(folder);
    expect(await recalled(store, { agent: "alice", query: "memory" })).toHaveLength(5);
    // A process that never ends its transaction stands for a full disk.
    const rival = new DatabaseSync(fileIn(folder));
    onTestFinished(() => rival.close());
    rival.exec("BEGIN IMMEDIATE");
    const numbers = Array.from({ length: 100 }, (_, i) => 101 + i);
    store.add(numbers.map((number) => memory("alice", number, "written on a full disk")));
    expect(await store.search(ALICE, "disk", 5)).toMatchObject({ ok: false });
    expect(await store.search(ALICE, "disk", 5)).toMatchObject({ ok: false });
    expect(warnings).toHaveLength(1);
    rival.exec("ROLLBACK");
    const query = { agent: "alice", query: "full disk", limit: 200 };
    expect(numbersOf(await recalled(store, query)).slice(0, 100)).toEqual(numbers.toReversed());
  });

  it("causes one warning if it cannot be flushed", async () => {
    const folder = newFolder();
    await filled(folder, 3);
    const { store, warnings } = open(folder);
    const rival = new DatabaseSync(fileIn(folder));
    onTestFinished(() => rival.close());
    rival.exec("BEGIN IMMEDIATE");
    store.add([memory("alice", 4, "written on a full disk")]);
    await store.flush();
    expect(warnings).toHaveLength(1);
    rival.exec("ROLLBACK");
    await store.flush();
    await store.close();
    const again = open(folder).store;
    expect(numbersOf(await recalled(again, { agent: "alice", query: "full disk" }))[0]).toBe(4);
  });
});

describe("memories that were not written when a SQLite index ended", () => {
  it("are added again by a restore, and no others", async () => {
    const folder = newFolder();
    const texts = Array.from({ length: 100 }, (_, i) => `deed ${i + 1}`);
    const first = open(folder).store;
    first.add(memoriesOf("alice", texts));
    expect(await recalled(first, { agent: "alice", query: "deed", limit: 200 })).toHaveLength(100);
    await first.close();
    const embedded: string[] = [];
    const { store, warnings } = open(folder, { embedder: counting(embedded) });
    await store.cutBack(new Map([[ALICE, 90]]));
    store.add(memoriesOf("alice", texts.slice(0, 90)));
    await store.flush();
    // A block of 64 was full, and is in the file.
    expect(embedded.toSorted()).toEqual(texts.slice(64, 90).toSorted());
    const found = await recalled(store, { agent: "alice", query: "deed", limit: 200 });
    expect(numbersOf(found).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 90 }, (_, i) => i + 1),
    );
    expect(warnings).toEqual([]);
  });

  it("are reported once if the thread dies, and return with a restore", async () => {
    const threads: Worker[] = [];
    const keep = (thread: Worker): number => threads.push(thread);
    process.on("worker", keep);
    onTestFinished(() => void process.off("worker", keep));
    const { store, warnings } = open(newFolder());
    const texts = Array.from({ length: 10 }, (_, i) => `deed ${i + 1}`);
    const query = { agent: "alice", query: "deed", limit: 20 };
    for (const deaths of [1, 2]) {
      store.add(memoriesOf("alice", texts));
      expect(await recalled(store, query)).toHaveLength(10);
      expect(threads).toHaveLength(deaths);
      await threads.at(-1)?.terminate();
      expect(await recalled(store, query)).toEqual([]);
    }
    expect(warnings).toEqual([expect.stringContaining("restored")]);
    await store.cutBack(new Map([[ALICE, 10]]));
    store.add(memoriesOf("alice", texts));
    expect(await recalled(store, query)).toHaveLength(10);
  });
});

describe("a search in a SQLite index", () => {
  it("finds the same after restarts and flushes", async () => {
    const texts = Array.from({ length: 150 }, (_, i) => `deed ${i % 40} of kind ${i % 7}`);
    const query = { agent: "alice", query: "deed 12 of kind 3", limit: 200 };
    const atOnce = open(newFolder()).store;
    atOnce.add(memoriesOf("alice", texts));
    const folder = newFolder();
    for (const end of [1, 63, 64, 65, 100, 128, 150]) {
      const { store } = open(folder);
      // Known records are skipped; the others are appended.
      store.add(memoriesOf("alice", texts.slice(0, end)));
      await store.flush();
      await store.close();
    }
    const { store } = open(folder);
    expect(await recalled(store, query)).toEqual(await recalled(atOnce, query));
  });

  it("does not find deleted memories, but their replacements", async () => {
    const folder = newFolder();
    await filled(folder, 200);
    const { store } = open(folder);
    await store.cutBack(new Map([[ALICE, 70]]));
    store.add([memory("alice", 71, "another life")]);
    await store.flush();
    await store.close();
    const found = await recalled(open(folder).store, {
      agent: "alice",
      query: "another life",
      limit: 300,
    });
    expect(numbersOf(found).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 71 }, (_, i) => i + 1),
    );
    expect(textsOf(found)[0]).toBe("another life");
  });

  it("finds the newest of many equals", async () => {
    const { store } = open(newFolder());
    const texts = Array.from({ length: 700 }, (_, i) => (i === 3 ? "paid a lender" : "waited"));
    store.add(memoriesOf("alice", texts));
    const found = await recalled(store, { agent: "alice", query: "waited", limit: 4 });
    expect(numbersOf(found)).toEqual([700, 699, 698, 697]);
  });

  it("finds the newest if nothing has anything in common with the query", async () => {
    const { store } = open(newFolder());
    store.add(memoriesOf("alice", ["grain", "corn", "wheat", "barley"]));
    const found = await recalled(store, { agent: "alice", query: "zzzzz", limit: 2 });
    expect(found.map(({ number, likeness }) => [number, likeness])).toEqual([
      [4, 0],
      [3, 0],
    ]);
  });

  it("does not depend on how records were added", async () => {
    const texts = Array.from({ length: 150 }, (_, i) => `deed ${i % 40} of kind ${i % 7}`);
    const query = { agent: "alice", query: "deed 12 of kind 3", limit: 20 };
    const atOnce = open(newFolder()).store;
    atOnce.add(memoriesOf("alice", texts));
    const byOne = open(newFolder()).store;
    for (const [i, record] of memoriesOf("alice", texts).entries()) {
      byOne.add([record]);
      if (i % 10 === 0) await recalled(byOne, query);
      if (i % 35 === 0) await byOne.flush();
    }
    expect(await recalled(byOne, query)).toEqual(await recalled(atOnce, query));
  });
});

it("a restart embeds no text again", async () => {
  const folder = newFolder();
  const asked: string[] = [];
  const first = open(folder, { embedder: counting(asked) }).store;
  first.add(memoriesOf("alice", ["one", "two"]));
  await recalled(first, { agent: "alice", query: "which?" });
  await first.flush();
  await first.close();
  const second = open(folder, { embedder: counting(asked) }).store;
  await second.cutBack(new Map());
  second.add(memoriesOf("alice", ["one", "two", "three"]));
  expect(await recalled(second, { agent: "alice", query: "which?" })).toHaveLength(3);
  expect(asked.sort()).toEqual(["one", "three", "two", "which?"]);
});

it("a restore adds exactly the missing memories", async () => {
  const folder = newFolder();
  const first = open(folder).store;
  const texts = Array.from({ length: 60 }, (_, i) => `deed ${i + 1}`);
  first.add(memoriesOf("alice", texts));
  // Of bob the first is missing, as in an index that was replaced.
  first.add(memoriesOf("bob", texts).slice(1));
  await first.flush();
  await first.close();
  const embedded: string[] = [];
  const { store } = open(folder, { embedder: counting(embedded) });
  const cut = store.cutBack(
    new Map([
      [ALICE, 62],
      [BOB, 60],
    ]),
  );
  store.add(memoriesOf("bob", texts));
  store.add(memoriesOf("alice", [...texts, "deed 61", "deed 62"]));
  await cut;
  await store.flush();
  expect(embedded.toSorted()).toEqual(["deed 1", "deed 61", "deed 62"]);
  for (const agent of ["alice", "bob"]) {
    const query = { agent, query: "deed", limit: 100 };
    expect(await recalled(store, query)).toHaveLength(agent === "alice" ? 62 : 60);
  }
});
