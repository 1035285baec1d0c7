import { decodeEvent, type MemoryKind } from "../../kernel/index.ts";
import type { Journal } from "../journal/index.ts";
import { carriedBy } from "./carried-codec.ts";

/** One thing that an agent remembers, as the index of memories takes it. */
export type Remembered = {
  readonly agent: string;
  /** Counts what this agent remembers, from 1. */
  readonly number: number;
  readonly atMs: number;
  readonly kind: MemoryKind;
  readonly text: string;
};

/** How many events are looked through between two pages. */
const PAGE_EVENTS = 4_000;

/**
 * The memories recorded up to event `seq`, page by page, those that came along from an earlier run
 * first. Pages may be empty; none takes long.
 */
export function* memoryPages(
  journal: Journal,
  seq: number,
): Generator<readonly Remembered[], void, undefined> {
  const base = journal.baseMark();
  if (base !== null) yield carriedBy(base).memories;
  for (let after = base?.seq ?? 0; after < seq; after += PAGE_EVENTS) {
    const upTo = Math.min(after + PAGE_EVENTS, seq);
    yield [...journal.events({ after, upTo, kind: "memory_recorded" })].flatMap(remembered);
  }
}

/** All memories recorded up to event `seq`, in the order in which they were recorded. */
export const memoriesUpTo = (journal: Journal, seq: number): readonly Remembered[] =>
  [...memoryPages(journal, seq)].flat();

const remembered = (row: Parameters<typeof decodeEvent>[0]): readonly Remembered[] => {
  const event = decodeEvent(row);
  if (event.kind !== "memory_recorded" || event.principal === null) return [];
  const { principal: agent, number, at_ms: atMs, memory: kind, text } = event;
  return [{ agent, number, atMs, kind, text }];
};
