import { appendFileSync, mkdirSync, rmSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  type Experiment,
  experimentResult,
  type FollowedExperiment,
  followedExperiment,
  plannedRun,
  ResultLog,
  type RunOutcome,
  resultFile,
  type ShownExperiment,
  type Trajectory,
} from "../../../src/experiment/index.ts";
import { writeFiles } from "../../../src/figures/index.ts";

import { RunLock } from "../../../src/world/index.ts";
import { folderWith } from "../../support/temporary-folder.ts";
import { doneWith, experimentOf, FAILED, FILE, MANIFEST, outcomeOf, STARTED_MS } from "../study.ts";

/** The folder of an experiment whose command has begun, and what the command does there. */
const begun = (text = FILE, { slots = 2, isQueued = false } = {}) => {
  const experiment = experimentOf(text);
  const dir = folderWith();
  const opened = ResultLog.open(dir, MANIFEST, { restart: true });
  if (!opened.ok) throw new Error(opened.problem);
  const { log } = opened;
  onTestFinished(() => log.close());
  const begin = (): void =>
    log.plan({
      ...{ experiment, dir, manifestHash: "hash", command: "sim experiment study.yaml" },
      ...{ slots, isQueued, startedAtMs: STARTED_MS },
    });
  begin();
  const add = (...runs: readonly (readonly [arm: string, seed: number])[]): void => {
    for (const [arm, seed] of runs) log.add(`${arm}-s${seed}`, outcomeOf(arm, seed));
  };
  const lock = (folder = dir): (() => void) => {
    const taken = RunLock.take(folder);
    if (!taken.ok) throw new Error(taken.problem);
    onTestFinished(() => taken.lock.release());
    return () => taken.lock.release();
  };
  return { experiment, dir, log, begin, add, lock, followed: followedExperiment(dir, () => 0) };
};

const shownBy = ({ shown }: FollowedExperiment): ShownExperiment | null => {
  const found = shown();
  return found.ok ? found.experiment : null;
};

/** The results that the command itself computes from the runs of these seeds. */
const computed = (experiment: Experiment, dir: string, made: ReadonlySet<string>) => {
  const outcomes = experiment.seeds.flatMap((seed) =>
    experiment.cells.map((cell): RunOutcome => {
      const run = plannedRun(experiment, { cell, seed, dir });
      const isMade = made.has(run.id);
      const outcome = isMade ? outcomeOf(cell.arm, seed) : null;
      return { run, outcome, reason: isMade ? null : "interrupted" };
    }),
  );
  return experimentResult(experiment, { dir, manifestHash: "hash", outcomes, limit: null });
};

