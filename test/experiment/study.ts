import { join } from "node:path";
import {
  type Experiment,
  type JobOutcome,
  type Manifest,
  readExperiment,
} from "../../src/experiment/index.ts";
import { folderWith } from "../support/temporary-folder.ts";

export const FILE = `name: study
question: Are they richer?
base: { duration: 60s }
seeds: 1..8
arms: { low: {}, high: { set: { scrip.starting_amount: 500 } } }
measures: [gini, wealth.median]
`;

export const experimentOf = (text: string): Experiment => {
  const folder = folderWith({ "study.yaml": text });
  const read = readExperiment(join(folder, "study.yaml"), { model: null, seeds: null });
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  return read.experiment;
};

export const MANIFEST: Manifest = {
  ...{ format: 1, name: "study", version: "1", seeds: [1], fork_s: null, stop: null },
  ...{ measures: [], cells: [] },
};
export const STARTED_MS = Date.parse("2026-01-01");

export const doneWith = (gini: number): JobOutcome => ({
  ok: true,
  run: {
    figures: { gini, "wealth.median": 100 * gini },
    trajectory: { at_ms: [0, 30_000, 60_000], gini: [gini / 2, gini / 2, gini], trades: [0, 4, 6] },
    digest: `digest ${gini}`,
    tradesByQuarter: [1, 1, 1, 1],
    ...{ journalHash: `journal ${gini}`, stateHash: "state", stoppedBy: "horizon" },
    ...{ wallS: 1, usd: 0, keptBytes: 0 },
  },
});

export const FAILED: JobOutcome = { ok: false, error: "the model is gone" };

const GINI: Readonly<Record<string, readonly number[]>> = {
  low: [0.31, 0.33, 0.3, 0.35, 0.36, 0.29, 0.32, 0.34],
  high: [0.41, 0.4, 0.44, 0.39, 0.42, 0.45, 0.43, 0.38],
};

export const outcomeOf = (arm: string, seed: number): JobOutcome =>
  doneWith(GINI[arm]?.[seed - 1] ?? 0);
