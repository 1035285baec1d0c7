import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { asId } from "../../../src/kernel/index.ts";
import type { MemoryRecord } from "../../../src/mind/memory/memory-store.ts";
import { IndexFile } from "../../../src/mind/memory/sqlite/index-file.ts";
import { memory, newFolder } from "./memories.ts";

const AGENTS = ["ann", "bob", "cid", "dan", "eve"];
const EACH = 150;

const opened = (residentBytesMax?: number): IndexFile => {
  const index = new IndexFile(
    join(newFolder(), "memory.db"),
    { embedder: "hashed", run: "one" },
    residentBytesMax,
  );
  onTestFinished(() => index.close());
  return index;
};

/** The memories of all agents, interleaved as in a run. */
const lived: readonly MemoryRecord[] = Array.from({ length: EACH }, (_, i) =>
  AGENTS.map((agent) => memory(agent, i + 1, `${agent} did deed ${i % 40} of kind ${i % 7}`)),
).flat();

const put = (index: IndexFile, records: readonly MemoryRecord[]): void =>
  index.put(records.map((record) => ({ record, vector: null })));

const recalledBy = (index: IndexFile, agent: string) =>
  index.nearest({
    agent: asId(agent),
    text: "deed 12 of kind 3",
    vector: null,
    limit: 2 * EACH,
    puts: [],
  });

/** Less than the vectors of two agents. */
const LITTLE_BYTES = 512 * 4 * EACH;

it("finds the same if only a few agents fit into memory", () => {
  const roomy = opened();
  put(roomy, lived);
  const narrow = opened(LITTLE_BYTES);
  for (let at = 0; at < lived.length; at += 7) {
    put(narrow, lived.slice(at, at + 7));
    if (at % 70 === 0) recalledBy(narrow, AGENTS[(at / 70) % AGENTS.length] ?? "");
  }
  for (const agent of AGENTS) {
    const found = recalledBy(narrow, agent);
    expect(found).toHaveLength(EACH);
    expect(found).toEqual(recalledBy(roomy, agent));
  }
});

it("knows the records of an evicted agent", () => {
  const narrow = opened(LITTLE_BYTES);
  put(narrow, lived);
  put(narrow, lived);
  const unknown = memory("ann", EACH + 1, "something new");
  expect(narrow.missing([...lived, unknown])).toEqual([unknown]);
  for (const agent of AGENTS) expect(recalledBy(narrow, agent)).toHaveLength(EACH);
});

it("accepts a first memory that arrives last, once", () => {
  const narrow = opened(LITTLE_BYTES);
  const [first, ...rest] = lived.filter(({ agent }) => agent === "ann");
  put(narrow, rest);
  put(
    narrow,
    lived.filter(({ agent }) => agent !== "ann"),
  );
  put(narrow, first === undefined ? [] : [first, first, ...rest]);
  expect(
    recalledBy(narrow, "ann")
      .map(({ number }) => number)
      .toSorted((a, b) => a - b),
  ).toEqual(Array.from({ length: EACH }, (_, i) => i + 1));
});
