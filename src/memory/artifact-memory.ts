import { z } from "zod";
import { cutText, jsonIn, MEMORY_KINDS } from "../kernel/index.ts";
import { hashedVector } from "./embedder/hashed.ts";
import { type AgentMemory, type MemoryQuery, ranked, withoutFrame } from "./port/agent-memory.ts";
import type { MemoryRecord, Recalled } from "./port/memory-store.ts";
import { dot } from "./port/vector.ts";

const entrySchema = z.object({
  n: z.int().min(1),
  at_ms: z.number(),
  kind: z.enum(MEMORY_KINDS),
  text: z.string(),
});
type Entry = z.infer<typeof entrySchema>;

const BRACKETS_BYTES = 2;
const COMMA_BYTES = 1;

export const artifactMemory = (bytesMax: number): AgentMemory => ({
  search: async (query) => ({ ok: true, found: searchRecords(query) }),
  artifactWith: (text, records) => withRecords(text, records, bytesMax),
  store: null,
});

/** Adds records to the JSON list `text`. Drops the oldest records above `bytesMax` UTF-8 bytes. */
export const withRecords = (
  text: string,
  records: readonly MemoryRecord[],
  bytesMax: number,
): string => {
  const entries = new Map(entriesIn(text).map((entry) => [entry.n, entry]));
  for (const { number: n, atMs: at_ms, kind, text: content } of records) {
    if (!entries.has(n)) entries.set(n, { n, at_ms, kind, text: content });
  }
  const newestFirst = [...entries.values()].sort((a, b) => b.n - a.n);
  const kept: string[] = [];
  let bytes = BRACKETS_BYTES;
  for (const entry of newestFirst) {
    const spare = bytesMax - bytes - (kept.length === 0 ? 0 : COMMA_BYTES);
    const json = kept.length === 0 ? fitted(entry, spare) : JSON.stringify(entry);
    if (json === null || Buffer.byteLength(json) > spare) break;
    bytes = bytesMax - spare + Buffer.byteLength(json);
    kept.push(json);
  }
  return `[${kept.reverse().join(",")}]`;
};

/** Returns the entry as JSON. Cuts its text to fit. Null if even an empty text does not fit. */
const fitted = (entry: Entry, bytesMax: number): string | null => {
  let json = JSON.stringify(entry);
  for (let units = entry.text.length; Buffer.byteLength(json) > bytesMax; ) {
    if (units === 0) return null;
    units = Math.floor(units / 2);
    json = JSON.stringify({ ...entry, text: `${cutText(entry.text, units)}…` });
  }
  return json;
};

/** Returns the records with the highest scores, best first, as `ranked` sorts them. */
export const searchRecords = (query: MemoryQuery): readonly Recalled[] => {
  const { memories, limit, nowMs } = query;
  const wanted = hashedVector(query.text);
  const found = memories.flatMap(({ id: artifact, text: entries }) =>
    entriesIn(entries).map(({ n: number, at_ms: atMs, kind, text }) => {
      const similarity = Math.min(1, Math.max(0, dot(wanted, hashedVector(withoutFrame(text)))));
      return { artifact, number, atMs, kind, text, similarity };
    }),
  );
  return ranked(found, nowMs).slice(0, Math.max(0, limit));
};

const entriesIn = (text: string): readonly Entry[] => {
  const parsed = jsonIn(text);
  if (!Array.isArray(parsed)) return [];
  return parsed.flatMap((each) => {
    const entry = entrySchema.safeParse(each);
    return entry.success ? [entry.data] : [];
  });
};
