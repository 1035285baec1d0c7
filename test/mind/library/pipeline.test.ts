import { describe, expect, it } from "vitest";
import {
  canFollow,
  compose,
  findPipelines,
  type Recipe,
  sampleArgs,
  variantsOf,
} from "../../../src/mind/library/index.ts";
import { run } from "./engine-runner.ts";
import { dice, recipe, shipped } from "./shipped.ts";

const everything = shipped.recipes.flatMap((each) => [each, ...variantsOf(each)]);

describe("two programs in a row", () => {
  it("fit when the second can work on what the first gives", () => {
    expect(canFollow(recipe("tokenise"), recipe("word_frequency"))).toBe(true);
    expect(canFollow(recipe("tokenise"), recipe("describe"))).toBe(false);
  });

  it("fit when what is given is a special case of what is taken", () => {
    expect(canFollow(recipe("word_frequency"), recipe("fill_template"))).toBe(true);
  });

  it("do not fit when the second must be told more", () => {
    expect(canFollow(recipe("tokenise"), recipe("fuzzy_match"))).toBe(false);
  });

  it("do not fit with themselves", () => {
    expect(canFollow(recipe("wrap"), recipe("wrap"))).toBe(false);
  });
});

describe("a composed program", () => {
  const stages = [recipe("csv"), recipe("column"), recipe("describe")];
  const composed = compose(stages, run);

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

  it("takes what the first takes and says what the last returns", () => {
    const [method] = composed.interface.methods;
    expect(Object.keys(method?.input_schema.properties ?? {})).toEqual(["text", "separator"]);
    expect(Object.keys(method?.output_schema?.properties ?? {})).toContain("median");
  });

  it("has examples that were really computed", () => {
    expect(composed.interface.methods[0]?.examples[2]).toEqual({
      args: ["seller,units\nann,4\nbob,9\nann,2"],
      result: { count: 3, mean: 5, median: 4, deviation: 3.605551, min: 2, max: 9 },
    });
  });

  it("has no examples when there is nothing to compute them with", () => {
    expect(compose(stages).interface.methods[0]?.examples).toEqual([]);
  });

  it("passes optional arguments on, and leaves those that are missing to the default", () => {
    expect(run(composed.code, "run", ["a;b\n1;x", ";"])).toMatchObject({ ok: true });
    expect(run(composed.code, "run", ["a,b\n1,x"])).toMatchObject({ ok: true });
  });

  it("refuses with the words of the stage that refused", () => {
    const outcome = run(composed.code, "run", ["a,b\nx,y"]);
    expect(outcome).toMatchObject({
      ok: false,
      reason: expect.stringContaining("columns are: a, b"),
    });
  });

  it("shows one function to the world", () => {
    expect([...composed.code.matchAll(/^function ([a-z]\w*)/gm)].map((match) => match[1])).toEqual([
      "run",
    ]);
  });

  it("can itself be a stage", () => {
    const [first, second, third] = stages as [Recipe, Recipe, Recipe];
    const nested = compose([compose([first, second], run), third], run);
    expect(nested.interface.methods[0]?.examples).toEqual(composed.interface.methods[0]?.examples);
  });

  it("is made of two or three stages that fit; anything else is a bug", () => {
    expect(() => compose([recipe("csv")])).toThrow("2 or 3 stages");
    expect(() => compose([recipe("csv"), recipe("wrap")])).toThrow(
      "wrap (takes text) cannot follow csv (gives table)",
    );
  });
});

describe("every pipeline of the library", () => {
  const pairs = findPipelines(everything, 2);
  const triples = findPipelines(shipped.recipes, 3);

  it("has a valid name that no other program has", () => {
    const chains = [...everything.map((each) => [each]), ...pairs, ...triples];
    const names = chains.map((chain) => chain.map((each) => each.name).join("_"));
    expect(names.length - new Set(names).size).toBe(0);
    expect(names.filter((name) => !/^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$/.test(name))).toEqual([]);
  });

  it.each([
    ["two stages, variants included", pairs],
    ["three stages", triples],
  ])("of %s passes its own examples and serves any sampled customer", (_, chains) => {
    const pick = dice(chains.length);
    const faults = chains.flatMap((chain) => {
      const composed = compose(chain, run);
      const examples = composed.interface.methods[0]?.examples ?? [];
      const wrong = examples.filter(({ args, result }) => {
        const outcome = run(composed.code, "run", args);
        return !outcome.ok || JSON.stringify(outcome.result) !== JSON.stringify(result);
      });
      const served = run(composed.code, "run", sampleArgs(composed, pick)).ok;
      return examples.length >= 2 && wrong.length === 0 && served ? [] : [composed.name];
    });
    expect(chains.length).toBeGreaterThan(300);
    expect(faults).toEqual([]);
  });
});
