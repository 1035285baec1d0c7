import { cpSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { liveRoutes } from "../../../src/page/dashboard/live-feed.ts";
import { OpenRuns } from "../../../src/page/dashboard/open-runs.ts";
import type { LiveLink } from "../../../src/page/index.ts";
import { runStore } from "../../../src/page/index.ts";
import type { Tick } from "../../../src/page/routes/index.ts";
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
  const before = opened(runs, id).feed.tick().at_ms;
  rmSync(folder, { recursive: true });
  expect(runs.open(id)).toMatchObject({ ok: false, unknown: true });
  cpSync(other.folder, join(out, id), { recursive: true });
  expect([before, opened(runs, id).feed.tick().at_ms]).toEqual([2_000, 1_000]);
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
  const { feed } = opened(runs, id);
  expect(feed.tick()).toMatchObject({ pace: null, status: "finished" });
  begun = id;
  expect(feed.tick()).toMatchObject({ pace: "going", status: "running" });
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
  const { feed } = opened(runs, id);
  const change = (...paces: readonly Pace[]): unknown => {
    for (const each of paces) {
      pace = each;
      for (const listener of listeners) listener(each);
    }
    return feed.tick();
  };
  expect(change("stepping", "paused")).toMatchObject({ pace: "paused", steps: 1 });
  expect(change("stepping", "over")).toMatchObject({ steps: 1 });
  expect(change("going", "paused")).toMatchObject({ steps: 1 });
  expect(change("stepping", "paused")).toMatchObject({ steps: 2 });
});

it("has no followers after a HEAD request, or after a feed that failed", async () => {
  const { id, runs } = await cacheOfOneRun();
  const { status } = await liveRoutes(runs).request(`/runs/${id}/live`, { method: "HEAD" });
  expect(status).toBe(200);
  const { feed } = opened(runs, id);
  expect(feed.isFollowed).toBe(false);
  const failing = feed.follow(
    { send: () => Promise.reject(new Error("gone")), end: () => Promise.resolve() },
    new AbortController().signal,
  );
  expect(feed.isFollowed).toBe(true);
  await expect(failing).rejects.toThrow("gone");
  expect(feed.isFollowed).toBe(false);
});

it("begins a feed with the last event, also after a time without followers", async () => {
  const { folder, id, runs } = await cacheOfOneRun();
  const { feed } = opened(runs, id);
  const firstMs = async (): Promise<number> => {
    const over = new AbortController();
    const sent: number[] = [];
    const send = async ({ at_ms: atMs }: Tick): Promise<void> => {
      sent.push(atMs);
      over.abort();
    };
    await feed.follow({ send, end: () => Promise.resolve() }, over.signal);
    return sent[0] ?? 0;
  };
  const before = await firstMs();
  await resumeRun(folder, { sets: SETS, order: { additionalS: 1 } });
  expect([before, await firstMs()]).toEqual([2_000, 3_000]);
});
