import { describe, expect, it } from "vitest";
import { outcomeOf, THINKING, thinkersFolder } from "../support/minds.ts";
import { endWorkers, startWorker } from "../support/queue-workers.ts";
import { canStartRedis, hasRedis, sharedRedis } from "../support/redis-server.ts";
import { sim, spawnSim } from "../support/sim.ts";

const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
const FLAGS = [...THINKING, "--duration", "6"];
/** Long enough for what happens in the middle. */
const LONG = [...THINKING, "--duration", "60"];

describe.skipIf(!hasRedis)("--minds redis://…", () => {
  const redis = sharedRedis();

  it("changes nothing in the journal of recorded runs, with any seed", async () => {
    const cwd = thinkersFolder();
    const workers = [await startWorker(cwd, redis.url()), await startWorker(cwd, redis.url())];
    for (const seed of SEEDS) {
      const run = [...FLAGS, "--seed", String(seed)];
      outcomeOf(sim(cwd, ...run, "--name", `recorded-${seed}`));
      const replay = [...run, "--replay-models", `recorded-${seed}`];
      const own = outcomeOf(sim(cwd, ...replay));
      expect(outcomeOf(sim(cwd, ...replay, "--minds", "threads:2"))).toEqual(own);
      const there = spawnSim(cwd, ...replay, "--minds", redis.url());
      expect(outcomeOf(await there.ended)).toEqual(own);
    }
    await endWorkers(workers);
  }, 600_000);

  it("waits for a worker, and continues when one ends or is killed", async () => {
    const cwd = thinkersFolder();
    const own = outcomeOf(sim(cwd, ...LONG));
    const run = spawnSim(cwd, ...LONG, "--minds", redis.url());
    await run.until(/the agents wait for a worker; start one with: sim worker --on redis:/);
    const first = await startWorker(cwd, redis.url(), "--concurrency", "1");
    await first.until(/thinks for run/);
    const second = await startWorker(cwd, redis.url(), "--concurrency", "1");
    first.kill("SIGKILL");
    await second.until(/thinks for run/);
    const third = await startWorker(cwd, redis.url(), "--concurrency", "1");
    second.kill("SIGTERM");
    expect((await second.ended).code).toBe(0);
    expect(outcomeOf(await run.ended)).toEqual(own);
    await endWorkers([third]);
  });

  it("stops while no worker is there", async () => {
    const cwd = thinkersFolder();
    const run = spawnSim(cwd, ...LONG, "--minds", redis.url());
    await run.until(/the agents wait for a worker/);
    run.kill("SIGINT");
    expect((await run.ended).code).toBe(130);
  });

  it.skipIf(!canStartRedis)("continues after a restart of Redis", async () => {
    const cwd = thinkersFolder();
    const own = outcomeOf(sim(cwd, ...LONG));
    const worker = await startWorker(cwd, redis.url());
    const run = spawnSim(cwd, ...LONG, "--minds", redis.url());
    await worker.until(/thinks for run/);
    await redis.restart();
    expect(outcomeOf(await run.ended)).toEqual(own);
    await endWorkers([worker]);
  });
});
