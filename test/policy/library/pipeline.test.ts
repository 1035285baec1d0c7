import { describe, expect, it } from "vitest";
import {
  assemble,
  canFollow,
  compose,
  type Supplier,
} from "../../../src/policy/library/pipeline.ts";
import { mainMethod } from "../../../src/policy/library/recipe.ts";
import { sampleArgs } from "../../../src/policy/library/sample-args.ts";
import { type Market, run, runInMarket } from "./engine-runner.ts";
import { dice, everything, type Recipe, recipe } from "./shipped.ts";

it.each([
  ["fit if the second works on the result of the first", "tokenise", "word_frequency", true],
  ["fit if the result is a special case", "word_frequency", "fill_template", true],
  ["do not fit if the kinds differ", "tokenise", "describe", false],
  ["do not fit if the result is more general than the argument", "json_schema", "top_k", false],
  ["do not fit if the second needs more arguments", "tokenise", "fuzzy_match", false],
  ["do not fit if they are the same", "wrap", "wrap", false],
])("two programs in a row %s: %s, %s", (_what, first, next, fits) => {
  expect(canFollow(recipe(first), recipe(next))).toBe(fits);
});

describe("a composed program", () => {
  const columns = compose(recipe("csv"), recipe("column"));
  const composed = compose(columns, recipe("describe"));

  it("has the names, kinds and worth of its stages", () => {
    expect(composed).toMatchObject({
      name: "csv_column_describe",
      title: "Read CSV, then Column of a table, then Describe numbers",
      topic: "statistics",
      takes: "notation",
      gives: "record",
      worth: 5 + 2 + 4,
    });
  });

  it("takes the arguments of the first stage and describes the result of the last", () => {
    const { input_schema, output_schema, examples } = mainMethod(composed);
    expect(Object.keys(input_schema.properties)).toEqual(["text", "separator"]);
    expect(Object.keys(output_schema?.properties ?? {})).toContain("median");
    expect(examples).toEqual([]);
  });

  it("passes optional arguments on, and uses defaults for those that are missing", () => {
    expect(run(columns.code, "run", ["a;b\n1;x", ";"])).toEqual({ ok: true, result: [1] });
    expect(run(columns.code, "run", ["a,b\n1,x"])).toEqual({ ok: true, result: [1] });
  });

  it("refuses with the message of the stage that refused", () => {
    expect(run(composed.code, "run", ["a,b\nx,y"])).toMatchObject({
      ok: false,
      reason: expect.stringContaining("columns are: a, b"),
    });
  });

  it("defines one public function", () => {
    const defined = [...composed.code.matchAll(/^function ([a-z]\w*)/gm)];
    expect(defined.map(([, name]) => name)).toEqual(["run"]);
  });
});

describe("every pair of programs that fit", () => {
  const pairs = everything.flatMap((first) =>
    everything.filter((next) => canFollow(first, next)).map((next) => [first, next] as const),
  );

  it("has a valid name that no other program has", () => {
    const chains = pairs.map(([first, next]) => compose(first, next));
    const names = [...everything, ...chains].map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => !/^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$/.test(name))).toEqual([]);
  });

  it("gives the result of the second for the result of the first", () => {
    const pick = dice(pairs.length);
    const wrong = pairs.filter(([first, next]) => {
      const args = sampleArgs(first, pick);
      const between = run(first.code, "run", args);
      const expected = between.ok ? run(next.code, "run", [between.result]) : between;
      const outcome = run(compose(first, next).code, "run", args);
      return JSON.stringify(outcome) !== JSON.stringify(expected);
    });
    expect(pairs.length).toBeGreaterThan(300);
    expect(wrong.map(([first, next]) => [first.name, next.name])).toEqual([]);
  });
});

const supplier = (artifactId: string, each: Recipe, maxPriceScrip: number): Supplier => ({
  artifactId,
  recipe: each,
  maxPriceScrip,
});

/** A market where each artifact id sells one recipe; records the calls. */
const marketOf = (...suppliers: readonly Supplier[]) => {
  const calls: unknown[] = [];
  const market: Market = ({ id, method, args, terms }) => {
    calls.push([id, method, terms]);
    const found = suppliers.find((each) => each.artifactId === id);
    if (found === undefined) {
      return { success: false, error: { code: "not_found", message: `there is no ${id}` } };
    }
    const outcome = run(found.recipe.code, method, args);
    return outcome.ok
      ? { success: true, result: outcome.result }
      : { success: false, error: { code: "rejected_by_artifact", message: outcome.reason } };
  };
  return { calls, market };
};

describe("a front", () => {
  const suppliers = [
    supplier("ann_csv", recipe("csv"), 5),
    supplier("bob-column.v2", recipe("column"), 2),
  ] as const;
  const front = assemble(...suppliers);
  const call = { code: front.code, method: "run", args: ["a;b\n1;2", ";"] };

  it("has the name, kinds and worth of its suppliers' programs", () => {
    expect(front).toMatchObject({
      name: "front_csv_column",
      takes: "notation",
      gives: recipe("column").gives,
      worth: 5 + 2,
    });
  });

  it("calls each supplier once, in order, for at most the agreed price", () => {
    const { market, calls } = marketOf(...suppliers);
    expect(runInMarket(market, call)).toEqual({ ok: true, result: [1] });
    expect(calls).toEqual([
      ["ann_csv", "run", { max_price: 5 }],
      ["bob-column.v2", "run", { max_price: 2 }],
    ]);
  });

  it("fails with the name and the reason of the supplier that failed", () => {
    const { market, calls } = marketOf(suppliers[0]);
    expect(runInMarket(market, call)).toMatchObject({
      ok: false,
      reason: expect.stringMatching(/^supplier_failed: bob-column.v2 failed: .*not_found/),
    });
    expect(calls).toHaveLength(2);
  });
});
