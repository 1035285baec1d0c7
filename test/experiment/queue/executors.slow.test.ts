import { Queue } from "bullmq";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import {
  localExecutor,
  newProcesses,
  RunProcesses,
} from "../../../src/cli/experiment/run-processes.ts";
import { QueueExecutor, QueueWorker } from "../../../src/experiment/index.ts";
import { connectToRedis, packFiles, parseRedisAddress } from "../../../src/scale/index.ts";
import { executorContract } from "../../contract/executor.ts";
import { hasRedis, sharedRedis } from "../../support/redis-server.ts";
import { sharedFolder } from "../../support/temporary-folder.ts";

const SLOTS = 2;
const VERSION = { tag: "test", shown: "test" };

executorContract("the local executor", {
  open: async () => localExecutor(SLOTS, newProcesses),
  died: /ended with signal SIGKILL; it may have run out of memory$/,
});

describe.runIf(hasRedis)("with Redis", () => {
  const dir = sharedFolder();
  let end = async (): Promise<void> => {};
  const redis = sharedRedis();

  const connected = async () => {
    const parsed = parseRedisAddress(redis.url());
    const opened = parsed.ok ? await connectToRedis(parsed.address) : parsed;
    if (!opened.ok) throw new Error(opened.problem);
    return opened.connection;
  };

  beforeAll(async () => {
    const connection = await connected();
    const processes = new RunProcesses(SLOTS, newProcesses);
    const worker = new QueueWorker({
      ...{ connection, version: VERSION, name: "worker", dir, slots: SLOTS, store: null },
      make: (job, where) => processes.make(job, where),
      onEvent: () => {},
    });
    await worker.start();
    end = async () => {
      await worker.finish();
      await processes.stop();
      connection.close();
    };
  });
  afterAll(() => end());

  it("refuses a job that asks for more than a run", async () => {
    const connection = await connected();
    const queue = new Queue("runs-test", { connection: connection.client, prefix: "catallaxy" });
    onTestFinished(async () => {
      await queue.close();
      connection.close();
    });
    const hash = "0".repeat(64);
    const request = { start: { kind: "new" }, out: "RUNS", name: "fine" };
    const run = { past: null, arm: "a", factors: {}, seed: 1, measures: [], keep: "figures" };
    const good = { files: hash, folder: "", past: null, run: { ...run, request } };
    const forged: Readonly<Record<string, object>> = {
      "names outside": { ...good, run: { ...run, request: { ...request, name: "../../etc" } } },
      "runs to resume": {
        ...good,
        run: { ...run, request: { ...request, start: { kind: "resume", run: "x" } } },
      },
      "folders outside": { ...good, folder: "../.." },
      arguments: { ...good, run: { ...run, call: { id: "x", args: ["rm", "x"] } } },
    };
    for (const [name, job] of Object.entries(forged)) {
      const experiment = { name: "forged", hash };
      const { id = "" } = await queue.add(
        name,
        { experiment, ...job },
        { jobId: `forged ${name}` },
      );
      const reasonNow = async () => (await queue.getJob(id))?.failedReason;
      await expect.poll(reasonNow).toMatch(/^its job is not valid: /);
    }
  });

  executorContract("the queue", {
    open: async () => {
      const connection = await connected();
      const files = { ...(await packFiles([])), folder: "" };
      const experiment = { name: "contract", hash: "0".repeat(64) };
      const own = { connection, version: VERSION, name: "submitter", experiment, files };
      const executor = await QueueExecutor.open({ ...own, slots: SLOTS, onLost: () => {} });
      return {
        slots: SLOTS,
        execute: (job) => executor.execute(job),
        release: (past) => executor.release(past),
        stop: async () => {
          await executor.stop();
          connection.close();
        },
      };
    },
    died: /ended with signal SIGKILL; .*; given up after 3 attempts$/,
  });
});
