import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { followedExperiment, ResultLog } from "../../../src/experiment/index.ts";
import { folderWith } from "../../support/temporary-folder.ts";
import { doneWith, experimentOf, FILE, MANIFEST, STARTED_MS } from "../study.ts";

/** The folder of an experiment with one run, and the path of its log. */
const folderOfStudy = () => {
  const experiment = experimentOf(FILE);
  const dir = folderWith();
  const opened = open(dir);
  if (!opened.ok) throw new Error(opened.problem);
  opened.log.plan({
    ...{ experiment, dir, manifestHash: "hash", command: "sim experiment study.yaml" },
    ...{ slots: 1, isQueued: false, startedAtMs: STARTED_MS },
  });
  opened.log.add("low-s1", doneWith(0.3));
  opened.log.close();
  return { dir, path: join(dir, "results.jsonl") };
};

const open = (dir: string) => ResultLog.open(dir, MANIFEST, { restart: true });

const ONE_AGAIN = "delete this line, and the next command makes its run again";
const NO_KIND = "the line is not a plan, an added seed or the outcome of a run";

const DAMAGE: readonly (readonly [line: string | Buffer, what: string])[] = [
  ["rubbish", "the line is not JSON"],
  ["", "the line is empty"],
  ["null", NO_KIND],
  ["5", NO_KIND],
  ["{}", NO_KIND],
  [JSON.stringify({ manifest: MANIFEST }), NO_KIND],
  [Buffer.from([0x22, 0xff, 0x22]), "the line is not valid UTF-8"],
  ['{"plan":{}}', "the field plan.experiment is missing or wrong"],
  ['{"id":"low-s2","outcome":{"ok":true}}', "the field outcome.run is missing or wrong"],
  ['{"id":"low-s2","outcome":{"ok":true,"run":7}}', "the field outcome.run is missing or wrong"],
  [
    '{"id":"low-s2","outcome":{"ok":true,"run":{}}}',
    "the field outcome.run.figures is missing or wrong",
  ],
  ['{"id":"low-s2"}', "the field outcome is missing or wrong"],
];

it.each(DAMAGE)("names the damaged line %j for the command and for the page", (line, what) => {
  const { dir, path } = folderOfStudy();
  const followed = followedExperiment(dir);
  expect(followed.shown().ok).toBe(true);
  const before = readFileSync(path);
  appendFileSync(path, Buffer.concat([Buffer.from(line), Buffer.from("\n")]));
  const refused = { ok: false, problem: `${path}:4: ${what}; ${ONE_AGAIN}` };
  expect(open(dir)).toEqual(refused);
  for (const each of [followed, followedExperiment(dir)]) {
    expect(each.head()).not.toBeNull();
    expect(each.shown()).toEqual(refused);
    expect(each.trajectories(["low-s1"])).toEqual({});
  }
  // The cure helps at once.
  writeFileSync(path, before);
  expect(followed.shown().ok).toBe(true);
  expect(open(dir).ok).toBe(true);
});

it.each(["{}", "", '{"manifest":5}', '{"addedSeed":4}'])(
  "asks to delete a log with the first line %j",
  (line) => {
    const { dir, path } = folderOfStudy();
    const rest = readFileSync(path, "utf8").split("\n").slice(1);
    writeFileSync(path, [line, ...rest].join("\n"));
    const opened = open(dir);
    const cure = "delete the file, and the next command makes all runs again";
    expect(opened).toEqual({ ok: false, problem: expect.stringContaining(`${path}:1: the `) });
    expect(opened).toEqual({ ok: false, problem: expect.stringContaining(`; ${cure}`) });
    expect(followedExperiment(dir).shown()).toEqual(opened);
  },
);

it("removes a line that a crash cut short, also within a character", () => {
  const { dir, path } = folderOfStudy();
  const before = readFileSync(path);
  appendFileSync(path, Buffer.concat([Buffer.from('{"id":"é'), Buffer.from([0xc3])]));
  expect(followedExperiment(dir).shown().ok).toBe(true);
  expect(open(dir).ok).toBe(true);
  expect(readFileSync(path)).toEqual(before);
});
