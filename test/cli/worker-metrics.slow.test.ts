import { describe, expect, it } from "vitest";
import { answerOf, byLabel, metricsAddress, samplesIn } from "../support/prometheus.ts";
import { endWorkers, experimentOn, startWorker } from "../support/queue-workers.ts";
import { canStartRedis, sharedRedis } from "../support/redis-server.ts";
import { folderWith } from "../support/temporary-folder.ts";

/** One run, long enough for a signal to arrive before its end. */
const STUDY = `name: study
base: { duration: 300s, only: [ada, boole] }
seeds: [1]
arms: { low: {} }
measures: [gini, trades]
`;

const scrape = async (address: string) => samplesIn((await answerOf(`${address}metrics`))[1]);

const resultsOf = async (address: string) =>
  byLabel(await scrape(address), "catallaxy_worker_runs_total", "result");

const NONE = { done: 0, failed: 0, died: 0, cancelled: 0, given_back: 0 };

describe.runIf(canStartRedis)("the metrics of a worker", () => {
  const redis = sharedRedis();
  const start = async (cwd: string, ...flags: readonly string[]) => {
    const metrics = ["--metrics", "0", "--concurrency", "1"];
    const worker = await startWorker(cwd, redis.url(), ...metrics, ...flags);
    return { worker, address: await metricsAddress(worker) };
  };

  it("say that it drains, and the next one counts its run and says whether it has Redis", async () => {
    const cwd = folderWith({ "study.yaml": STUDY });
    const { worker, address } = await start(cwd, "--grace", "0.05", "--json");
    expect(await answerOf(`${address}readyz`)).toEqual([200, "ready\n"]);
    const experiment = experimentOn(cwd, redis.url());
    await worker.until(/"began"/);
    expect((await scrape(address)).get("catallaxy_worker_runs_in_progress")).toBe(1);
    worker.kill("SIGTERM");
    await expect
      .poll(() => answerOf(`${address}readyz`), { interval: 5 })
      .toEqual([503, "draining: 1 run in progress\n"]);
    const { code, out } = await worker.ended;
    // After its grace it gives the run to another worker.
    expect(out).toContain('"given_back"');
    expect(code).toBe(0);

    const next = await start(cwd);
    expect((await experiment).code).toBe(0);
    await expect.poll(() => resultsOf(next.address)).toEqual({ ...NONE, done: 1 });
    const samples = await scrape(next.address);
    expect(samples.get("catallaxy_worker_runs_in_progress")).toBe(0);
    expect(samples.get("catallaxy_worker_redis_connected")).toBe(1);
    await redis.kill();
    await expect
      .poll(() => answerOf(`${next.address}readyz`))
      .toEqual([
        503,
        expect.stringMatching(/^lost the connection to redis:\/\/127\.0\.0\.1:\d+\n$/),
      ]);
    expect(await answerOf(`${next.address}healthz`)).toEqual([200, "alive\n"]);
    await redis.restart();
    await expect.poll(() => answerOf(`${next.address}readyz`)).toEqual([200, "ready\n"]);
    await endWorkers([next.worker]);
  });
});
