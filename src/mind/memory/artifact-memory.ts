import { z } from "zod";
import { cutText, type Id, jsonIn, MEMORY_KINDS } from "../../kernel/index.ts";
import { tellingPart } from "./agent-memory.ts";
import { dot, hashedVector } from "./embedder/hashed.ts";
import type { MemoryRecord, Recalled } from "./memory-store.ts";

/** How the memory artifact of an agent holds a record. It is the agent's own and can be read. */
const entrySchema = z.object({
  n: z.int().min(1),
  at_ms: z.number(),
  kind: z.enum(MEMORY_KINDS),
  text: z.string(),
});
type Entry = z.infer<typeof entrySchema>;

const BRACKETS_BYTES = 2;
const COMMA_BYTES = 1;
const CUT_MARK = "…";

/** What has been of no use for so long counts half as recent: the length of an ordinary run. */
const HALF_LIFE_MS = 600_000;
/** How much it can outweigh likeness that a record is of this very moment. */
const RECENCY_WEIGHT = 0.3;

/**
 * The text of a memory artifact with further records in it, `bytesMax` UTF-8 bytes at most. The
 * oldest make room; a record that does not fit alone is cut. Whatever else stood in the artifact,
 * since its owner may write to it, is dropped.
 */
export const withRecords = (
  text: string,
  records: readonly MemoryRecord[],
  bytesMax: number,
): string => {
  const entries = new Map(entriesIn(text).map((entry) => [entry.n, entry]));
  for (const { number, atMs, kind, text: said } of records) {
    if (!entries.has(number)) entries.set(number, { n: number, at_ms: atMs, kind, text: said });
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

/** The entry as JSON, its text cut until it fits; null where not even an empty text does. */
const fitted = (entry: Entry, bytesMax: number): string | null => {
  let json = JSON.stringify(entry);
  for (let units = entry.text.length; Buffer.byteLength(json) > bytesMax; ) {
    if (units === 0) return null;
    units = Math.floor(units / 2);
    json = JSON.stringify({ ...entry, text: `${cutText(entry.text, units)}${CUT_MARK}` });
  }
  return json;
};

export type ArtifactQuery = {
  readonly agent: Id;
  readonly limit: number;
  readonly nowMs: number;
};

/**
 * The records in a memory artifact that bear most on `query`, best first, ties by the newer. The
 * score is likeness + 0.3 · 2^(-age / 10 min): likeness of spelling from 0 to 1, and recency that
 * halves every ten minutes (the sum follows Park and others, "Generative Agents", 2023).
 */
export const searchRecords = (
  text: string,
  query: string,
  { agent, limit, nowMs }: ArtifactQuery,
): readonly Recalled[] => {
  const wanted = hashedVector(query);
  const scored = entriesIn(text).map((entry) => {
    const likeness = Math.min(1, Math.max(0, dot(wanted, hashedVector(tellingPart(entry.text)))));
    const ageMs = Math.max(0, nowMs - entry.at_ms);
    return { entry, likeness, score: likeness + RECENCY_WEIGHT * 2 ** (-ageMs / HALF_LIFE_MS) };
  });
  return scored
    .sort((a, b) => b.score - a.score || b.entry.n - a.entry.n)
    .slice(0, Math.max(0, limit))
    .map(({ entry: { n, at_ms, kind, text: said }, likeness }) => ({
      agent,
      number: n,
      atMs: at_ms,
      kind,
      text: said,
      likeness,
    }));
};

/** What of a text are records; none where it is no list. */
const entriesIn = (text: string): readonly Entry[] => {
  const parsed = jsonIn(text);
  if (!Array.isArray(parsed)) return [];
  return parsed.flatMap((each) => {
    const entry = entrySchema.safeParse(each);
    return entry.success ? [entry.data] : [];
  });
};
