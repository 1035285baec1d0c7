import {
  copyFileSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { asId } from "../../src/kernel/index.ts";
import type { MemoryRecord, Recalled } from "../../src/memory/port/memory-store.ts";
import { isDamage } from "../../src/memory/sqlite/block.ts";
import { IndexFile } from "../../src/memory/sqlite/index-file.ts";
import { sharedFolder, temporaryFolder } from "../support/temporary-folder.ts";
import {
  ALICE,
  memoriesOf,
  memory,
  numbersOf,
  repetitive,
  sortedNumbersOf,
  textsOf,
  upTo,
} from "./memories.ts";

const OWNER = { embedder: "hashed", run: "one" };

const opened = (
  path = join(temporaryFolder(), "memory.db"),
  residentBytesMax?: number,
): IndexFile => {
  const index = new IndexFile(path, OWNER, residentBytesMax);
  onTestFinished(() => index.close());
  return index;
};

/** Uses an index and closes it, as a process does at its end. */
const stored = (path: string, use: (index: IndexFile) => void): void => {
  const index = new IndexFile(path, OWNER);
  use(index);
  index.flush();
  index.close();
};

const put = (index: IndexFile, records: readonly MemoryRecord[]): void =>
  index.put(records.map((record) => ({ record, vector: null })));

type Asked = { readonly text?: string; readonly limit?: number };

const search = (index: IndexFile, artifact: string, asked: Asked = {}): readonly Recalled[] => {
  const { text = "task 12 of kind 3", limit = 400 } = asked;
  return index.nearest({ artifacts: [asId(artifact)], text, vector: null, limit, puts: [] });
};

describe("an index that exceeds its memory", () => {
  const AGENTS = ["ann", "bob", "cid", "dan", "eve"];
  const EACH = 150;
  /** Less than the vectors of two artifacts. */
  const LITTLE_BYTES = 512 * 4 * EACH;
  /** The memories of all artifacts, interleaved as in a run. */
  const all = upTo(EACH).flatMap((number) =>
    AGENTS.map((artifact) =>
      memory(artifact, number, `${artifact} did task ${number % 40}, ${number % 7}`),
    ),
  );

  it("finds the same as one in memory", () => {
    const roomy = opened();
    put(roomy, all);
    const narrow = opened(undefined, LITTLE_BYTES);
    for (let at = 0; at < all.length; at += 7) {
      put(narrow, all.slice(at, at + 7));
      if (at % 70 === 0) search(narrow, AGENTS[(at / 70) % AGENTS.length] ?? "");
    }
    for (const artifact of AGENTS) {
      const found = search(narrow, artifact);
      expect(found).toHaveLength(EACH);
      expect(found).toEqual(search(roomy, artifact));
    }
  });

  it("knows the records of an evicted artifact", () => {
    const narrow = opened(undefined, LITTLE_BYTES);
    put(narrow, all);
    put(narrow, all);
    const unknown = memory("ann", EACH + 1, "something new");
    expect(narrow.missing([...all, unknown])).toEqual([unknown]);
    for (const artifact of AGENTS) expect(search(narrow, artifact)).toHaveLength(EACH);
  });

  it("accepts a first memory that arrives last, once", () => {
    const narrow = opened(undefined, LITTLE_BYTES);
    const [first = expect.fail(), ...later] = all.filter(({ artifact }) => artifact === "ann");
    put(narrow, [...later, ...all.filter(({ artifact }) => artifact !== "ann")]);
    put(narrow, [first, first, ...later]);
    expect(sortedNumbersOf(search(narrow, "ann"))).toEqual(upTo(EACH));
  });
});

describe("a search in an index", () => {
  it("finds the same after restarts and flushes", () => {
    const records = repetitive("alice", 150);
    const atOnce = opened();
    put(atOnce, records);
    const path = join(temporaryFolder(), "memory.db");
    for (const end of [1, 63, 64, 65, 100, 128, 150]) {
      // Known records are skipped; the others are appended.
      stored(path, (index) => put(index, records.slice(0, end)));
    }
    expect(search(opened(path), "alice")).toEqual(search(atOnce, "alice"));
  });

  it("does not find deleted memories, but their replacements", () => {
    const path = join(temporaryFolder(), "memory.db");
    stored(path, (index) => {
      put(index, repetitive("alice", 200));
      index.cutBack(new Map([[ALICE, 70]]));
      put(index, [memory("alice", 71, "another life")]);
    });
    const found = search(opened(path), "alice", { text: "another life" });
    expect(sortedNumbersOf(found)).toEqual(upTo(71));
    expect(textsOf(found)[0]).toBe("another life");
  });

  it("finds the newest of many equals", () => {
    const index = opened();
    const texts = Array.from({ length: 700 }, (_, i) => (i === 3 ? "paid a lender" : "waited"));
    put(index, memoriesOf("alice", texts));
    const found = search(index, "alice", { text: "waited", limit: 4 });
    expect(numbersOf(found)).toEqual([700, 699, 698, 697]);
  });

  it("finds the newest if no memory has anything in common with the query", () => {
    const index = opened();
    put(index, memoriesOf("alice", ["grain", "corn", "wheat", "barley"]));
    const found = search(index, "alice", { text: "zzzzz", limit: 2 });
    expect(found.map(({ number, similarity }) => [number, similarity])).toEqual([
      [4, 0],
      [3, 0],
    ]);
  });
});

/** Damages blocks in a way that SQLite does not detect. */
const inSql =
  (sql: string) =>
  (path: string): void => {
    const database = new DatabaseSync(path);
    database.exec(sql);
    database.close();
  };

const update = (change: string) => inSql(`UPDATE blocks SET ${change}`);

const ENDLESS_VIEW = `CREATE VIEW blocks AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1
  FROM n) SELECT 'alice' AS artifact, i AS place, 1 AS held, i AS last, '' AS records, '' AS vectors
  FROM n`;

describe("a damaged index", () => {
  const whole = join(sharedFolder(), "memory.db");
  beforeAll(() => stored(whole, (index) => put(index, repetitive("alice", 300))));

  it.each<readonly [string, (path: string) => void]>([
    ["other content", (path) => writeFileSync(path, "not a database ".repeat(1_000))],
    ["a missing end", (path) => truncateSync(path, statSync(path).size / 2)],
    ["noise inside", (path) => writeFileSync(path, readFileSync(path).fill(0xa5, 32_768))],
    ["a block with a part of its records", update("records = substr(records, 1, 99)")],
    ["a block whose records are not a list", update("records = 'null' WHERE place = 0")],
    ["a block without one record", update("records = json_remove(records, '$[5]')")],
    ["a record without a text", update("records = json_remove(records, '$[5][3]')")],
    ["a block without vectors", update("vectors = x'' WHERE place = 0")],
    ["half the vectors", update("vectors = substr(vectors, 1, 65536) WHERE place = 0")],
    ["a block that ends in a number", update("vectors = substr(vectors, 1, 4095)")],
    ["a view that never ends", inSql(`ALTER TABLE blocks RENAME TO kept; ${ENDLESS_VIEW}`)],
    ["a trigger", inSql("CREATE TRIGGER t AFTER INSERT ON facts BEGIN DELETE FROM blocks; END")],
    [
      "a link",
      (path) => {
        rmSync(path);
        symlinkSync(whole, path);
      },
    ],
    ["a block with an impossible count", update("held = 9007199254740993")],
  ])("is detected by %s", (_what, damage) => {
    const path = join(temporaryFolder(), "memory.db");
    copyFileSync(whole, path);
    damage(path);
    const thrownBy = (): unknown => {
      try {
        const index = opened(path);
        put(index, [memory("alice", 301, "a memory after the damage")]);
        return search(index, "alice");
      } catch (thrown) {
        return thrown;
      }
    };
    expect(isDamage(thrownBy())).toBe(true);
  });
});