describe("an experiment while its runs are made", () => {
  it("has the results of the finished runs, as the command would compute them", () => {
    const { experiment, dir, add, lock, followed } = begun();
    lock();
    add(["low", 1], ["high", 1], ["low", 2], ["high", 2], ["low", 3]);
    const shown = shownBy(followed);
    const made = new Set(["low-s1", "high-s1", "low-s2", "high-s2", "low-s3"]);
    const { measures } = computed(experiment, dir, made);
    expect(shown?.result.measures).toEqual(measures);
    const [difference] = Object.values(measures).flatMap(({ differences }) => differences);
    expect(difference).toMatchObject({ n: 2, paired: true });
    expect(shown?.result).toMatchObject({ complete: false, name: "study" });
    expect(shown?.result.runs.filter(({ status }) => status === "done")).toHaveLength(5);
  });

  it("counts the runs of each arm, and those that a process makes now", () => {
    const { dir, add, log, lock, followed } = begun();
    lock();
    add(["low", 1], ["high", 1]);
    log.add("low-s2", FAILED);
    for (const run of ["high-s2", "s2-past"]) {
      mkdirSync(join(dir, "runs", run), { recursive: true });
      lock(join(dir, "runs", run));
    }
    mkdirSync(join(dir, "runs/low-s3"));
    expect(shownBy(followed)?.progress).toMatchObject({
      ...{ state: "running", queued: false, keeps_journals: false, running: ["high-s2"] },
      cells: [
        { cell: "low", planned: 8, done: 1, failed: 1, running: 0 },
        { cell: "high", planned: 8, done: 1, failed: 0, running: 1 },
      ],
    });
  });

  it("estimates the time left only when each slot has made a run", () => {
    const { add, lock, followed } = begun();
    lock();
    add(["low", 1]);
    expect(shownBy(followed)?.progress?.left_s).toBeNull();
    add(["high", 1]);
    expect(shownBy(followed)?.progress?.left_s).toBeGreaterThan(0);
  });

  it("has another version only after a change", () => {
    const { dir, add, lock, followed } = begun();
    lock();
    add(["low", 1]);
    const before = followed.head()?.version;
    expect(followed.head()?.version).toBe(before);
    // A line that is not complete yet does not count.
    appendFileSync(join(dir, "results.jsonl"), '{"id":"high-s1","outc');
    expect(shownBy(followed)?.result.runs.filter(({ status }) => status === "done")).toHaveLength(
      1,
    );
    appendFileSync(join(dir, "results.jsonl"), 'ome":{"ok":false,"error":"no"}}\n');
    expect(followed.head()?.version).not.toBe(before);
    expect(shownBy(followed)?.progress?.cells[1]).toMatchObject({ failed: 1 });
  });

  it("computes the statistics only a twentieth of the time, but at once after the end", () => {
    const { dir, add, lock } = begun();
    const release = lock();
    let ms = 0;
    let isSlow = true;
    // The first look takes two seconds.
    const followed = followedExperiment(dir, () => {
      const now = ms;
      if (isSlow) ms += 1_000;
      return now;
    });
    const doneNow = () => shownBy(followed)?.progress?.cells.map(({ done }) => done);
    add(["low", 1]);
    expect(doneNow()).toEqual([1, 0]);
    isSlow = false;
    const { version } = followed.head() ?? {};
    add(["high", 1]);
    expect(followed.head()?.version).toBe(version);
    expect(doneNow()).toEqual([1, 0]);
    ms += 40_000;
    expect(doneNow()).toEqual([1, 1]);
    isSlow = true;
    add(["low", 2]);
    ms += 40_000;
    expect(doneNow()).toEqual([2, 1]);
    add(["high", 2]);
    release();
    expect(doneNow()).toEqual([2, 2]);
  });

  it("has the figures of each arm over time, with the figure of each measure", () => {
    const { add, lock, followed } = begun();
    lock();
    add(["low", 1], ["low", 2], ["high", 1]);
    const [gini] = shownBy(followed)?.curves ?? [];
    expect(gini).toMatchObject({ figure: "gini", measures: ["gini"] });
    const [low, high] = gini?.cells ?? [];
    expect(low).toMatchObject({ cell: "low", n: 2, at_ms: [30_000, 60_000] });
    expect(low?.mean[1]).toBeCloseTo(0.32);
    expect([low?.q05[1], low?.q95[1]]).toEqual([expect.closeTo(0.311), expect.closeTo(0.329)]);
    expect(high).toMatchObject({ n: 1, mean: [0.205, 0.41] });
    expect(shownBy(followed)?.curves.map(({ figure }) => figure)).not.toContain("price_index");
    expect(followed.trajectories(["low-s1", "low-s8"])).toEqual({
      "low-s1": expect.objectContaining({ trades: [0, 4, 6] }),
    });
  });
});

describe("the figures over time of an experiment", () => {
  /** A run of `end` seconds with two trades a second, whose gini is the time in seconds. */
  const runOf = (end: number) => {
    const at = Array.from({ length: end + 1 }, (_, moment) => moment);
    return { at_ms: at.map((each) => each * 1_000), trades: at.map(() => 2), gini: at };
  };
  const curveOf = (figure: string, trajectories: readonly Trajectory[]) => {
    const { log, followed } = begun();
    for (const [at, trajectory] of trajectories.entries()) {
      const outcome = doneWith(0.3);
      if (outcome.ok) log.add(`low-s${at + 1}`, { ok: true, run: { ...outcome.run, trajectory } });
    }
    return shownBy(followed)?.curves.find((curve) => curve.figure === figure)?.cells[0];
  };

  it("turn counts into rates, in at most 48 periods", () => {
    const rising = { ...runOf(96), trades: runOf(96).at_ms.map((at) => (at <= 48_000 ? 2 : 4)) };
    const trades = curveOf("trades", [rising]);
    expect(trades?.at_ms).toHaveLength(48);
    expect([trades?.at_ms[0], trades?.at_ms.at(-1)]).toEqual([2_000, 96_000]);
    expect(new Set(trades?.mean)).toEqual(new Set([120, 240]));
  });

  it("have no value of a run after its end, while longer runs continue", () => {
    const gini = curveOf("gini", [runOf(96), { ...runOf(48), gini: runOf(48).gini.map(() => 0) }]);
    expect(gini).toMatchObject({ n: 2 });
    expect([gini?.mean[23], gini?.mean[24], gini?.mean[47]]).toEqual([24, 50, 96]);
  });

  it("have the mean and the quantiles of the runs", () => {
    const flat = [0, 1, 2, 3, 4].map((value) => ({ at_ms: [0, 10], gini: [0, value] }));
    expect(curveOf("gini", flat)).toMatchObject({
      ...{ at_ms: [10], mean: [2], q05: [0.2], q95: [3.8] },
    });
  });
});

