import fc from "fast-check";
import { expect, it } from "vitest";
import type { JsonCounts } from "../../src/world/core/json-counter.ts";
import { JsonCounter } from "../../src/world/index.ts";

/** The census of a text read in pieces of `pieceBytes`. */
const census = (text: string, pieceBytes = Number.MAX_SAFE_INTEGER): JsonCounts => {
  const bytes = Buffer.from(text);
  const taking = new JsonCounter();
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    taking.take(bytes.subarray(at, at + pieceBytes));
  }
  return taking.found;
};

/** The same count, from the parsed value: lists, maps, and commas between their parts. */
const counted = (value: unknown): number => {
  if (typeof value !== "object" || value === null) return 0;
  const parts = Object.values(value);
  return (
    1 + Math.max(0, parts.length - 1) + parts.reduce<number>((n, each) => n + counted(each), 0)
  );
};
const depth = (value: unknown): number => {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Object.values(value).reduce<number>((most, each) => Math.max(most, depth(each)), 0);
};

it("counts the values and the depth of a JSON text, wherever its pieces end", () => {
  fc.assert(
    fc.property(
      fc.jsonValue(),
      fc.integer({ min: 1, max: 7 }),
      fc.boolean(),
      (value, size, wide) => {
        const text = JSON.stringify(value, null, wide ? 2 : 0);
        const known = { values: counted(JSON.parse(text)), deepest: depth(JSON.parse(text)) };
        expect(census(text)).toEqual(known);
        expect(census(text, size)).toEqual(known);
      },
    ),
    { numRuns: 300 },
  );
});

it.each([
  ['["[,{", 1]', { values: 2, deepest: 1 }],
  ['["\\"[", "\\\\", "\\\\\\"]"]', { values: 3, deepest: 1 }],
  ['{"a[,":"}"}', { values: 1, deepest: 1 }],
  ["[[[[", { values: 4, deepest: 4 }],
  ["]]]][", { values: 1, deepest: 0 }],
  ['"never ends [[[', { values: 0, deepest: 0 }],
])("ignores brackets and commas inside strings: %s", (text, known) => {
  for (const size of [1, 2, 3, 100]) expect(census(text, size)).toEqual(known);
});
