import type { ActionRecord, Id, MemoryText } from "../../kernel/index.ts";
import { shortened } from "../../text/index.ts";
import {
  bySimilarity,
  type MemoryRecord,
  type MemoryStore,
  type Recall,
  type Recalled,
} from "./memory-store.ts";

const TEXT_UNITS_MAX = 600;
/** A search fetches `limit` times this number of records, because many records have equal texts. */
const REPEATS_FACTOR = 4;

export type MemoryQuery = {
  /** The memory artifacts to search. */
  readonly memories: readonly Pick<MemoryText, "id" | "text">[];
  readonly text: string;
  readonly limit: number;
  readonly nowMs: number;
};

/** The memories of all agents in a run. Every backend implements this type. */
export type AgentMemory = {
  /** Returns the memories of the artifacts nearest to the query, best first. Never rejects. */
  search(query: MemoryQuery): Promise<Recall>;
  /** Returns the memory artifact's text with `records` added. Null if the backend uses a store. */
  artifactWith(text: string, records: readonly MemoryRecord[]): string | null;
  /** The store that receives the records of the journal. Null if the backend has no store. */
  readonly store: MemoryStore | null;
};

export const storeMemory = (store: MemoryStore): AgentMemory => ({
  search: ({ memories, text, limit }) =>
    store.search(
      memories.map(({ id }) => id),
      text,
      limit,
    ),
  artifactWith: () => null,
  store,
});

/** The age in ms at which recency is 0.5. An ordinary run lasts this long. */
const HALF_LIFE_MS = 600_000;
const RECENCY_WEIGHT = 0.3;

/**
 * Sorts records, best first. Of records with equal scores, the newer comes first. The score is
 * similarity + 0.3 · 2^(-age / 10 min) (Park and others, "Generative Agents", 2023).
 */
export const ranked = (found: readonly Recalled[], nowMs: number): readonly Recalled[] => {
  const score = ({ similarity, atMs }: Recalled): number =>
    similarity + RECENCY_WEIGHT * 2 ** (-Math.max(0, nowMs - atMs) / HALF_LIFE_MS);
  return found.toSorted((a, b) => score(b) - score(a) || bySimilarity(a, b));
};

/**
 * Returns the most relevant memories, best first. Each text occurs only once. Memories whose text
 * is in `shown` come last, because the prompt shows them anyway.
 */
export const relevantMemories = async (
  memory: AgentMemory,
  query: MemoryQuery,
  shown: ReadonlySet<string>,
): Promise<readonly Recalled[]> => {
  if (query.limit < 1) return [];
  const recall = await memory.search({ ...query, limit: query.limit * REPEATS_FACTOR });
  if (!recall.ok) return [];
  const byText = new Map<string, Recalled>();
  for (const each of ranked(recall.found, query.nowMs)) {
    if (!byText.has(each.text)) byText.set(each.text, each);
  }
  const distinct = [...byText.values()];
  const unknown = distinct.filter(({ text }) => !shown.has(text));
  const known = distinct.filter(({ text }) => shown.has(text));
  return [...unknown, ...known].slice(0, query.limit);
};

type Ended = Pick<ActionRecord, "action" | "target" | "method" | "message" | "ok">;

export const actionMemory = (agent: Id, ended: Ended): string => {
  const { action, target, method, message, ok } = ended;
  const called = [action, target, method].filter((part) => part !== null).join(" ");
  const outcome = ok ? "it succeeded" : "it failed";
  const line = `Agent ${agent} performed ${called}: ${onOneLine(message)}`;
  return `${shortened(line, TEXT_UNITS_MAX - outcome.length - 3)} (${outcome})`;
};

export const observationMemory = (text: string): string =>
  shortened(onOneLine(text), TEXT_UNITS_MAX);

const FRAME = /^Agent \S+ performed [^\s:]+[\s:]+/;

/** Returns the text to embed: a memory without the beginning `Agent NAME performed ACTION`. */
export const withoutFrame = (text: string): string => text.replace(FRAME, "") || text;

export const onOneLine = (text: string): string => text.replace(/\s+/g, " ").trim();
