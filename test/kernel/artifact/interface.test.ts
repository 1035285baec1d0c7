import { describe, expect, it } from "vitest";
import {
  fitArgs,
  interfaceProblem,
  type Json,
  type JsonObject,
} from "../../../src/kernel/index.ts";

const METHOD = { name: "run", description: "d", input_schema: {} };
const declared = (...methods: readonly unknown[]) => ({ description: "d", methods });

describe("a declared interface", () => {
  it.each<readonly [string, unknown]>([
    ["without methods", declared()],
    ["with one method", declared(METHOD)],
    [
      "with all its parts",
      declared({
        ...METHOD,
        output_schema: { type: "string" },
        examples: [{ args: [1], result: null }],
      }),
    ],
  ])("may be one %s", (_, given) => {
    expect(interfaceProblem(given)).toBeNull();
  });

  it.each<readonly [string, unknown, RegExp]>([
    ["is text", "x", /^an interface is/],
    ["has no description", { methods: [] }, /^an interface is/],
    ["has methods that are no list", { description: "d", methods: {} }, /^an interface is/],
    ["has 65 methods", declared(...Array(65).fill(METHOD)), /^an interface is/],
    ["has an unknown part", { ...declared(), version: 1 }, /"version" is not part/],
    ["has a method that is null", declared(null), /^methods\[0\]: must be an object/],
    [
      "has a method with an unknown part",
      declared({ ...METHOD, price: 1 }),
      /^methods\[0\]\.price/,
    ],
    ["has a method without a name", declared({ ...METHOD, name: 5 }), /name and description/],
    [
      "has a method without a schema",
      declared({ name: "a", description: "d" }),
      /input_schema: must be/,
    ],
    [
      "has a wrong schema",
      declared({ ...METHOD, input_schema: { type: "x" } }),
      /input_schema\.type/,
    ],
    [
      "has a wrong schema of results",
      declared({ ...METHOD, output_schema: [] }),
      /output_schema: must/,
    ],
    [
      "has examples that are no list",
      declared({ ...METHOD, examples: {} }),
      /examples: must be a list/,
    ],
    [
      "has an example without a result",
      declared({ ...METHOD, examples: [{ args: [] }] }),
      /examples/,
    ],
    [
      "has an example whose args are no list",
      declared({ ...METHOD, examples: [{ args: {}, result: 1 }] }),
      /examples/,
    ],
    ["names a method twice", declared(METHOD, METHOD), /same name/],
  ])("is none when it %s", (_, given, words) => {
    expect(interfaceProblem(given)).toMatch(words);
  });
});

const takes = (properties: JsonObject, required?: readonly string[]) => ({
  name: "run",
  input_schema: { properties, ...(required === undefined ? {} : { required }) },
  examples: [{ args: ["bob", 5] as readonly Json[], result: null }],
});

const PAY = takes({ to: { type: "string" }, scrip: { type: "integer" }, memo: {} }, [
  "to",
  "scrip",
]);

describe("arguments", () => {
  it.each<readonly [string, readonly Json[], readonly Json[]]>([
    ["that fit stay", ["bob", 5], ["bob", 5]],
    ["written as text become numbers", ["bob", "5"], ["bob", 5]],
    ["that need not be there may be null", ["bob", 5, null], ["bob", 5, null]],
  ])("%s", (_, args, becomes) => {
    expect(fitArgs(PAY, args)).toEqual({ kind: "accepted", events: [], answer: becomes });
  });

  it.each<readonly [string, readonly Json[], RegExp]>([
    ["there are too many", ["bob", 5, "m", 1], /takes at most 3 arguments, got 4/],
    ["one is missing", ["bob"], /argument 2, scrip, is missing/],
    ["one that is needed is null", ["bob", null], /scrip must be integer, not null/],
    ["one has the wrong type", ["bob", "many"], /scrip must be integer/],
  ])("are refused with a worked example when %s", (_, args, words) => {
    const decision = fitArgs(PAY, args);
    expect(decision).toMatchObject({
      kind: "refused",
      refusal: { code: "interface_mismatch", data: { input_schema: PAY.input_schema } },
    });
    const message = decision.kind === "refused" ? decision.refusal.message : "";
    expect(message).toMatch(words);
    expect(message).toContain('for example args: ["bob",5]');
  });

  it("of a method that declares nothing are taken as they are", () => {
    const args = [1, "x", { a: [] }];
    expect(fitArgs(undefined, args)).toMatchObject({ answer: args });
    expect(fitArgs({ name: "run", input_schema: { type: "object" } }, args)).toMatchObject({
      answer: args,
    });
  });
});
