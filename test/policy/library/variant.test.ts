import { describe, expect, it } from "vitest";
import { run } from "./engine-runner.ts";
import { parametersOf, recipe, shipped, variantsOf } from "./shipped.ts";

describe("a variant of a program", () => {
  it("has a fixed argument in its code, interface and examples", () => {
    const [, variant] = variantsOf(recipe("percentile"));
    const about = { name: "percentile_p90", title: "90th percentile" };
    expect(variant).toMatchObject({ ...about, takes: "numbers", gives: "number", variants: [] });
    expect(variant?.code).toContain("function run(numbers) {\n  const p = 90;\n");
    expect(variant?.interface.methods[0]?.input_schema).toMatchObject({
      properties: { numbers: { type: "array" } },
      required: ["numbers"],
    });
    expect(variant?.interface.description).toContain("Here with p 90.");
  });

  it("can have several fixed arguments", () => {
    const [variant] = variantsOf(recipe("base_convert"));
    expect(variant?.code).toContain("run(digits) {\n  const from = 16;\n  const to = 10;\n");
  });

  it("can have a required argument fixed, so that it fits into pipelines", () => {
    const [variant] = variantsOf(recipe("json_schema"));
    expect(variant?.interface.methods[0]?.input_schema.required).toEqual(["value"]);
  });

  it("has other code, fewer arguments and only the method run", () => {
    for (const original of shipped) {
      for (const variant of variantsOf(original)) {
        expect(variant.code).not.toBe(original.code);
        expect(parametersOf(variant).length).toBeLessThan(parametersOf(original).length);
        expect(variant.interface.methods.map((method) => method.name)).toEqual(["run"]);
      }
    }
  });

  it("returns the result of the original with the fixed arguments", () => {
    for (const original of shipped) {
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
