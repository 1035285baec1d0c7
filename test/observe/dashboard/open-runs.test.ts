import { cpSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, it } from "vitest";
import { runStore } from "../../../src/cli/run/run-store.ts";
import { OpenRuns } from "../../../src/observe/dashboard/open-runs.ts";
import { readingRoutes } from "../../../src/observe/dashboard/routes.ts";
import type { LiveLink } from "../../../src/observe/index.ts";
import { passingFolder, runWhole } from "../../support/whole-run.ts";

const SETS = ["run.duration_s=2"];

const opened = (runs: OpenRuns, id: string) => {
  const found = runs.open(id);
  if (!found.ok) throw new Error(found.problem);
  return found.run;
};

it("a run that replaces another under its name is read from its own journal", async () => {
  const out = passingFolder();
  const { folder } = await runWhole(out, { sets: SETS });
  const other = await runWhole(out, { sets: ["run.duration_s=1", "run.seed=5"] });
  const runs = new OpenRuns(runStore(out, null), null);
  const id = basename(folder);
  const before = opened(runs, id).feed.tick().at_ms;
  rmSync(folder, { recursive: true });
  expect(runs.open(id)).toMatchObject({ ok: false, unknown: true });
  cpSync(other.folder, join(out, id), { recursive: true });
  expect([before, opened(runs, id).feed.tick().at_ms]).toEqual([2_000, 1_000]);
  runs.close();
});

it("a run given by its path takes precedence over one of the same name", async () => {
  const out = passingFolder();
  const { folder } = await runWhole(out, { sets: SETS });
  const elsewhere = await runWhole(passingFolder(), { sets: ["run.duration_s=1", "run.seed=5"] });
  const id = basename(elsewhere.folder);
  cpSync(folder, join(out, id), { recursive: true });
  const store = runStore(out, elsewhere.folder);
  expect(store.folderOf(id)).toBe(elsewhere.folder);
  expect(store.list().filter(({ run_id }) => run_id === id)).toHaveLength(1);
});

it("a run can be controlled once the process has started it", async () => {
  const out = passingFolder();
  const { folder } = await runWhole(out, { sets: SETS });
  const id = basename(folder);
  let begun: string | null = null;
  const live: LiveLink = {
    runId: () => begun,
    pace: () => "going",
    onPace: () => () => {},
    execute: async () => ({ ok: true, message: "" }),
  };
  const runs = new OpenRuns(runStore(out, null), live);
  const { feed } = opened(runs, id);
  expect(feed.tick()).toMatchObject({ pace: null, status: "finished" });
  begun = id;
  expect(feed.tick()).toMatchObject({ pace: "going", status: "running" });
  runs.close();
});

it("a HEAD request does not follow the feed", async () => {
  const out = passingFolder();
  const { folder } = await runWhole(out, { sets: SETS });
  const id = basename(folder);
  const runs = new OpenRuns(runStore(out, null), null);
  const { status } = await readingRoutes(runs).request(`/runs/${id}/live`, { method: "HEAD" });
  expect(status).toBe(200);
  expect(opened(runs, id).feed.isFollowed).toBe(false);
  runs.close();
});

it("a failed feed has no followers", async () => {
  const out = passingFolder();
  const { folder } = await runWhole(out, { sets: SETS });
  const runs = new OpenRuns(runStore(out, null), null);
  const { feed } = opened(runs, basename(folder));
  const failing = feed.follow(
    { send: () => Promise.reject(new Error("gone")), end: () => Promise.resolve() },
    new AbortController().signal,
  );
  expect(feed.isFollowed).toBe(true);
  await expect(failing).rejects.toThrow("gone");
  expect(feed.isFollowed).toBe(false);
  runs.close();
});
