import { describe, expect, it } from "vitest";
import { answerOf, byLabel, metricsAddress, samplesIn } from "../support/prometheus.ts";
import {
  endWorkers,
  experimentOn,
  type RunningWorker,
  startWorker,
} from "../support/queue-workers.ts";
import { canStartRedis, sharedRedis } from "../support/redis-server.ts";
import { spawnSim } from "../support/sim.ts";
import { folderWith, temporaryFolder } from "../support/temporary-folder.ts";

const STUDY = `name: study
base: { duration: 4s, only: [ada, boole] }
seeds: 1..2
arms: { low: {}, high: { set: { mint.minimum_bid: 9 } } }
measures: [gini, trades]
`;

const scrape = async (address: string) => samplesIn((await answerOf(`${address}metrics`))[1]);

const resultsOf = async (address: string) =>
  byLabel(await scrape(address), "catallaxy_worker_runs_total", "result");

const NONE = { done: 0, failed: 0, died: 0, cancelled: 0, given_back: 0 };

describe.runIf(canStartRedis)("the metrics of a worker", () => {
  const redis = sharedRedis();
  const start = async (...flags: readonly string[]) => {
    const worker = await startWorker(temporaryFolder(), redis.url(), "--metrics", "0", ...flags);
    return { worker, address: await metricsAddress(worker) };
  };

  it("count its runs, and say whether it has Redis", async () => {
    const { worker, address } = await start("--concurrency", "1");
    expect(await answerOf(`${address}readyz`)).toEqual([200, "ready\n"]);
    expect(await resultsOf(address)).toEqual(NONE);
    const cwd = folderWith({ "study.yaml": STUDY });
    expect((await experimentOn(cwd, redis.url())).code).toBe(0);
    await expect.poll(() => resultsOf(address)).toEqual({ ...NONE, done: 4 });
    const samples = await scrape(address);
    expect(samples.get("catallaxy_worker_runs_in_progress")).toBe(0);
    expect(samples.get("catallaxy_worker_redis_connected")).toBe(1);
    await redis.kill();
    await expect
      .poll(() => answerOf(`${address}readyz`))
      .toEqual([
        503,
        expect.stringMatching(/^lost the connection to redis:\/\/127\.0\.0\.1:\d+\n$/),
      ]);
    expect(await answerOf(`${address}healthz`)).toEqual([200, "alive\n"]);
    await redis.restart();
    await expect.poll(() => answerOf(`${address}readyz`)).toEqual([200, "ready\n"]);
    await endWorkers([worker]);
  });

  it("say that it drains, and after its grace it gives its run to another", async () => {
    const { worker, address } = await start("--concurrency", "1", "--grace", "0.5", "--json");
    const long = STUDY.replace("4s", "3000s").replace("1..2", "1..1").replace("study", "long");
    const cwd = folderWith({
      "study.yaml": long.replace(", high: { set: { mint.minimum_bid: 9 } }", ""),
    });
    const experiment = spawnSim(cwd, "experiment", "study.yaml", "--on", redis.url());
    await worker.until(/"began"/);
    expect((await scrape(address)).get("catallaxy_worker_runs_in_progress")).toBe(1);
    worker.kill("SIGTERM");
    await expect
      .poll(() => answerOf(`${address}readyz`), { interval: 5 })
      .toEqual([503, "draining: 1 run in progress\n"]);
    const { code, out } = await worker.ended;
    expect(out).toContain('"given_back"');
    expect(code).toBe(0);
    const next: RunningWorker = (await start("--concurrency", "1")).worker;
    expect((await experiment.ended).code).toBe(0);
    await endWorkers([next]);
  });
});
