import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { patched } from "../../../src/kernel/core/patch.ts";
import { type Json, patchOf } from "../../../src/kernel/index.ts";

/** Few names and values, so that two random values have common parts. */
const { value } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom<Json>(null, 0, 1, "a", true),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom("a", "b", "c", "1", "constructor", "toString"), tie("value")),
  ),
}));

const text = (json: Json): string => JSON.stringify(json);

describe("a patch", () => {
  it("turns the earlier value into the later one, also after it was written and parsed", () => {
    fc.assert(
      fc.property(value, value, (earlier, later) => {
        const patch = patchOf(earlier, later);
        const parsed = JSON.parse(JSON.stringify(patch));
        // The text shows the order of fields.
        expect(text(patched(earlier, patch))).toBe(text(later));
        expect(text(patched(earlier, parsed))).toBe(text(later));
      }),
    );
  });

  it("contains only what differs", () => {
    const earlier = { seen: { ada: 1, bob: [1, 2] }, plan: null, old: "x", dice: 3 };
    const later = { seen: { ada: 2, bob: [1, 2] }, plan: null, dice: 3, fresh: {} };
    expect(patchOf(earlier, later)).toEqual({
      in: { seen: { in: { ada: { to: 2 } } }, fresh: { to: {} } },
      without: ["old"],
    });
    expect(patchOf(earlier, { ...earlier, seen: { ...earlier.seen } })).toEqual({ in: {} });
  });

  it("names a field that moved to the end, and no others", () => {
    const earlier = { ada: 1, bob: 2, cora: 3, dan: { at: [1, 2, 3], n: 1 } };
    const { ada, bob, ...others } = earlier;
    expect(patchOf(earlier, { ...others, bob, ada: 2 })).toEqual({
      in: { bob: { in: {} }, ada: { to: 2 } },
      without: ["ada", "bob"],
    });
  });

  it("contains the whole value if most fields moved", () => {
    const later = { dan: 4, cora: 3, bob: 2, ada: 1 };
    expect(patchOf({ ada: 1, bob: 2, cora: 3, dan: 4 }, later)).toEqual({ to: later });
  });

  it("keeps unchanged parts as the same objects", () => {
    const earlier: Json = { same: { deep: [1] }, other: 1 };
    expect(patched(earlier, { in: {} })).toBe(earlier);
    const later = patched(earlier, { in: { other: { to: 2 } } }) as { readonly same: Json };
    expect(later.same).toBe(earlier.same);
  });

  it("creates objects for the fields that it adds", () => {
    expect(patched("text", { in: { a: { in: { b: { to: 1 } } } }, without: ["c"] })).toEqual({
      a: { b: 1 },
    });
  });

  it.each([
    "null",
    "5",
    '"x"',
    "[]",
    "{}",
    '{"in":null}',
    '{"in":{"a":5}}',
    '{"in":{},"without":"abc"}',
  ])("cannot have another shape: %s", (text) => {
    expect(() => patched({ a: 1 }, JSON.parse(text))).toThrow(
      "a change must be {to} or {in, without}",
    );
  });

  it("can name a field __proto__", () => {
    const named = JSON.parse('{"__proto__": {"in": {"a": {"to": 1}}}}');
    expect(text(patched({}, { in: named }))).toBe('{"__proto__":{"a":1}}');
  });
});
