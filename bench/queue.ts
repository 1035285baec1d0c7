/**
 * What the queue adds to a run: runs that end at once, and the shortest real runs, made by a worker
 * with one slot and by the executor of this machine.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { localExecutor, newProcesses, RunProcesses } from "../src/cli/experiment/run-processes.ts";
import {
  type Executor,
  type Job,
  type JobOutcome,
  QueueExecutor,
  QueueWorker,
} from "../src/experiment/index.ts";
import { packFiles } from "../src/scale/index.ts";
import type { Figure } from "./figure.ts";
import { connected, startRedis } from "./redis.ts";
import { median } from "./stopwatch.ts";

const EMPTY_RUNS = 500;
const REAL_RUNS = 30;
const VERSION = { tag: "bench", shown: "bench" };
const dir = mkdtempSync(join(tmpdir(), "catallaxy-bench-"));

const jobOf = (name: string): Job => ({
  request: {
    ...{ start: { kind: "new" }, out: join(dir, "runs"), name, seed: 1, only: ["ada"] },
    ...{ clock: "virtual", durationS: 1 },
    settings: [
      { key: "checkpoint.every_s", value: null, origin: "the benchmark" },
      { key: "checkpoint.on_end", value: false, origin: "the benchmark" },
    ],
  },
  ...{ past: null, arm: "a", factors: {}, seed: 1, measures: [], keep: "figures" },
});

/** The median time of a run in ms, one after the other. The first run loads the program. */
const msPerRun = async (executor: Executor, name: string, count: number): Promise<number> => {
  await executor.execute(jobOf(`${name}-first`));
  const all: number[] = [];
  for (let run = 0; run < count; run += 1) {
    const startedAt = performance.now();
    const outcome = await executor.execute(jobOf(`${name}-${run}`));
    if (outcome?.ok !== true) throw new Error(outcome?.error ?? "a run was stopped");
    all.push(performance.now() - startedAt);
  }
  return median(all);
};

/** Measures runs that `make` makes, through the queue. */
const msThroughQueue = async (
  url: string,
  name: string,
  { count, make }: { readonly count: number; readonly make: RunProcesses["make"] },
): Promise<number> => {
  const [connection, other] = [await connected(url), await connected(url)];
  const version = { tag: `${VERSION.tag}-${name}`, shown: VERSION.shown };
  const at = { name: "worker", dir: join(dir, name), slots: 1, store: null };
  const worker = new QueueWorker({ connection, version, ...at, make, onEvent: () => {} });
  await worker.start();
  const files = { ...(await packFiles([])), folder: "" };
  const experiment = { name, hash: "0".repeat(64) };
  const own = { connection: other, version, name: "bench", experiment, files, slots: 1 };
  const executor = await QueueExecutor.open({ ...own, onLost: () => {} });
  const ms = await msPerRun(executor, name, count);
  await executor.stop();
  await worker.finish();
  connection.close();
  other.close();
  return ms;
};

export const figures = async (): Promise<readonly Figure[]> => {
  const { url, stop } = await startRedis(dir);
  const local = localExecutor(1, newProcesses);
  const localMs = await msPerRun(local, "local", REAL_RUNS);
  const model = await local.execute(jobOf("model"));
  await local.stop();
  if (model?.ok !== true) throw new Error("the run has failed");
  const outcome: JobOutcome = model;
  const emptyMs = await msThroughQueue(url, "empty", {
    count: EMPTY_RUNS,
    make: async () => outcome,
  });
  const processes = new RunProcesses(1, newProcesses);
  const queuedMs = await msThroughQueue(url, "real", {
    count: REAL_RUNS,
    make: (job) => processes.make(job),
  });
  await processes.stop();
  stop();
  rmSync(dir, { recursive: true, force: true });
  const limit = { name: "on this machine", value: localMs };
  return [
    { name: "the queue alone, per run", value: emptyMs, unit: "ms", bar: 5, limit: null },
    { name: "a short run by the queue", value: queuedMs, unit: "ms", bar: null, limit },
  ];
};
