import { expect, it } from "vitest";
import {
  type Executor,
  type Experiment,
  ExperimentRunner,
  experimentResult,
  followedExperiment,
  isNarrowEnough,
  ResultLog,
} from "../../../src/experiment/index.ts";
import { folderWith } from "../../support/temporary-folder.ts";
import { experimentOf, FILE, MANIFEST, outcomeOf, STARTED_MS } from "../study.ts";

const STOP = "stop: { when: { measure: gini, ci_width: 0.5 }, max_seeds: 8 }\n";

/** Makes every run at once. */
const executor: Executor = {
  slots: 1,
  execute: async ({ arm, seed }) => outcomeOf(arm, seed),
  release: () => {},
  stop: async () => {},
};

/** The results of one command that makes the experiment in `dir`. */
const made = async (experiment: Experiment, dir: string, elapsedMs: () => number = () => 0) => {
  const opened = ResultLog.open(dir, MANIFEST, { restart: true });
  if (!opened.ok) throw new Error(opened.problem);
  const { log } = opened;
  const runner = new ExperimentRunner({
    ...{ experiment, dir, executor, log, elapsedMs, capUsdOf: () => 0, onProgress: () => {} },
    isNarrow: (outcomes) => isNarrowEnough(experiment, outcomes),
  });
  log.plan({
    ...{ experiment, dir, manifestHash: "hash", command: "sim experiment study.yaml" },
    ...{ slots: 1, isQueued: false, startedAtMs: STARTED_MS },
  });
  const outcomes = await runner.run();
  log.close();
  const { limit } = runner;
  return experimentResult(experiment, { dir, manifestHash: "hash", outcomes, limit });
};

const seedsIn = ({ runs }: { readonly runs: readonly { readonly seed: number }[] }) => [
  ...new Set(runs.map(({ seed }) => seed)),
];

it("shows the seeds of the latest command, although an earlier one had more", async () => {
  const dir = folderWith();
  const whole = experimentOf(FILE + STOP);
  expect(seedsIn(await made(whole, dir))).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  const result = await made({ ...whole, seeds: [1, 2, 3] }, dir);
  // A stop rule needs five values.
  expect(seedsIn(result)).toEqual([1, 2, 3, 4, 5]);
  expect(followedExperiment(dir).shown()).toMatchObject({ ok: true, experiment: { result } });
});

it("adds the same seeds if all runs were made by an earlier command", async () => {
  const dir = folderWith();
  const few = experimentOf(FILE.replace("1..8", "1..2") + STOP);
  const result = await made(few, dir);
  expect(seedsIn(result)).toEqual([1, 2, 3, 4, 5]);
  expect(await made(few, dir)).toEqual(result);
});

it("names a limit of time only if runs are missing because of it", async () => {
  const limited = experimentOf(`${FILE}limits: { wall: 3s }\n`);
  const limitsOf = async (elapsedMs: () => number) => {
    const { complete, warnings } = await made(limited, folderWith(), elapsedMs);
    const texts = warnings.flatMap(({ kind, text }) => (kind === "limit" ? [text] : []));
    return { complete, texts };
  };
  let looks = 0;
  // The time is over after the last of the 16 runs has begun.
  const late = await limitsOf(() => (++looks > 16 ? 5_000 : 0));
  expect(late).toEqual({ complete: true, texts: [] });
  const early = await limitsOf(() => (--looks < 5 ? 5_000 : 0));
  expect(early).toEqual({ complete: false, texts: ["the limit of 3 s of time is reached"] });
});
