import { describe, expect, it } from "vitest";
import { type Recipe, variantsOf } from "../../../src/mind/library/index.ts";
import { run } from "./engine-runner.ts";
import { recipe, shipped } from "./shipped.ts";

const parametersOf = (each: Recipe) =>
  Object.keys(each.interface.methods[0]?.input_schema.properties ?? {});

describe("varying a program", () => {
  it("fixes an argument in the code, the interface and the examples", () => {
    const [, variant] = variantsOf(recipe("percentile"));
    expect(variant).toMatchObject({
      name: "percentile_p90",
      title: "90th percentile",
      takes: "numbers",
      gives: "number",
      variants: [],
    });
    expect(variant?.code).toContain("function run(numbers) {\n  const p = 90;\n");
    expect(variant?.interface.methods[0]?.input_schema).toMatchObject({
      properties: { numbers: { type: "array" } },
      required: ["numbers"],
    });
    expect(variant?.interface.description).toContain("Here with p 90.");
  });

  it("can fix several arguments", () => {
    const [variant] = variantsOf(recipe("base_convert"));
    expect(variant?.code).toContain(
      "function run(digits) {\n  const from = 16;\n  const to = 10;\n",
    );
  });

  it("can fix an argument that must be given, so that the program fits into pipelines", () => {
    const [variant] = variantsOf(recipe("json_schema"));
    expect(variant?.interface.methods[0]?.input_schema.required).toEqual(["value"]);
  });

  it("gives nothing where a program declares no variants", () => {
    expect(variantsOf(recipe("gini"))).toEqual([]);
  });

  it("makes another program of each: other code, fewer arguments, only run", () => {
    for (const original of shipped.recipes) {
      for (const variant of variantsOf(original)) {
        expect(variant.code).not.toBe(original.code);
        expect(parametersOf(variant).length).toBeLessThan(parametersOf(original).length);
        expect(variant.interface.methods.map((method) => method.name)).toEqual(["run"]);
      }
    }
  });

  it("answers as the original does when it is given the fixed arguments", () => {
    for (const original of shipped.recipes) {
      variantsOf(original).forEach((variant, index) => {
        const bind = original.variants[index]?.bind ?? {};
        for (const { args, result } of variant.interface.methods[0]?.examples ?? []) {
          const free = parametersOf(variant);
          const all = parametersOf(original).map((name) => bind[name] ?? args[free.indexOf(name)]);
          const given = all.slice(0, all.findLastIndex((value) => value !== undefined) + 1);
          expect(run(original.code, "run", given as typeof args)).toEqual({ ok: true, result });
        }
      });
    }
  });
});
