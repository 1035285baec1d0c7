import { type Id, MEMORY_KINDS } from "../../../kernel/index.ts";
import type { Recalled } from "../memory-store.ts";

/**
 * What came to the mind of one agent, as it goes from thread to thread: many say the same, and to
 * take apart a message costs the one who gets it by the object and by the text.
 */
export type Packed = { readonly texts: readonly string[]; readonly numbers: Float64Array };

/** Of each: its number, time, place of its kind in `MEMORY_KINDS`, likeness, place of its text. */
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
