import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Worker } from "node:worker_threads";
import { describe, expect, it, onTestFinished } from "vitest";
import { hashedEmbedder } from "../../src/memory/embedder/hashed.ts";
import type { Embedder, MemoryRecord, Recalled } from "../../src/memory/port/memory-store.ts";
import { IndexFile } from "../../src/memory/sqlite/index-file.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import {
  ALICE,
  BOB,
  closing,
  memoriesOf,
  memory,
  numbersOf,
  openSqlite,
  recalled,
  repetitive,
  sortedNumbersOf,
  upTo,
} from "./memories.ts";

type Options = { readonly embedder?: Embedder; readonly run?: string };

const open = (folder: string, options: Options = {}) => {
  const warnings: string[] = [];
  const warn = (text: string): void => void warnings.push(text);
  return { store: closing(openSqlite({ folder, warn, ...options })), warnings };
};

const fileIn = (folder: string): string => join(folder, "memory.db");

/** Uses the index without its thread, which is slow to start. */
const inIndex = <Given>(folder: string, use: (index: IndexFile) => Given): Given => {
  const index = new IndexFile(fileIn(folder), { embedder: hashedEmbedder().name, run: "run" });
  const given = use(index);
  index.close();
  return given;
};

const filled = (folder: string, records: readonly MemoryRecord[]): void =>
  inIndex(folder, (index) => {
    index.put(records.map((record) => ({ record, vector: null })));
    index.flush();
  });

const searchIn = (folder: string, text: string): readonly Recalled[] =>
  inIndex(folder, (index) =>
    index.nearest({ artifacts: [ALICE], text, vector: null, limit: 5, puts: [] }),
  );

/** Embeds by spelling as if it were a model, and records its texts. */
const counting = (embedded: string[]): Embedder => {
  const hashed = hashedEmbedder();
  return {
    ...hashed,
    bySpelling: false,
    embed: (texts) => {
      embedded.push(...texts);
      return hashed.embed(texts);
    },
  };
};

/** Another process that writes to the file, which acts like a full disk. */
const lock = (folder: string): DatabaseSync => {
  const other = new DatabaseSync(fileIn(folder));
  onTestFinished(() => other.close());
  other.exec("BEGIN IMMEDIATE");
  return other;
};

const TASKS = upTo(100).map((number) => `task ${number}`);

describe("the file of a SQLite index", () => {
  it("is created with its folder, but not by a cut or a flush without records", async () => {
    const folder = join(temporaryFolder(), "runs", "one");
    const { store } = open(folder);
    await store.cutBack(new Map([[ALICE, 3]]));
    await store.flush();
    expect(existsSync(folder)).toBe(false);
    store.add(memoriesOf("alice", ["one"]));
    expect(await recalled(store, { artifact: "alice", query: "one" })).toHaveLength(1);
    expect(existsSync(fileIn(folder))).toBe(true);
  });

  it("is complete after a flush, without its log", async () => {
    const folder = temporaryFolder();
    const { store } = open(folder);
    store.add(memoriesOf("alice", ["one", "two"]));
    await store.flush();
    expect(statSync(`${fileIn(folder)}-wal`).size).toBe(0);
    const copy = temporaryFolder();
    writeFileSync(fileIn(copy), readFileSync(fileIn(folder)));
    expect(searchIn(copy, "one")).toHaveLength(2);
  });

  it("is replaced with one warning if it is damaged", async () => {
    const folder = temporaryFolder();
    filled(folder, repetitive("alice", 300));
    writeFileSync(fileIn(folder), readFileSync(fileIn(folder)).fill(0xa5, 32_768));
    const { store, warnings } = open(folder);
    store.add([memory("alice", 301, "a memory after the damage")]);
    const found = await recalled(store, { artifact: "alice", query: "after the damage" });
    expect(numbersOf(found)).toContain(301);
    expect(warnings).toEqual([expect.stringContaining("a new one replaces it")]);
  });

  it.each<readonly [string, Options, string]>([
    ["embedder", { embedder: { ...hashedEmbedder(), name: "other" } }, "its embedder is"],
    ["run", { run: "another" }, "its run is run, not another"],
  ])("is replaced if it is of another %s", async (_, options, words) => {
    const folder = temporaryFolder();
    filled(folder, repetitive("alice", 3));
    const { store, warnings } = open(folder, options);
    expect(await recalled(store, { artifact: "alice", query: "memory" })).toEqual([]);
    expect(warnings).toEqual([expect.stringContaining(words)]);
  });

  it("costs recall and one warning if it cannot be opened", async () => {
    const folder = temporaryFolder();
    mkdirSync(fileIn(folder));
    const { store, warnings } = open(folder);
    store.add(memoriesOf("alice", ["one", "two"]));
    await store.flush();
    expect(await store.search([ALICE], "one", 5)).toMatchObject({ ok: false });
    await store.cutBack(new Map([[ALICE, 1]]));
    expect(await store.search([ALICE], "one", 5)).toMatchObject({ ok: false });
    expect(warnings).toEqual([expect.stringContaining("cannot recall memories")]);
  });

  it("costs recall and one warning if it cannot grow", async () => {
    const folder = temporaryFolder();
    filled(folder, repetitive("alice", 100));
    const { store, warnings } = open(folder);
    expect(await recalled(store, { artifact: "alice", query: "memory" })).toHaveLength(5);
    const other = lock(folder);
    const numbers = upTo(200).slice(100);
    store.add(numbers.map((number) => memory("alice", number, "written on a full disk")));
    expect(await store.search([ALICE], "disk", 5)).toMatchObject({ ok: false });
    expect(await store.search([ALICE], "disk", 5)).toMatchObject({ ok: false });
    expect(warnings).toHaveLength(1);
    other.exec("ROLLBACK");
    const query = { artifact: "alice", query: "full disk", limit: 200 };
    expect(numbersOf(await recalled(store, query)).slice(0, 100)).toEqual(numbers.toReversed());
  });

  it("causes one warning if it cannot be flushed", async () => {
    const folder = temporaryFolder();
    filled(folder, repetitive("alice", 3));
    const { store, warnings } = open(folder);
    const other = lock(folder);
    store.add([memory("alice", 4, "written on a full disk")]);
    await store.flush();
    expect(warnings).toHaveLength(1);
    other.exec("ROLLBACK");
    await store.flush();
    await store.close();
    expect(numbersOf(searchIn(folder, "full disk"))[0]).toBe(4);
  });
});

