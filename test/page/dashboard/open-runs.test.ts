import { cpSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { OpenRuns } from "../../../src/page/dashboard/open-runs.ts";
import type { LiveLink } from "../../../src/page/index.ts";
import { runStore } from "../../../src/page/index.ts";
import type { Pace } from "../../../src/run/index.ts";
import { resumeRun, simulate } from "../../support/simulation-run.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const SETS = ["run.duration_s=2"];

/** A finished run, and a cache that can open it. */
const cacheOfOneRun = async (live: LiveLink | null = null) => {
  const out = temporaryFolder();
  const { folder } = await simulate(out, { sets: SETS });
  const runs = new OpenRuns(runStore(out, null), live);
  onTestFinished(() => runs.close());
  return { out, folder, id: basename(folder), runs };
};

const opened = (runs: OpenRuns, id: string) => {
  const found = runs.open(id);
  if (!found.ok) throw new Error(found.problem);
  return found.run;
};

it("reads a run that replaces another with its name from its own journal", async () => {
  const { out, folder, id, runs } = await cacheOfOneRun();
  const other = await simulate(out, { sets: ["run.duration_s=1", "run.seed=5"] });
  const before = opened(runs, id).tick(null).at_ms;
  rmSync(folder, { recursive: true });
  expect(runs.open(id)).toMatchObject({ ok: false, unknown: true });
  cpSync(other.folder, join(out, id), { recursive: true });
  expect([before, opened(runs, id).tick(null).at_ms]).toEqual([2_000, 1_000]);
});

it("prefers a run given by its path to one with the same name", async () => {
  const { out, folder } = await cacheOfOneRun();
  const elsewhere = join(temporaryFolder(), basename(folder));
  cpSync(folder, elsewhere, { recursive: true });
  const store = runStore(out, elsewhere);
  expect(store.folderOf(basename(folder))).toBe(elsewhere);
  expect(store.list()).toHaveLength(1);
});

it("lets a run be controlled once the process has started it", async () => {
  let begun: string | null = null;
  const { id, runs } = await cacheOfOneRun({
    runId: () => begun,
    pace: () => "going",
    onPace: () => () => {},
    execute: async () => ({ ok: true, message: "" }),
  });
  const run = opened(runs, id);
  expect(run.tick(null)).toMatchObject({ pace: null, status: "finished" });
  begun = id;
  expect(run.tick(null)).toMatchObject({ pace: "going", status: "running" });
});

it("counts a step that ends before a tick shows its beginning", async () => {
  let pace: Pace = "paused";
  const listeners = new Set<(pace: Pace) => void>();
  const { id, runs } = await cacheOfOneRun({
    runId: () => id,
    pace: () => pace,
    onPace: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    execute: async () => ({ ok: true, message: "" }),
  });
  const run = opened(runs, id);
  const change = (...paces: readonly Pace[]): unknown => {
    for (const each of paces) {
      pace = each;
      for (const listener of listeners) listener(each);
    }
    return run.tick(null);
  };
  expect(change("stepping", "paused")).toMatchObject({ pace: "paused", steps: 1 });
  expect(change("stepping", "over")).toMatchObject({ steps: 1 });
  expect(change("going", "paused")).toMatchObject({ steps: 1 });
  expect(change("stepping", "paused")).toMatchObject({ steps: 2 });
});

it("follows a run that is continued after it was opened", async () => {
  const { folder, id, runs } = await cacheOfOneRun();
  const lastMs = async (): Promise<number> => {
    const { reader, tick } = opened(runs, id);
    await reader.catchUp();
    return tick(null).at_ms;
  };
  const before = await lastMs();
  await resumeRun(folder, { sets: SETS, order: { additionalS: 1 } });
  expect([before, await lastMs()]).toEqual([2_000, 3_000]);
});

it("ends when each page that follows a run has its last tick", async () => {
  const { id, runs } = await cacheOfOneRun();
  const run = opened(runs, id);
  run.tick("one");
  let isEnded = false;
  const ended = runs.end().then(() => {
    isEnded = true;
  });
  expect(run.tick("other")).toMatchObject({ is_over: true, status: "finished" });
  expect(isEnded).toBe(false);
  run.tick("one");
  await ended;
});
