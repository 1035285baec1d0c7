import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fit, type Json, type JsonObject, schemaProblem } from "../../../src/kernel/index.ts";

/** A schema inside `depth` lists of lists. */
const nested = (depth: number): JsonObject =>
  depth === 0 ? { type: "string" } : { type: "array", items: nested(depth - 1) };

const EVERY_KEYWORD = {
  ...{ type: "object", description: "d", title: "t", default: 1, examples: [1] },
  ...{ enum: ["x", 1, null], const: {}, required: ["a"], minimum: 0, maximum: 1 },
  properties: { a: { type: "array", items: {}, minItems: 1, maxItems: 2 } },
  additionalProperties: { minLength: 1, maxLength: 2 },
};

describe("a schema", () => {
  it.each<readonly [string, unknown]>([
    ["empty", {}],
    ["a type", { type: "string" }],
    ["a choice of types", { type: ["string", "null"] }],
    ["every keyword", EVERY_KEYWORD],
    ["a property that is named like a method of Object", { properties: { constructor: {} } }],
    ["nested as deep as the limit", nested(16)],
  ])("may be %s", (_, schema) => {
    expect(schemaProblem(schema)).toBeNull();
  });

  it.each<readonly [string, unknown, RegExp]>([
    ["text", "string", /^schema: must be an object/],
    ["null", null, /^schema: must be an object/],
    ["a list", [], /^schema: must be an object/],
    ["a keyword with unbounded cost", { pattern: "(a+)+$" }, /^schema\.pattern: is not supported/],
    ["a reference", { $ref: "#" }, /^schema\.\$ref: is not supported/],
    ["an unknown type", { type: "text" }, /^schema\.type: "text"/],
    ["a type that is a number", { type: 5 }, /^schema\.type: 5/],
    ["a choice with an unknown type", { type: ["string", "any"] }, /^schema\.type: "any"/],
    ["a required that is not a list", { required: "a" }, /^schema\.required/],
    ["a required that lists numbers", { required: [1] }, /^schema\.required/],
    ["an enum that is not a list", { enum: "a" }, /^schema\.enum/],
    ["a bound that is text", { minimum: "1" }, /^schema\.minimum/],
    ["a bound that is infinite", { maxItems: Number.POSITIVE_INFINITY }, /^schema\.maxItems/],
    ["properties that are a list", { properties: [] }, /^schema\.properties: must be an object/],
    ["a property that is text", { properties: { a: "x" } }, /^schema\.properties\.a: must be/],
    ["items that are a list", { items: [{}] }, /^schema\.items: must be an object/],
    ["extra properties as text", { additionalProperties: "x" }, /additionalProperties: must be an/],
    ["an error deep inside", { items: { items: { type: "x" } } }, /^schema\.items\.items\.type/],
    ["nested deeper than the limit", nested(17), /nested more than 16/],
  ])("may not be %s", (_, schema, words) => {
    expect(schemaProblem(schema)).toMatch(words);
  });
});

describe("a value that is fitted to a schema", () => {
  it.each<readonly [Json, JsonObject, Json]>([
    ["5", { type: "integer" }, 5],
    [" -5 ", { type: "integer" }, -5],
    ["9007199254740991", { type: "integer" }, Number.MAX_SAFE_INTEGER],
    ["1.5", { type: "number" }, 1.5],
    ["2e3", { type: "number" }, 2_000],
    ["true", { type: "boolean" }, true],
    [" false", { type: "boolean" }, false],
    ["5", { type: "string" }, "5"],
    ["5", { type: ["integer", "string"] }, "5"],
    ["x", {}, "x"],
    [["1", 2], { type: "array", items: { type: "integer" } }, [1, 2]],
    [{ a: "1" }, { type: "object", properties: { a: { type: "integer" } } }, { a: 1 }],
    [{ b: "1" }, { type: "object", additionalProperties: { type: "integer" } }, { b: 1 }],
    [{ b: "1" }, { type: "object" }, { b: "1" }],
    [null, { type: "null" }, null],
    [{ a: 1 }, { enum: [{ a: 1 }] }, { a: 1 }],
  ])("%j under %j becomes %j", (value, schema, becomes) => {
    expect(fit(value, schema, "x")).toEqual({ ok: true, value: becomes });
  });

  it.each<readonly [Json, JsonObject, RegExp]>([
    ["five", { type: "integer" }, /^x must be integer, not the string "five"$/],
    ["", { type: "number" }, /must be number/],
    ["1.5", { type: "integer" }, /must be integer/],
    ["5.0", { type: "integer" }, /must be integer/],
    ["1e3", { type: "integer" }, /must be integer/],
    ["0x10", { type: "integer" }, /must be integer/],
    ["0.99999999999999999999", { type: "integer" }, /must be integer/],
    ["9007199254740993", { type: "integer" }, /must be integer/],
    ["-0", { type: "integer" }, /must be integer/],
    ["Infinity", { type: "number" }, /must be number/],
    ["1e999", { type: "number" }, /must be number/],
    ["TRUE", { type: "boolean" }, /must be boolean/],
    [1, { type: "boolean" }, /must be boolean/],
    [5, { type: "string" }, /must be string, not the number 5/],
    [null, { type: "string" }, /not null/],
    [[], { type: "object" }, /not an array/],
    [{}, { type: "array" }, /not an object/],
    [1.5, { type: "integer" }, /must be integer/],
    ["x", { type: [] }, /must be/],
    ["c", { enum: ["a", "b"] }, /one of \["a","b"\]/],
    [2, { const: 1 }, /must be 1/],
    [4, { minimum: 5 }, /at least 5/],
    [6, { maximum: 5 }, /at most 5/],
    ["a", { minLength: 2 }, /at least 2 characters/],
    ["abc", { maxLength: 2 }, /at most 2 characters/],
    [[], { minItems: 1 }, /at least 1 items/],
    [[1, 2], { maxItems: 1 }, /at most 1 items/],
    [{}, { type: "object", required: ["a"] }, /^x\.a is missing/],
    [{ z: 1 }, { properties: { a: {} }, additionalProperties: false }, /^x\.z is unknown/],
    [{ constructor: 1 }, { properties: {}, additionalProperties: false }, /constructor is unknown/],
    [{}, { required: ["toString"] }, /toString is missing/],
    [{ a: ["q"] }, { properties: { a: { items: { type: "integer" } } } }, /^x\.a\[0\] must be/],
  ])("%j under %j does not fit", (value, schema, words) => {
    expect(fit(value, schema, "x")).toEqual({ ok: false, problem: expect.stringMatching(words) });
  });

  it("does not change if it fits", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (given) => {
        const value = JSON.parse(JSON.stringify(given)) as Json;
        expect(fit(value, {}, "x")).toEqual({ ok: true, value });
      }),
    );
  });

  it("is read as exactly the written integer, or does not fit", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 60n), max: 2n ** 60n }), (number) => {
        const result = fit(String(number), { type: "integer" }, "x");
        const safe = Number.isSafeInteger(Number(number)) && BigInt(Number(number)) === number;
        expect(result.ok).toBe(safe);
        if (result.ok) expect(result.value).toBe(Number(number));
      }),
    );
  });
});