describe("memories that were not written when a SQLite index ended", () => {
  it("are added again by a restore, and no others", async () => {
    const folder = temporaryFolder();
    const first = open(folder).store;
    first.add(memoriesOf("alice", TASKS));
    expect(await recalled(first, { artifact: "alice", query: "task", limit: 200 })).toHaveLength(
      100,
    );
    await first.close();
    const embedded: string[] = [];
    const { store, warnings } = open(folder, { embedder: counting(embedded) });
    await store.cutBack(new Map([[ALICE, 90]]));
    store.add(memoriesOf("alice", TASKS.slice(0, 90)));
    await store.flush();
    // The file has a full block of 64.
    expect(embedded.toSorted()).toEqual(TASKS.slice(64, 90).toSorted());
    const found = await recalled(store, { artifact: "alice", query: "task", limit: 200 });
    expect(sortedNumbersOf(found)).toEqual(upTo(90));
    expect(warnings).toEqual([]);
  });

  it("are reported once if the thread dies, and return with a restore", async () => {
    const threads: Worker[] = [];
    const keep = (thread: Worker): number => threads.push(thread);
    process.on("worker", keep);
    onTestFinished(() => void process.off("worker", keep));
    const { store, warnings } = open(temporaryFolder());
    const records = memoriesOf("alice", TASKS.slice(0, 10));
    const query = { artifact: "alice", query: "task", limit: 20 };
    for (const deaths of [1, 2]) {
      store.add(records);
      expect(await recalled(store, query)).toHaveLength(10);
      expect(threads).toHaveLength(deaths);
      await threads.at(-1)?.terminate();
      expect(await recalled(store, query)).toEqual([]);
    }
    expect(warnings).toEqual([expect.stringContaining("restored")]);
    await store.cutBack(new Map([[ALICE, 10]]));
    store.add(records);
    expect(await recalled(store, query)).toHaveLength(10);
  });
});

it("a search does not depend on how records were added", async () => {
  const records = repetitive("alice", 150);
  const query = { artifact: "alice", query: "task 12 of kind 3", limit: 20 };
  const atOnce = open(temporaryFolder()).store;
  atOnce.add(records);
  const byOne = open(temporaryFolder()).store;
  for (const [i, record] of records.entries()) {
    byOne.add([record]);
    if (i % 10 === 0) await recalled(byOne, query);
    if (i % 35 === 0) await byOne.flush();
  }
  expect(await recalled(byOne, query)).toEqual(await recalled(atOnce, query));
});

it("a restart embeds no text again", async () => {
  const folder = temporaryFolder();
  const embedded: string[] = [];
  const first = open(folder, { embedder: counting(embedded) }).store;
  first.add(memoriesOf("alice", ["one", "two"]));
  await recalled(first, { artifact: "alice", query: "which?" });
  await first.flush();
  await first.close();
  const second = open(folder, { embedder: counting(embedded) }).store;
  await second.cutBack(new Map());
  second.add(memoriesOf("alice", ["one", "two", "three"]));
  expect(await recalled(second, { artifact: "alice", query: "which?" })).toHaveLength(3);
  expect(embedded.sort()).toEqual(["one", "three", "two", "which?"]);
});

it("a restore adds exactly the missing memories", async () => {
  const folder = temporaryFolder();
  const texts = TASKS.slice(0, 60);
  // The first of bob is missing, as in an index that was replaced.
  filled(folder, [...memoriesOf("alice", texts), ...memoriesOf("bob", texts).slice(1)]);
  const embedded: string[] = [];
  const { store } = open(folder, { embedder: counting(embedded) });
  const counts = new Map([[ALICE, 62]]).set(BOB, 60);
  const cut = store.cutBack(counts);
  store.add(memoriesOf("bob", texts));
  store.add(memoriesOf("alice", TASKS.slice(0, 62)));
  await cut;
  await store.flush();
  expect(embedded.toSorted()).toEqual(["task 1", "task 61", "task 62"]);
  for (const [artifact, count] of counts) {
    const query = { artifact, query: "task", limit: 100 };
    expect(await recalled(store, query)).toHaveLength(count);
  }
});
