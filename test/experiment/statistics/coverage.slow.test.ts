import { describe, expect, it } from "vitest";
import type { Interval } from "../../../src/experiment/index.ts";
import { contrastOf, labelP, signFlipP } from "../../../src/experiment/statistics/contrast.ts";
import { isNarrow } from "../../../src/experiment/statistics/measure-results.ts";

import {
  detectableNoncentrality,
  meanAndSdOf,
  summaryOf,
  tInterval,
} from "../../../src/experiment/statistics/summary.ts";

import { sampleOf, samplesFrom } from "./random-samples.ts";

const EFFECT = 0.5;

type Random = ReturnType<typeof samplesFrom>;

/** The percentage of trials in which each answer is true. */
function shares<Name extends string>(
  seed: number,
  trial: (random: Random) => Readonly<Record<Name, boolean>>,
  trials = 600,
): Readonly<Record<string, number>> {
  const random = samplesFrom(seed);
  const counts: Record<string, number> = {};
  for (let i = 0; i < trials; i++) {
    for (const [name, holds] of Object.entries(trial(random))) {
      counts[name] = (counts[name] ?? 0) + (holds ? 1 : 0);
    }
  }
  const all = Object.entries(counts).map(([name, count]) => [name, (100 * count) / trials]);
  return Object.fromEntries(all);
}

const covers = (interval: Interval | null, truth: number): boolean =>
  interval !== null && interval[0] <= truth && truth <= interval[1];

const between = (share: number | undefined, low: number, high: number): void => {
  expect(share).toBeGreaterThanOrEqual(low);
  expect(share).toBeLessThanOrEqual(high);
};

/** A pair shares the luck of its seed. */
const pairOf = ({ normal }: Random, effect: number): readonly [number, number] => {
  const luck = 2 * normal();
  return [luck + effect + normal(), luck + normal()];
};

describe("95 % intervals contain the true value in 93 to 97 % of 600 experiments", () => {
  it("for the mean of 8 normal values", () => {
    const { t, bootstrap } = shares(101, ({ many, normal }) => {
      const { ci95, ci95_bootstrap } = summaryOf(many(8, () => 3 + normal()));
      return { t: covers(ci95, 3), bootstrap: covers(ci95_bootstrap, 3) };
    });
    between(t, 93, 97);
    between(bootstrap, 93, 97);
  });

  it("for the difference of 6 pairs", () => {
    const { t, bootstrap } = shares(111, (random) => {
      const pairs = Array.from({ length: 6 }, () => pairOf(random, EFFECT));
      const [a, b] = [pairs.map(([x]) => x), pairs.map(([, y]) => y)];
      const { ci95, ci95_bootstrap } = contrastOf(sampleOf("a", a), sampleOf("b", b), true);
      return { t: covers(ci95, EFFECT), bootstrap: covers(ci95_bootstrap, EFFECT) };
    });
    between(t, 93, 97);
    between(bootstrap, 93, 97);
  });

  it("for unpaired samples of other sizes and spreads", () => {
    const { t, bootstrap } = shares(121, ({ many, normal }) => {
      const a = sampleOf(
        "a",
        many(12, () => EFFECT + 3 * normal()),
      );
      const b = sampleOf("b", many(25, normal), 100);
      const { ci95, ci95_bootstrap } = contrastOf(a, b, false);
      return { t: covers(ci95, EFFECT), bootstrap: covers(ci95_bootstrap, EFFECT) };
    });
    between(t, 93, 97);
    between(bootstrap, 93, 97);
  });

  it("but in 90 to 94 % for the mean of 20 values with a long tail", () => {
    const { t, bootstrap } = shares(131, ({ many, exponential }) => {
      const { ci95, ci95_bootstrap } = summaryOf(many(20, exponential));
      return { t: covers(ci95, 1), bootstrap: covers(ci95_bootstrap, 1) };
    });
    between(t, 90, 94);
    between(bootstrap, 90, 94);
  });

  it("and in 93 to 97 % for differences of values with long tails", () => {
    const { t, bootstrap } = shares(132, ({ many, exponential }) => {
      const [a, b] = [many(20, () => EFFECT + exponential()), many(20, exponential)];
      const { ci95, ci95_bootstrap } = contrastOf(sampleOf("a", a), sampleOf("b", b), true);
      return { t: covers(ci95, EFFECT), bootstrap: covers(ci95_bootstrap, EFFECT) };
    });
    between(t, 93, 97);
    between(bootstrap, 93, 97);
  });

  it("and in 93 to 97 % if the width of the interval decides when to stop", () => {
    const { t } = shares(141, ({ normal }) => {
      const values: number[] = [];
      for (;;) {
        values.push(EFFECT + normal());
        const moments = meanAndSdOf(values);
        const ci95 = moments === null ? null : tInterval(moments);
        const arm = { ...summaryOf([]), n: values.length, ci95 };
        if (isNarrow({ says: "", arms: { arm }, differences: [] }, 0.8)) {
          return { t: covers(ci95, EFFECT) };
        }
      }
    });
    between(t, 93, 97);
  });
});

describe("a test without an effect has p ≤ 0.05 in 4 to 6 % of 2,000 experiments", () => {
  const TRIALS = 2_000;

  it.each([
    [12, 201],
    [30, 203],
  ])("for %i pairs", (n, seed) => {
    const isPositive = ({ many, normal }: Random) => ({
      positive: signFlipP(many(n, normal)) <= 0.05,
    });
    const { positive } = shares(seed, isPositive, TRIALS);
    between(positive, 4, 6);
  });

  it.each([
    [8, 8, 1, 211],
    [15, 30, 3, 213],
  ])("for %i and %i values, the first with %i times the spread", (n, m, spread, seed) => {
    const isPositive = ({ many, normal }: Random) => {
      const values = many(n, () => spread * normal());
      return { positive: labelP(values, many(m, normal)) <= 0.05 };
    };
    const { positive } = shares(seed, isPositive, TRIALS);
    between(positive, 4, 6);
  });
});

it("finds a difference of the detectable size in 77 to 83 % of 1,000 experiments", () => {
  const effect = detectableNoncentrality(14) / Math.sqrt(15);
  const trial = ({ many, normal }: Random) => {
    const moments = meanAndSdOf(many(15, () => effect + normal()));
    return { found: moments !== null && !covers(tInterval(moments), 0) };
  };
  const { found } = shares(301, trial, 1_000);
  between(found, 77, 83);
});
