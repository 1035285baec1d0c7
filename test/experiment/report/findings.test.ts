import { describe, expect, it } from "vitest";
import { type Contrast, findings, type MeasureResult } from "../../../src/experiment/index.ts";

import { band, contrast, crossedInput, reportInput, run, summary } from "./report-fixture.ts";

const ARMS = { burn: summary(), share: summary() };

const found = (...differences: readonly Contrast[]) =>
  findings(reportInput({ result: { measures: { gini: measure(differences) } } }).result);

const measure = (differences: readonly Contrast[], arms: MeasureResult["arms"] = ARMS) => ({
  says: "inequality",
  arms,
  differences,
});

const only = (changes: Partial<Contrast>) => {
  const [finding] = found(contrast(changes));
  return [finding?.kind, finding?.text];
};

describe("the finding of a difference", () => {
  it("says direction, size, interval, n, p after correction and what could be detected", () => {
    expect(only({})).toEqual([
      "difference",
      "gini is on average 0.021 lower in share than in burn: 95 % interval 0.008 to 0.034 lower, " +
        "12 seeds in both, p = 0.003 after Holm's correction. This is 4.2 % of the mean of burn. " +
        "With 12 seeds an arm, a difference of 0.018 would be seen in 4 of 5 experiments.",
    ]);
  });

  it("says higher for a positive difference, and how runs are compared without pairs", () => {
    const [kind, text] = only({ mean: 40.2, ci95: [12.4, 68], paired: false, p_holm: 0.0001 });
    expect(kind).toBe("difference");
    expect(text).toContain(
      "gini is on average 40 higher in share than in burn: 95 % interval 12 to 68 higher, " +
        "12 runs or more in each, p < 0.001 after Holm's correction.",
    );
  });

  it("is uncertain if only the correction takes it away", () => {
    const [first] = found(contrast({ p: 0.03, p_holm: 0.06 }), contrast({ p: 0.5, p_holm: 0.5 }));
    expect(first?.kind).toBe("uncertain");
    expect(first?.text).toContain(
      "gini may be 0.021 lower in share than in burn, but this can be chance",
    );
    expect(first?.text).toContain(
      "p = 0.030 alone and p = 0.060 after Holm's correction for 2 diff",
    );
  });

  it("says that none was seen, and which one would have been", () => {
    expect(only({ mean: -0.002, ci95: [-0.013, 0.009], p: 0.7, p_holm: 0.9 })).toEqual([
      "no_difference",
      "No difference in gini was seen between share and burn: share is on average 0.002 lower, " +
        "95 % interval 0.013 lower to 0.009 higher, 12 seeds in both, p = 0.90 after Holm's " +
        "correction. With 12 seeds an arm, a difference of 0.018 would be seen in 4 of 5 " +
        "experiments.",
    ]);
  });

  it("says that values are the same", () => {
    const same = { mean: 0, ci95: [0, 0], p: 1, p_holm: 1, effect: null, detectable: 0 } as const;
    const text = "gini is the same in share as in burn for each of 12 seeds.";
    expect(only(same)).toEqual(["no_difference", text]);
  });

  it("says that few pairs can never reach the level", () => {
    const few = { n: 5, mean: -0.02, ci95: [-0.02, -0.02], p: 0.06, p_holm: 0.06 } as const;
    expect(only(few)).toEqual([
      "too_few",
      "gini is on average 0.0200 lower in share than in burn: 95 % interval 0.0200 to 0.0200 lower, " +
        "5 seeds in both. With 5 pairs of runs, the test cannot reach p < 0.05: use at least 6 seeds.",
    ]);
    const [, enough] = only({ n: 6, mean: -0.002, ci95: [-0.01, 0.01], p: 0.06, p_holm: 0.06 });
    expect(enough).not.toContain("cannot reach");
  });
});

describe("the finding of too few values", () => {
  const none = { ci95: null, ci95_bootstrap: null, p: null, p_holm: null, detectable: null };

  it("does not generalise from one seed", () => {
    expect(only({ n: 1, ...none })).toEqual([
      "too_few",
      "gini is 0.0210 lower in share than in burn with one seed. One value says nothing about " +
        "chance: use more seeds.",
    ]);
  });

  it("says that nothing can be compared", () => {
    expect(only({ n: 0, mean: null, ...none })).toEqual([
      "too_few",
      "share and burn cannot be compared in gini: no seed has a value in both.",
    ]);
  });

  it("says if there is no test", () => {
    const [kind, text] = only({ p: null, p_holm: null });
    expect(kind).toBe("too_few");
    expect(text).toContain("12 seeds in both, without a test.");
  });
});

describe("the findings of an experiment", () => {
  it("give the values if there is no control", () => {
    const arms = { burn: summary(), none: summary({ n: 0, mean: null, ci95: null }) };
    const measures = { gini: measure([], { ...arms, one: summary({ n: 1, ci95: null }) }) };
    const said = findings(reportInput({ result: { measures } }).result);
    expect(said.map(({ kind }) => kind)).toEqual(["value", "value", "value"]);
    expect(said.map(({ text }) => text)).toEqual([
      "gini is on average 0.500 in burn: 95 % interval 0.487 to 0.513, 12 runs. There is no " +
        "control to compare with.",
      "gini has no value in none.",
      "gini is 0.500 in one (1 run).",
    ]);
  });

  it("begin with failed runs", () => {
    const runs = [run("burn", 1), run("share", 1, { status: "failed", error: "no memory" })];
    const { result } = reportInput({ result: { runs } });
    expect(findings(result)[0]).toEqual({
      ...{ kind: "runs", measure: null, a: null, b: null },
      text: "1 of 2 runs failed. The figures below count only runs that are done.",
    });
  });

  it("say that the experiment is not complete", () => {
    const runs = [run("burn", 1), run("share", 1, { status: "skipped" })];
    const [first] = findings(reportInput({ result: { runs, complete: false } }).result);
    expect(first?.text).toContain("The experiment is not complete: 1 of 2 runs are done.");
  });

  it("put differences first, from the smallest p on", () => {
    const calm = contrast({ mean: 0, p: 0.7, p_holm: 0.7 });
    const said = found(
      calm,
      contrast({ p_holm: 0.02, a: "x" }),
      contrast({ p_holm: 0.01, a: "y" }),
    );
    expect(said.map(({ a }) => a)).toEqual(["y", "x", "share"]);
  });

  it("say the point of the factors once", () => {
    const [, second] = findings(crossedInput().result);
    expect(second?.text).toMatch(
      /^At mint\.period_s = 60: gini is on average 0.021 lower in share than in burn: /,
    );
    expect(second?.a).toBe("share {mint.period_s=60}");
    expect(second?.text).toContain("This is 4.2 % of the mean of burn.");
  });

  it("show control characters of names as codes", () => {
    const [first] = found(contrast({ a: "x\u001b[31m" }));
    expect(first?.text).toContain("in x\\u{1b}[31m than");
  });
});

it("names a mean outside its band before all differences, and no mean inside", () => {
  const bands = [band({ arm: "burn", cell: "burn", inside: true }), band()];
  const measures = { gini: measure([contrast()]) };
  const [first, second] = findings(reportInput({ result: { bands, measures } }).result);
  expect([first?.kind, first?.a, first?.text]).toEqual([
    "outside_band",
    "share",
    "gini is on average 0.479 in share (12 runs), outside its band from 0.5 to 0.54. " +
      "The published figure is 0.52.",
  ]);
  expect(second?.kind).toBe("difference");
});
