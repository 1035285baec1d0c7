import { describe, expect, it } from "vitest";
import {
  GRID,
  MONOPOLY,
  NASH,
  PROFITS,
  profitAt,
  REPLIES,
} from "../../../experiments/calvano-2020/minds/duopoly.ts";

const nash = 1_000 * NASH.price;
const monopoly = 1_000 * MONOPOLY.price;

describe("the demand of the duopoly", () => {
  it("gives the profits of the paper: 0.2229 and 0.3375 a consumer", () => {
    expect(profitAt(nash, nash) / 10_000).toBeCloseTo(0.2229, 4);
    expect(profitAt(monopoly, monopoly) / 10_000).toBeCloseTo(0.3375, 4);
    expect(NASH.profit / 10_000).toBeCloseTo(0.2229, 4);
    expect(MONOPOLY.profit / 10_000).toBeCloseTo(0.3375, 4);
  });

  it("has no better reply to the equilibrium price, and no better common price than monopoly", () => {
    const rounding = 1;
    for (let price = 1_010; price < 3_000; price += 10) {
      expect(profitAt(price, nash)).toBeLessThan(NASH.profit + rounding);
      expect(profitAt(price, price)).toBeLessThan(MONOPOLY.profit + rounding);
    }
  });
});

describe("the grid", () => {
  it("has 15 prices from a tenth below equilibrium to a tenth above monopoly", () => {
    expect([GRID.length, GRID[0], GRID.at(-1)]).toEqual([15, 1_428, 1_970]);
  });

  it("has two equilibria", () => {
    const mutual = REPLIES.flatMap((reply, price) => (REPLIES[price] === reply ? [reply] : []));
    const stable = [...new Set(mutual)].filter((price) => REPLIES[price] === price);
    expect(stable.map((price) => Math.round(PROFITS[price]?.[price] ?? 0))).toEqual([2200, 2362]);
  });
});
