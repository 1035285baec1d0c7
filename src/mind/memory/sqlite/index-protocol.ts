import { join } from "node:path";
import { type Id, MEMORY_KINDS } from "../../../kernel/index.ts";
import type { Recalled } from "../memory-store.ts";

/**
 * What an index belongs to; memories of another embedder or run cannot be used. `run` is null if
 * only the cached vectors are used, which depend on their text alone.
 */
export type IndexOwner = { readonly embedder: string; readonly run: string | null };

export type IndexStart = IndexOwner & { readonly folder: string };

export const indexPath = (folder: string): string => join(folder, "memory.db");

/**
 * Recalled records of one agent as they are sent between threads: each distinct text once, because
 * the receiver pays for every object and every text of a message.
 */
export type Packed = { readonly texts: readonly string[]; readonly numbers: Float64Array };

/** Per record: number, time, index of its kind in `MEMORY_KINDS`, likeness, index of its text. */
const NUMBERS_EACH = 5;

export const packed = (found: readonly Recalled[]): Packed => {
  const places = new Map<string, number>();
  const numbers = new Float64Array(found.length * NUMBERS_EACH);
  for (const [at, { number, atMs, kind, likeness, text }] of found.entries()) {
    const place = places.get(text) ?? places.size;
    places.set(text, place);
    numbers.set([number, atMs, MEMORY_KINDS.indexOf(kind), likeness, place], at * NUMBERS_EACH);
  }
  return { texts: [...places.keys()], numbers };
};

export const unpacked = (agent: Id, { texts, numbers }: Packed): readonly Recalled[] => {
  const found: Recalled[] = [];
  for (let at = 0; at < numbers.length; at += NUMBERS_EACH) {
    found.push({
      agent,
      number: numbers[at] ?? 0,
      atMs: numbers[at + 1] ?? 0,
      kind: MEMORY_KINDS[numbers[at + 2] ?? 0] ?? "action",
      likeness: numbers[at + 3] ?? 0,
      text: texts[numbers[at + 4] ?? 0] ?? "",
    });
  }
  return found;
};
