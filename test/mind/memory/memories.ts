import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { asId } from "../../../src/kernel/index.ts";
import { hashedEmbedder } from "../../../src/mind/memory/embedder/hashed.ts";
import { IndexedStore } from "../../../src/mind/memory/indexed-store.ts";
import type {
  Embedder,
  MemoryRecord,
  MemoryStore,
  Recalled,
} from "../../../src/mind/memory/memory-store.ts";
import { sqliteIndex } from "../../../src/mind/memory/sqlite/sqlite-index.ts";

export const ALICE = asId("alice");
export const BOB = asId("bob");

/** A record of an agent; its number is also its time in s. */
export const memory = (agent: string, number: number, text: string): MemoryRecord => ({
  agent: asId(agent),
  number,
  atMs: number * 1000,
  kind: "action",
  text,
});

/** Texts as the records of one agent, numbered from 1. */
export const memoriesOf = (agent: string, texts: readonly string[]): readonly MemoryRecord[] =>
  texts.map((text, i) => memory(agent, i + 1, text));

/** A folder that is deleted after the test. */
export const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "memory-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

type Opening = {
  readonly embedder?: Embedder;
  readonly run?: string;
  readonly warn?: (text: string) => void;
};

/** A store in a file, closed after the test. By default it may not warn. */
export const sqliteStore = (folder: string, opening: Opening = {}): IndexedStore => {
  const { embedder = hashedEmbedder(), run = "run", warn = failOnWarning } = opening;
  const opened = sqliteIndex({ folder, run, embedder: embedder.name }, warn);
  const store = new IndexedStore({ ...opened, embedder, extract: null, patienceMs: null, warn });
  onTestFinished(() => store.close());
  return store;
};

export const failOnWarning = (text: string): void => expect.fail(`warned: ${text}`);

/** What is recalled; fails if the search fails. */
export const recalled = async (
  store: MemoryStore,
  asked: { readonly agent: string; readonly query: string; readonly limit?: number },
): Promise<readonly Recalled[]> => {
  const { agent, query, limit = 5 } = asked;
  const recall = await store.search(asId(agent), query, limit);
  if (!recall.ok) throw new Error(recall.problem);
  return recall.found;
};

export const textsOf = (found: readonly Recalled[]): readonly string[] =>
  found.map(({ text }) => text);

export const numbersOf = (found: readonly Recalled[]): readonly number[] =>
  found.map(({ number }) => number);
