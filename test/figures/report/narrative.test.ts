import { describe, expect, it } from "vitest";
import { narrativeOf } from "../../../src/figures/report/narrative.ts";
import {
  burns,
  calls,
  comes,
  figuresOf,
  type Happens,
  moves,
  writes,
} from "../../support/run-events.ts";

const textOf = (...happen: readonly Happens[]): string =>
  narrativeOf(figuresOf(...happen), [], { run: null, seq: 0, at_ms: 0 }, 0).join("\n");

/** Ann writes a program; others pay her for calls. */
const sells = (buyer: string, amount: number): Happens =>
  moves([buyer, "ann"], amount, { artifact: "tool" });

const agents = (...wealths: readonly number[]): readonly Happens[] =>
  wealths.flatMap((wealth, at) => comes(["ann", "bob", "cas", "dan", "eve"][at] ?? "", wealth));

describe("the richest agent", () => {
  it("earned an amount, not only a share of an unknown amount", () => {
    expect(textOf(...agents(50, 20), sells("bob", 5))).toContain(
      "It earned 5 scrip, all from its programs.",
    );
  });

  it("is not named if all agents have equal scrip", () => {
    const text = textOf(...agents(20, 20, 20));
    expect(text).toContain("Each of the 3 agents has 20 scrip.");
    expect(text).not.toMatch(/richest|Gini/);
  });
});

it("calls the wealth of a few agents neither even nor uneven", () => {
  expect(textOf(...agents(50, 45, 40, 38))).not.toMatch(/Wealth is|Gini/);
  expect(textOf(...agents(50, 45, 40, 38, 36))).toMatch(/Wealth is nearly even \(Gini 0\.\d+\)/);
});

describe("concentration of revenue", () => {
  it("is not compared with one equal seller", () => {
    const text = textOf(...agents(50, 20), sells("bob", 5));
    expect(text).toContain("1 principal sold for 5 scrip. ann sold the most, for 5.");
    expect(text).not.toMatch(/equal seller|HHI/);
  });

  it("of two sellers, one of whom sold nearly all", () => {
    const text = textOf(
      ...agents(50, 400),
      sells("bob", 300),
      moves(["ann", "bob"], 1, { artifact: "other" }),
    );
    expect(text).toContain("Revenue is as concentrated as if one seller had nearly all of it (HHI");
  });

  it("of two equal sellers", () => {
    const text = textOf(
      ...agents(50, 50),
      sells("bob", 5),
      moves(["ann", "bob"], 5, { artifact: "other" }),
    );
    expect(text).toContain("as concentrated as with 2 equal sellers (HHI 0.5).");
  });
});

it("says which programs others called in words that fit the number", () => {
  const none = textOf(...agents(5, 5), writes("ann", "tool"));
  expect(none).toContain("Principals other than the owner called none of the programs.");
  expect(textOf(...agents(5, 5), writes("ann", "tool"), calls("tool", { by: "bob" }))).toContain(
    "Principals other than the owner called 1 of the programs (100 %).",
  );
});

it("uses no plural for one scrip", () => {
  expect(textOf(...agents(5, 5), burns("ann", 1))).toContain("0 scrip was minted, and 1 burned.");
});
