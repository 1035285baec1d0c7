import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { byteLength } from "../../../src/kernel/core/json.ts";
import { canonical, cutText, jsonProblem, textProblem } from "../../../src/kernel/index.ts";

const nested = (depth: number): unknown => {
  let value: unknown = 0;
  for (let i = 0; i < depth; i++) value = [value];
  return value;
};

const wellFormed = fc.string({ unit: "grapheme", maxLength: 20 });
const anyText = fc.string({ unit: "binary", maxLength: 20 });

describe("plain data", () => {
  it.each([
    ["null", null],
    ["text of several planes", "aé€😀"],
    ["an empty record", {}],
    ["a record of records", { a: { b: [1, "x", null, true] } }],
    ["a key that is named like a property of Object", { proto: 1, constructor: 2, toString: 3 }],
  ])("can be %s", (_, value) => {
    expect(jsonProblem(value, 32)).toBeNull();
  });

  it.each([
    ["not a number", Number.NaN, /finite/],
    ["infinite", Number.NEGATIVE_INFINITY, /finite/],
    ["missing", undefined, /undefined is not JSON/],
    ["a function", () => 1, /function is not JSON/],
    ["a symbol", Symbol("x"), /symbol is not JSON/],
    ["a bigint", 1n, /bigint is not JSON/],
    ["text with NUL", "a\u0000b", /NUL/],
    ["text with half a character", "a\ud83d", /surrogate/],
    ["text with halves in the wrong order", "\ude00\ud83d", /surrogate/],
    ["a key with NUL", { "\u0000": 1 }, /NUL/],
    ["a key with half a character", { "\udc00": 1 }, /surrogate/],
    ["a key that names a prototype", JSON.parse('{"a":{"__proto__":{}}}'), /__proto__/],
    ["a bad value deep inside", { a: [{ b: [Number.NaN] }] }, /finite/],
  ])("cannot be %s", (_, value, words) => {
    expect(jsonProblem(value, 32)).toMatch(words);
  });

  it("is nested at most as deep as the limit", () => {
    expect(jsonProblem(nested(32), 32)).toBeNull();
    expect(jsonProblem(nested(33), 32)).toMatch(/too deeply/);
    // The check does not run out of stack.
    expect(jsonProblem(nested(100_000), 32)).toMatch(/too deeply/);
    expect(jsonProblem({}, 0)).toMatch(/too deeply/);
    expect(jsonProblem(5, 0)).toBeNull();
  });

  it("includes text if it is well-formed and without NUL", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(textProblem(text) === null).toBe(text.isWellFormed() && !text.includes("\u0000"));
      }),
    );
  });
});

describe("canonical text", () => {
  it("sorts keys", () => {
    expect(canonical({ b: 1, a: { d: 2, c: [3] } })).toBe('{"a":{"c":[3],"d":2},"b":1}');
  });

  it("omits undefined fields and writes undefined items as null", () => {
    expect(canonical({ a: undefined, b: [undefined, 1] })).toBe('{"b":[null,1]}');
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY])("cannot contain %d", (number) => {
    expect(() => canonical({ a: [number] })).toThrow(/numbers must be finite/);
  });

  it("can be parsed to the same data", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const plain: unknown = JSON.parse(JSON.stringify(value));
        expect(JSON.parse(canonical(plain))).toEqual(plain);
        expect(canonical(JSON.parse(canonical(plain)))).toBe(canonical(plain));
      }),
    );
  });
});

describe("the size of a text", () => {
  it("is its number of UTF-8 bytes, even if it is malformed", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(byteLength(text)).toBe(Buffer.byteLength(text));
      }),
    );
  });

  it("is right at the edges, and 3 for half of a surrogate pair", () => {
    const texts = ["\u007f", "\u0080", "\u07ff", "\u0800", "\ud83d€", "€\ude00"];
    expect(texts.map(byteLength)).toEqual([1, 2, 2, 3, 6, 6]);
  });
});

describe("text that is cut", () => {
  it("does not end with half a character", () => {
    expect(cutText("ab😀", 3)).toBe("ab");
    expect(cutText("ab😀", 4)).toBe("ab😀");
    expect(cutText("😀", 1)).toBe("");
  });

  it("is well-formed and at most one shorter than the limit", () => {
    fc.assert(
      fc.property(wellFormed, fc.nat(20), (text, max) => {
        const cut = cutText(text, max);
        expect(cut.isWellFormed()).toBe(true);
        expect(cut.length).toBeLessThanOrEqual(max);
        expect(text.startsWith(cut)).toBe(true);
        if (text.length <= max) expect(cut).toBe(text);
        else expect(cut.length).toBeGreaterThanOrEqual(max - 1);
      }),
    );
  });
});
