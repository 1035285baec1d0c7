import { cpSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, it } from "vitest";
import { shelfOf } from "../../../src/cli/shelf-of.ts";
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

it("is the run that lies there now, though another of its name was looked at", async () => {
  const out = passingFolder();
  const { folder } = await runWhole(out, { sets: SETS });
  const other = await runWhole(out, { sets: ["run.duration_s=1", "run.seed=5"] });
  const runs = new OpenRuns(shelfOf(out, null), null);
  const id = basename(folder);
  const before = opened(runs, id).feed.tick().at_ms;
  rmSync(folder, { recursive: true });
  expect(runs.open(id)).toMatchObject({ ok: false, unknown: true });
  cpSync(other.folder, join(out, id), { recursive: true });
  expect([before, opened(runs, id).feed.tick().at_ms]).toEqual([2_000, 1_000]);
  runs.close();
});

it("is the one whose path was given, though another of its name lies below", async () => {
  const out = passingFolder();
  const { folder } = await runWhole(out, { sets: SETS });
  const elsewhere = await runWhole(passingFolder(), { sets: ["run.duration_s=1", "run.seed=5"] });
  const id = basename(elsewhere.folder);
  cpSync(folder, join(out, id), { recursive: true });
  const shelf = shelfOf(out, elsewhere.folder);
  expect(shelf.folderOf(id)).toBe(elsewhere.folder);
  expect(shelf.list().filter(({ run_id }) => run_id === id)).toHaveLength(1);
});

it("can be controlled once the process says that it is this run", async () => {
  const out = passingFolder();
  const { folder } = await runWhole(out, { sets: SETS });
  const id = basename(folder);
  let begun: string | null = null;
  const live: LiveLink = {
    runId: () => begun,
    pace: () => "going",
    onPace: () => () => {},
    carryOut: async () => ({ ok: true, message: "" }),
  };
  const runs = new OpenRuns(shelfOf(out, null), live);
  const { feed } = opened(runs, id);
  expect(feed.tick()).toMatchObject({ pace: null, status: "finished" });
  begun = id;
  expect(feed.tick()).toMatchObject({ pace: "going", status: "running" });
  runs.close();
});

it("is followed by nobody who asks for the head of its feed", async () => {
  const out = passingFolder();
  const { folder } = await runWhole(out, { sets: SETS });
  const id = basename(folder);
  const runs = new OpenRuns(shelfOf(out, null), null);
  const { status } = await readingRoutes(runs).request(`/runs/${id}/live`, { method: "HEAD" });
  expect(status).toBe(200);
  expect(opened(runs, id).feed.isFollowed).toBe(false);
  runs.close();
});

it("is followed by nobody after a feed that has failed", async () => {
  const out = passingFolder();
  const { folder } = await runWhole(out, { sets: SETS });
  const runs = new OpenRuns(shelfOf(out, null), null);
  const { feed } = opened(runs, basename(folder));
  const failing = feed.follow(
    { tell: () => Promise.reject(new Error("gone")), end: () => Promise.resolve() },
    new AbortController().signal,
  );
  expect(feed.isFollowed).toBe(true);
  await expect(failing).rejects.toThrow("gone");
  expect(feed.isFollowed).toBe(false);
  runs.close();
});