describe("an experiment that no command makes now", () => {
  it("is interrupted while runs are missing, and then complete", () => {
    const { experiment, dir, add, followed } = begun();
    add(["low", 1], ["high", 1]);
    expect(shownBy(followed)?.progress).toMatchObject({ state: "interrupted", left_s: null });
    const all = experiment.seeds.flatMap((seed) => [
      ["low", seed] as const,
      ["high", seed] as const,
    ]);
    add(...all.slice(2));
    const shown = shownBy(followed);
    expect(shown?.progress?.state).toBe("complete");
    const made = new Set(all.map(([arm, seed]) => `${arm}-s${seed}`));
    expect(shown?.result).toEqual(computed(experiment, dir, made));
  });

  it("has the saved results if they are of the same runs, with the limit that was reached", () => {
    const { experiment, dir, add, followed } = begun();
    add(["low", 1]);
    const saved = computed(experiment, dir, new Set(["low-s1"]));
    const limit = {
      kind: "limit",
      arm: null,
      text: "the limit of 5 s of time is reached",
    } as const;
    writeFiles([resultFile(dir, { ...saved, warnings: [limit] })]);
    expect(shownBy(followed)?.result.warnings).toEqual([limit]);
    add(["high", 1]);
    expect(shownBy(followed)?.result.warnings).not.toContainEqual(limit);
  });

  it("tries failed runs again with the next command", () => {
    const { log, begin, followed } = begun();
    log.add("low-s1", FAILED);
    expect(shownBy(followed)?.progress?.cells[0]).toMatchObject({ failed: 1 });
    begin();
    expect(shownBy(followed)?.progress?.cells[0]).toMatchObject({ failed: 0 });
  });

  it("notices that the log has begun again", () => {
    const { dir, add, begin, followed } = begun();
    add(["low", 1], ["low", 2], ["low", 3]);
    expect(shownBy(followed)?.progress?.cells[0]).toMatchObject({ done: 3 });
    truncateSync(join(dir, "results.jsonl"));
    expect(followed.head()).toBeNull();
    appendFileSync(join(dir, "results.jsonl"), `${JSON.stringify({ manifest: MANIFEST })}\n`);
    begin();
    expect(shownBy(followed)?.progress?.cells[0]).toMatchObject({ done: 0 });
  });

  it("is known by its results alone, and not at all in another folder", () => {
    const experiment = experimentOf(FILE);
    const dir = folderWith();
    const followed = followedExperiment(dir);
    expect([followed.head(), followed.shown()]).toEqual([
      null,
      { ok: false, problem: "no experiment made these runs" },
    ]);
    writeFiles([resultFile(dir, computed(experiment, dir, new Set()))]);
    expect(followed.head()?.name).toBe("study");
    expect(shownBy(followed)).toMatchObject({ progress: null, curves: [] });
  });

  it("says that its folder is gone", () => {
    const { dir, followed } = begun();
    expect(followed.shown().ok).toBe(true);
    rmSync(dir, { recursive: true });
    expect(followed.head()).toBeNull();
    const problem = `the folder of the experiment, ${dir}, is gone`;
    expect(followed.shown()).toEqual({ ok: false, problem });
  });

  it("is interrupted while the stop rule asks for seeds, which it counts", () => {
    const text = FILE.replace("1..8", "1..2").replace(
      "arms:",
      "stop: { when: { measure: gini, ci_width: 0.00001 }, max_seeds: 5 }\narms:",
    );
    const { log, add, followed } = begun(text);
    add(["low", 1], ["high", 1], ["low", 2], ["high", 2]);
    expect(shownBy(followed)?.progress).toMatchObject({ state: "interrupted", seeds_max: 5 });
    for (const seed of [3, 4, 5]) {
      log.addSeed(seed);
      add(["low", seed], ["high", seed]);
    }
    expect(shownBy(followed)?.progress?.state).toBe("complete");
    expect(shownBy(followed)?.progress?.cells[0]).toMatchObject({ planned: 5, done: 5 });
  });
});
