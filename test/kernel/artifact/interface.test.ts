import { describe, expect, it } from "vitest";
import { fitArgs, interfaceProblem, type Json } from "../../../src/kernel/index.ts";

const METHOD = { name: "run", description: "d", input_schema: {} };
const EXAMPLES = [{ args: [1], result: null }];
const declared = (...methods: readonly unknown[]) => ({ description: "d", methods });
const method = (fields: object) => declared({ ...METHOD, ...fields });

describe("a declared interface", () => {
  it.each<readonly [string, unknown]>([
    ["have no methods", declared()],
    ["have one method", declared(METHOD)],
    ["have all parts", method({ output_schema: { type: "string" }, examples: EXAMPLES })],
  ])("may %s", (_, given) => {
    expect(interfaceProblem(given)).toBeNull();
  });

  it.each<readonly [string, unknown, RegExp]>([
    ["text", "x", /^an interface must be/],
    ["without a description", { methods: [] }, /^an interface must be/],
    ["with an object of methods", { description: "d", methods: {} }, /^an interface must be/],
    ["with 65 methods", declared(...Array(65).fill(METHOD)), /^an interface must be/],
    ["with an unknown part", { ...declared(), version: 1 }, /"version" is unknown/],
    ["with a null method", declared(null), /^methods\[0\]: must be an object/],
    ["with an unknown part in a method", method({ price: 1 }), /^methods\[0\]\.price/],
    ["with a method without a name", method({ name: 5 }), /name and description/],
    ["with a method without a schema", method({ input_schema: null }), /input_schema: must be/],
    ["with an invalid schema", method({ input_schema: { type: "x" } }), /input_schema\.type/],
    ["with an invalid output schema", method({ output_schema: [] }), /output_schema: must/],
    ["with examples that are not a list", method({ examples: {} }), /examples: must be a list/],
    ["with an example without a result", method({ examples: [{ args: [] }] }), /examples/],
    ["with an invalid example", method({ examples: [{ args: {}, result: 1 }] }), /examples/],
    ["with two methods of one name", declared(METHOD, METHOD), /same name/],
  ])("may not be %s", (_, given, words) => {
    expect(interfaceProblem(given)).toMatch(words);
  });
});

const PAY = {
  name: "pay",
  input_schema: {
    properties: { to: { type: "string" }, scrip: { type: "integer" }, memo: {} },
    required: ["to", "scrip"],
  },
  examples: [{ args: ["bob", 5], result: null }],
};

describe("arguments", () => {
  it.each<readonly [string, readonly Json[], readonly Json[]]>([
    ["that fit do not change", ["bob", 5], ["bob", 5]],
    ["as text become numbers", ["bob", "5"], ["bob", 5]],
    ["that are optional may be null", ["bob", 5, null], ["bob", 5, null]],
  ])("%s", (_, args, becomes) => {
    expect(fitArgs(PAY, args)).toEqual({ kind: "accepted", events: [], answer: becomes });
  });

  it.each<readonly [string, readonly Json[], RegExp]>([
    ["too many", ["bob", 5, "m", 1], /takes at most 3 arguments, got 4/],
    ["a missing one", ["bob"], /argument 2, scrip, is missing/],
    ["null for a required one", ["bob", null], /scrip must be integer, not null/],
    ["a wrong type", ["bob", "many"], /scrip must be integer/],
  ])("are refused with an example: %s", (_, args, words) => {
    const decision = fitArgs(PAY, args);
    expect(decision).toMatchObject({
      kind: "refused",
      refusal: { code: "interface_mismatch", data: { input_schema: PAY.input_schema } },
    });
    const message = decision.kind === "refused" ? decision.refusal.message : "";
    expect(message).toMatch(words);
    expect(message).toContain('for example args: ["bob",5]');
  });

  it("of a method without a schema may be anything", () => {
    const args = [1, "x", { a: [] }];
    expect(fitArgs(undefined, args)).toMatchObject({ answer: args });
    const anything = { name: "run", input_schema: { type: "object" } };
    expect(fitArgs(anything, args)).toMatchObject({ answer: args });
  });
});
