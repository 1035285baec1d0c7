import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Json, patchOf } from "../../../src/kernel/index.ts";

import { patched } from "../../../src/kernel/primitives/patch.ts";

/** Few names and values, so that two of them have much in common. */
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
  it("makes the later value of the earlier one, down to the order of fields", () => {
    fc.assert(
      fc.property(value, value, (earlier, later) => {
        expect(text(patched(earlier, patchOf(earlier, later)))).toBe(text(later));
      }),
    );
  });

  it("means the same once it was written down and read back", () => {
    fc.assert(
      fc.property(value, value, (earlier, later) => {
        const kept = JSON.parse(JSON.stringify(patchOf(earlier, later)));
        expect(text(patched(earlier, kept))).toBe(text(later));
      }),
    );
  });

  it("says what differs and nothing else", () => {
    const earlier = { seen: { ada: 1, bob: [1, 2] }, plan: null, old: "x", dice: 3 };
    const later = { seen: { ada: 2, bob: [1, 2] }, plan: null, dice: 3, fresh: {} };
    expect(patchOf(earlier, later)).toEqual({
      in: { seen: { in: { ada: { to: 2 } } }, fresh: { to: {} } },
      without: ["old"],
    });
    expect(patchOf(earlier, { ...earlier, seen: { ...earlier.seen } })).toEqual({ in: {} });
  });

  it("names a field that has moved to the end, and not all the others", () => {
    const earlier = { ada: 1, bob: 2, cora: 3, dan: { at: [1, 2, 3], n: 1 } };
    const { ada, bob, ...others } = earlier;
    expect(patchOf(earlier, { ...others, bob, ada: 2 })).toEqual({
      in: { bob: { in: {} }, ada: { to: 2 } },
      without: ["ada", "bob"],
    });
  });

  it("says the whole where most fields have moved", () => {
    const later = { dan: 4, cora: 3, bob: 2, ada: 1 };
    expect(patchOf({ ada: 1, bob: 2, cora: 3, dan: 4 }, later)).toEqual({ to: later });
  });

  it("leaves what does not change the same object", () => {
    const earlier: Json = { same: { deep: [1] }, other: 1 };
    expect(patched(earlier, { in: {} })).toBe(earlier);
    const later = patched(earlier, { in: { other: { to: 2 } } }) as { readonly same: Json };
    expect(later.same).toBe(earlier.same);
  });

  it("puts fields into an empty object where there is none", () => {
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
  ])("of another shape, such as %s, is refused in words", (text) => {
    expect(() => patched({ a: 1 }, JSON.parse(text))).toThrow("a change is {to} or {in, without}");
  });

  it("takes a name for a field, whatever it is called", () => {
    const named = JSON.parse('{"__proto__": {"in": {"a": {"to": 1}}}}');
    expect(text(patched({}, { in: named }))).toBe('{"__proto__":{"a":1}}');
  });
});
