import { expect, it } from "vitest";
import type { ExperimentResult, ShownExperiment } from "../../../src/experiment/index.ts";
import { redactedExperiment } from "../../../src/page/index.ts";

const KEY = "agent.prompt.mandatory_prefix";
const SECRETS = ["SECRET", "SECRET}, b {SECRET"];
const CELLS = SECRETS.map((secret) => `low {${KEY}=${secret}, mint.slots=2}`);
const [A = "", B = ""] = CELLS;

const SUMMARY = { n: 1, mean: 0.5, sd: null, median: 0.5, q05: 0.5, q95: 0.5 };
const NO_CI = { ci95: null, ci95_bootstrap: null };
const NO_TEST = { p: null, p_holm: null, effect: null, detectable: null };

const result: ExperimentResult = {
  ...{ name: "secret", question: "Why?", source: null, dir: "results/secret" },
  ...{ manifest_hash: "00", complete: true },
  runs: CELLS.map((cell, at) => ({
    ...{ id: `low-p${at + 1}-s1`, arm: "low", cell, seed: 1, status: "failed", figures: {} },
    factors: { [KEY]: SECRETS[at] ?? "", "mint.slots": 2 },
    ...{ journal_hash: null, state_hash: null, wall_s: null, usd: null },
    command: `sim run --set '${KEY}="${SECRETS[at]}"'`,
    error: `${KEY} is "${SECRETS[at]}"`,
  })),
  measures: {
    gini: {
      says: "gini",
      arms: { [A]: { ...SUMMARY, ...NO_CI }, [B]: { ...SUMMARY, ...NO_CI } },
      differences: [{ a: B, b: A, paired: true, n: 1, mean: 0, ...NO_CI, ...NO_TEST }],
    },
  },
  bands: [
    {
      ...{ measure: "gini", arm: "low", cell: A, n: 1, mean: 0.5, ci95: null, published: null },
      ...{ factors: { [KEY]: "SECRET", "mint.slots": 2 }, low: 0, high: 1, inside: true },
    },
  ],
  warnings: [{ kind: "no_dose", arm: B, text: `${B} has the same figures as ${A}` }],
};

const shown: ShownExperiment = {
  result,
  progress: {
    state: "complete",
    ...{ running: [], queued: false, left_s: null, seeds_max: null },
    ...{ command: "sim experiment secret.yaml", keeps_journals: true },
    cells: CELLS.map((cell) => ({ cell, planned: 1, done: 0, failed: 1, running: 0 })),
  },
  curves: [
    {
      ...{ figure: "gini", title: "Gini", measures: ["gini"] },
      cells: CELLS.map((cell) => ({ cell, n: 1, at_ms: [0], mean: [0], q05: [0], q95: [0] })),
    },
  ],
  arms: [
    {
      name: "low",
      settings: [
        { key: KEY, value: "SECRET" },
        { key: "mint.slots", value: 2 },
      ],
    },
  ],
  findings: [{ measure: "gini", text: `gini is the same in ${B} and ${A}` }],
};

const FIRST = `low {${KEY}=[left out] 1, mint.slots=2}`;
const SECOND = `low {${KEY}=[left out] 2, mint.slots=2}`;

it("leaves the texts of its settings out of all parts of an experiment", () => {
  const without = redactedExperiment(shown, ["prompts"]);
  expect(JSON.stringify(without)).not.toContain("SECRET");
  expect(without.result.runs.map(({ cell }) => cell)).toEqual([FIRST, SECOND]);
  expect(without.result.runs.map(({ command, error }) => [command, error])).toEqual([
    ["[left out]", "[left out]"],
    ["[left out]", "[left out]"],
  ]);
  expect(Object.keys(without.result.measures.gini?.arms ?? {})).toEqual([FIRST, SECOND]);
  expect(without.result.measures.gini?.differences[0]).toMatchObject({ a: SECOND, b: FIRST });
  expect(without.result.warnings[0]?.text).toBe(`${SECOND} has the same figures as ${FIRST}`);
  expect(without.arms[0]?.settings.map(({ value }) => value)).toEqual(["[left out]", 2]);
  expect(without.findings).toEqual([]);
  expect(without.progress?.cells.map(({ cell }) => cell)).toEqual([FIRST, SECOND]);
  expect(without.curves[0]?.cells.map(({ cell }) => cell)).toEqual([FIRST, SECOND]);
});

it("keeps the factors that are not left out", () => {
  const { result: kept } = redactedExperiment(shown, ["content"]);
  expect(kept.runs.map(({ cell }) => cell)).toEqual(CELLS);
  expect(JSON.stringify(kept)).not.toContain("sim run");
  expect(redactedExperiment(shown, [])).toEqual(shown);
});
