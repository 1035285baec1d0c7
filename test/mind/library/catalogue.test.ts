import { describe, expect, it } from "vitest";
import { kindFits } from "../../../src/mind/library/index.ts";
import { shipped } from "./shipped.ts";

const namesOf = (recipes: readonly { readonly name: string }[]) => recipes.map((each) => each.name);

describe("the catalogue", () => {
  it("finds a program by name", () => {
    expect(shipped.named("gini")?.title).toBe("Gini coefficient");
    expect(shipped.named("nothing")).toBeUndefined();
  });

  it("lists a topic in the order of names", () => {
    expect(namesOf(shipped.inTopic("tables"))).toEqual([
      "column",
      "group_totals",
      "markdown_table",
    ]);
    expect(shipped.inTopic("nothing")).toEqual([]);
  });

  it("finds programs by what they take, special cases included", () => {
    expect(namesOf(shipped.taking("points"))).toEqual(["correlation", "linear_regression"]);
    expect(namesOf(shipped.taking("tally"))).toEqual([
      "fair_split",
      "fill_template",
      "rebalance",
      "top_k",
    ]);
  });

  it("finds programs by what they give, special cases included", () => {
    expect(namesOf(shipped.giving("points"))).toEqual(["index_points"]);
    expect(namesOf(shipped.giving("record"))).toContain("word_frequency");
  });
});

describe("kinds", () => {
  it("fit themselves and what they are a special case of, and not the other way", () => {
    expect(kindFits("text", "text")).toBe(true);
    expect(kindFits("tally", "record")).toBe(true);
    expect(kindFits("record", "tally")).toBe(false);
  });
});
