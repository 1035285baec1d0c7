import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { asId } from "../../../src/kernel/index.ts";
import type { MemoryRecord, MemoryStore, Recalled } from "../../../src/mind/memory/memory-store.ts";

export const ALICE = asId("alice");
export const BOB = asId("bob");

/** A record of an agent; its number also says when. */
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

/** A folder that is gone when the test is. */
export const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "memory-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

/** What is recalled; fails where the store has trouble. */
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
