import { beforeAll, describe, expect, it } from "vitest";
import type { ExperimentResult } from "../../../src/index.ts";
import { sharedFolder } from "../../support/temporary-folder.ts";
import {
  averageOf,
  copyExperiments,
  giniOf,
  meanOf,
  measureIn,
  modelRuns,
  smallResult,
} from "./shipped-experiment.ts";

const PLAYERS = 100;
const ROUNDS = 1000;
const STAKE = 0.2;
/** The number of independent simulations of each case. */
const SIMULATIONS = 6;

/** Mulberry32, an independent generator, so that the test repeats. */
const diceOf = (seed: number) => {
  let state = seed;
  return (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

/** The yard sale with real numbers: the mean Gini coefficient from the round `from` on. */
const simulated = (tax: number, exchanges: number, from: number): number => {
  const runs = Array.from({ length: SIMULATIONS }, (_, at) => {
    const dice = diceOf(at + 1);
    const wealth = Array.from({ length: PLAYERS }, () => 1);
    const ginis: number[] = [];
    for (let round = 1; round <= ROUNDS; round += 1) {
      for (let n = 0; n < exchanges; n += 1) exchange(wealth, dice);
      const pot = wealth.reduce((sum, each) => sum + tax * each, 0);
      for (const [at, each] of wealth.entries()) wealth[at] = each * (1 - tax) + pot / PLAYERS;
      if (round >= from && (round - from) % 25 === 0) ginis.push(giniOf(wealth));
    }
    return averageOf(ginis);
  });
  return averageOf(runs);
};

const exchange = (wealth: number[], dice: () => number): void => {
  const winner = Math.floor(dice() * PLAYERS);
  const loser = (winner + 1 + Math.floor(dice() * (PLAYERS - 1))) % PLAYERS;
  const stake = STAKE * Math.min(wealth[winner] ?? 0, wealth[loser] ?? 0);
  wealth[winner] = (wealth[winner] ?? 0) + stake;
  wealth[loser] = (wealth[loser] ?? 0) - stake;
};

const CASES = [
  ["gini", "none", simulated(0, 100, ROUNDS)],
  ["settled_gini", "tax_01", simulated(0.001, 50, ROUNDS / 2)],
  ["settled_gini", "tax_1", simulated(0.01, 50, ROUNDS / 2)],
  ["settled_gini", "tax_5", simulated(0.05, 50, ROUNDS / 2)],
] as const;

it.each(CASES)("has a band of %s for %s around an independent simulation", (measure, arm, gini) => {
  const [low = 1, high = 0] = measureIn("yard-sale", measure).bands?.[arm] ?? [];
  expect(gini).toBeGreaterThan(low);
  expect(gini).toBeLessThan(high);
});

describe("the experiment on the yard sale, with one seed", () => {
  const folder = sharedFolder();
  let result: ExperimentResult;
  beforeAll(() => {
    copyExperiments(folder);
    result = smallResult(folder, "yard-sale", "1..1", ["none", "tax_1", "random"]);
  });

  it.each(CASES.filter(([, arm]) => arm === "none" || arm === "tax_1"))(
    "agrees in %s of %s with an independent simulation",
    (measure, arm, gini) => {
      expect(Math.abs(meanOf(result, measure, arm) - gini)).toBeLessThan(0.02);
    },
  );

  it("concentrates money with random stakes too", () => {
    expect(meanOf(result, "gini", "random")).toBeGreaterThan(0.9);
  });

  it("also runs with language models", () => {
    expect(modelRuns(folder, "yard-sale")).toBe(1);
  });
});
