import { endsAction, type Json } from "../../kernel/index.ts";
import { decodeJson, type JournalRow, noteOf } from "../../world/index.ts";
import { THOUGHT_ENDS } from "../trail/index.ts";
import type { CallLine } from "./call-index.ts";
import type { RunReader } from "./run-reader.ts";

/** One thought of an agent, with the calls of models that it took and what came of it. */
export type ThoughtLine = {
  readonly seq: number;
  readonly at_ms: number;
  readonly kind: string;
  readonly body: Json;
  readonly calls: readonly CallLine[];
  readonly outcome: { readonly seq: number; readonly kind: string; readonly body: Json } | null;
};

export type ThoughtWish = {
  readonly agent: string;
  /** Only thoughts with a smaller number. */
  readonly before: number;
  readonly limit: number;
};

type Reading = Pick<RunReader, "journal" | "index" | "calls">;

/** The newest thoughts of an agent before an event, the newest first. */
export const thoughtLines = (
  reader: Reading,
  { agent, before, limit }: ThoughtWish,
): readonly ThoughtLine[] => {
  const { index, calls } = reader;
  // One more, since the calls of a thought are those after the one before.
  const found = index.latest(agent, { kinds: THOUGHT_ENDS, before, limit: limit + 1 });
  return found.slice(0, limit).flatMap((seq, place) => {
    const row = rowAt(reader, seq);
    if (row === null) return [];
    const after = found[place + 1] ?? 0;
    return {
      seq,
      at_ms: row.atMs,
      kind: row.kind,
      body: decodeJson(row.body),
      calls: calls.between(agent, after, seq),
      outcome: outcomeOf(reader, row, before),
    };
  });
};

export const rowAt = ({ journal }: Pick<RunReader, "journal">, seq: number): JournalRow | null => {
  const [row] = journal.events({ after: seq - 1, upTo: seq });
  return row ?? null;
};

/** How the action ended that was decided on, where it has ended before an event. */
const outcomeOf = (
  { journal }: Reading,
  { seq, kind, principal }: JournalRow,
  before: number,
): ThoughtLine["outcome"] => {
  if (kind !== "thought_completed" || principal === null) return null;
  for (const row of journal.events({ principal, after: seq, upTo: before - 1 })) {
    if (endsAction(row)) return { seq: row.seq, kind: row.kind, body: decodeJson(row.body) };
    if (row.kind.startsWith("thought_")) return null;
  }
  return null;
};

/** One thing that an agent remembers. */
export type MemoryLine = {
  readonly seq: number;
  readonly at_ms: number;
  readonly memory: string;
  readonly text: string;
};

/** What an agent has taken into its memory last, the newest first. */
export const memoryLines = (
  reader: RunReader,
  { agent, before, limit }: ThoughtWish,
): readonly MemoryLine[] =>
  reader.index.latest(agent, { kinds: ["memory_recorded"], before, limit }).flatMap((seq) => {
    const row = rowAt(reader, seq);
    if (row === null) return [];
    const { memory, text } = noteOf(row.body);
    return [{ seq, at_ms: row.atMs, memory: String(memory), text: String(text) }];
  });
