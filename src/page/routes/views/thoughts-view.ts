import { endsAction } from "../../../kernel/index.ts";
import { rowAt, THOUGHT_ENDS } from "../../../read/index.ts";
import {
  decodeJson,
  type JournalReader,
  type JournalRow,
  runEventBody,
} from "../../../world/index.ts";
import type { RunReader } from "../reader/run-reader.ts";

export type ThoughtLine = Awaited<ReturnType<typeof thoughtLines>>[number];

type ThoughtQuery = { readonly agent: string; readonly before: number; readonly limit: number };

/** The latest thoughts of an agent before event `before`, newest first. */
export const thoughtLines = async (
  reader: Pick<RunReader, "journal" | "index" | "calls">,
  { agent, before, limit }: ThoughtQuery,
) => {
  const { index, calls, journal } = reader;
  // The calls of a thought follow the end of the thought before, so reads one thought more.
  const found = index.latest(agent, { kinds: THOUGHT_ENDS, before, limit: limit + 1 });
  const lines = found.slice(0, limit).map(async (seq, place) => {
    const row = rowAt(reader.journal, seq);
    return row === null
      ? []
      : {
          seq,
          at_ms: row.atMs,
          kind: row.kind,
          body: decodeJson(row.body),
          calls: await calls.between(agent, found[place + 1] ?? 0, seq),
          outcome: outcomeOf(journal, row, before),
        };
  });
  return (await Promise.all(lines)).flat();
};

/** The event that ended a thought's action, or null if none did so before event `before`. */
const outcomeOf = (
  journal: JournalReader,
  { seq, kind, principal }: JournalRow,
  before: number,
) => {
  if (kind !== "thought_completed" || principal === null) return null;
  for (const row of journal.events({ principal, after: seq, upTo: before - 1 })) {
    if (endsAction(row)) return { seq: row.seq, kind: row.kind, body: decodeJson(row.body) };
    if (row.kind.startsWith("thought_")) return null;
  }
  return null;
};

export type MemoryLine = ReturnType<typeof memoryLines>[number];

export const memoryLines = (reader: RunReader, { agent, before, limit }: ThoughtQuery) =>
  reader.index.latest(agent, { kinds: ["memory_recorded"], before, limit }).flatMap((seq) => {
    const row = rowAt(reader.journal, seq);
    if (row === null) return [];
    const { memory, text } = runEventBody(row.body);
    return [{ seq, at_ms: row.atMs, memory: String(memory), text: String(text) }];
  });
