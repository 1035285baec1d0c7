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

const AGENTS = 100;
const logFactorial = (n: number): number =>
  Array.from({ length: n }, (_, at) => Math.log(at + 1)).reduce((sum, each) => sum + each, 0);
const logChoose = (n: number, k: number): number =>
  logFactorial(n) - logFactorial(k) - logFactorial(n - k);

/**
 * The expected Gini coefficient if all ways to share `units` among `agents` are equally likely. An
 * agent has at least k with the probability C(units - k + agents - 1, agents - 1) divided by
 * C(units + agents - 1, agents - 1). Two agents both have at least k with that of 2k. |a - b| is
 * the sum over k ≥ 1 of the cases in which exactly one of them has at least k.
 */
const exactGini = (agents: number, units: number): number => {
  const all = logChoose(units + agents - 1, agents - 1);
  const atLeast = (k: number): number =>
    k > units ? 0 : Math.exp(logChoose(units - k + agents - 1, agents - 1) - all);
  const gap = Array.from({ length: units }, (_, at) => 2 * (atLeast(at + 1) - atLeast(2 * at + 2)));
  return (gap.reduce((sum, each) => sum + each, 0) * (agents - 1)) / (2 * units);
};

const exactZeroShare = (agents: number, units: number): number =>
  (agents - 1) / (agents + units - 1);

/** All ways to share units among agents. */
const compositions = (agents: number, units: number): readonly (readonly number[])[] =>
  agents === 1
    ? [[units]]
    : Array.from({ length: units + 1 }, (_, first) =>
        compositions(agents - 1, units - first).map((others) => [first, ...others]),
      ).flat();

describe("the exact distribution", () => {
  it("is that of all compositions, counted one by one", () => {
    const all = compositions(4, 6);
    expect(exactGini(4, 6)).toBeCloseTo(averageOf(all.map(giniOf)), 12);
    const zeros = all.map((each) => each.filter((units) => units === 0).length / 4);
    expect(exactZeroShare(4, 6)).toBeCloseTo(averageOf(zeros), 12);
  });

  it("gives the published figures of the shipped file", () => {
    const gini = measureIn("random-exchange", "gini").published;
    expect(gini?.random).toBeCloseTo(exactGini(AGENTS, AGENTS), 4);
    // Each keeps one unit of two, so the other units are as unequal, and all of them half as much.
    expect(gini?.reserve).toBeCloseTo(exactGini(AGENTS, AGENTS) / 2, 4);
    const zeros = measureIn("random-exchange", "zero_share").published;
    expect(zeros?.random).toBeCloseTo(exactZeroShare(AGENTS, AGENTS), 4);
  });
});

describe("the experiment on random exchange, with one seed", () => {
  const folder = sharedFolder();
  let result: ExperimentResult;
  beforeAll(() => {
    copyExperiments(folder);
    result = smallResult(folder, "random-exchange", "1..1");
  });

  it("has the exact inequality and share of agents without money", () => {
    const gini = exactGini(AGENTS, AGENTS);
    expect(Math.abs(meanOf(result, "gini", "random") - gini)).toBeLessThan(0.02);
    const zeros = exactZeroShare(AGENTS, AGENTS);
    expect(Math.abs(meanOf(result, "zero_share", "random") - zeros)).toBeLessThan(0.06);
  });

  it("is half as unequal if each keeps half of the money", () => {
    const half = exactGini(AGENTS, AGENTS) / 2;
    expect(Math.abs(meanOf(result, "gini", "reserve") - half)).toBeLessThan(0.01);
    expect(meanOf(result, "zero_share", "reserve")).toBe(0);
  });

  it("also runs with language models", () => {
    expect(modelRuns(folder, "random-exchange")).toBe(1);
  });
});
