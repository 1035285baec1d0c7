import { describe, expect, it } from "vitest";
import {
  endWorkers,
  experimentOn,
  makeLocally,
  manifestIn,
  runsThat,
  spawnWorker,
  startExperiment,
  startWorker,
} from "../support/queue-workers.ts";
import { canStartRedis, sharedRedis } from "../support/redis-server.ts";
import type { RunningSim } from "../support/sim.ts";
import { folderWith } from "../support/temporary-folder.ts";

/** 16 short runs. */
const STUDY = `name: study
base: { duration: 4s, only: [ada, boole] }
seeds: 1..8
arms: { low: {}, high: { set: { mint.minimum_bid: 9 } } }
measures: [gini, trades]
`;

describe.runIf(canStartRedis)("the queue", () => {
  const redis = sharedRedis();
  const spawnWorkers = (
    count: number,
    lostAfter: string,
  ): Promise<readonly RunningSim<NodeJS.Signals>[]> => {
    const flags = ["--concurrency", "1", "--json", "--lost-after", lostAfter];
    return Promise.all(Array.from({ length: count }, () => spawnWorker(redis.url(), ...flags)));
  };

  it("loses nothing if workers are killed and Redis restarts, and makes no run twice", async () => {
    const cwd = folderWith({ "study.yaml": STUDY });
    makeLocally(cwd);
    const workers = await spawnWorkers(3, "5s");
    const running = startExperiment(cwd, redis.url(), "--out", "queued");
    // The first run of a worker waits until a process has started.
    await workers[0]?.until(/"began"/);
    workers[0]?.kill("SIGKILL");
    await running.until(/^[4-9] of 16 runs/m);
    await redis.restart();
    await running.until(/connected to redis:.* again/);
    workers[1]?.kill("SIGKILL");
    const { code, err } = await running.ended;
    expect(err).toMatch(/lost the connection to redis:.*; waiting for it/);
    expect(err).not.toContain("failed");
    expect(code).toBe(0);
    expect(manifestIn(cwd, "queued")).toBe(manifestIn(cwd, "local"));
    const [lost] = runsThat("began", workers.slice(0, 1));
    expect(err).toContain(`the worker of run ${lost} is lost; the run is made again`);
    const done = runsThat("done", workers);
    expect(new Set(done).size).toBe(done.length);
    // The last words of a killed worker can be missing.
    expect(done.length).toBeGreaterThanOrEqual(14);
    await endWorkers(workers.slice(2));
  });

  it("finishes or gives back the run in progress of a worker that is stopped", async () => {
    // Long enough for a signal to arrive before the end of a run.
    const cwd = folderWith({
      "study.yaml": STUDY.replace("1..8", "1..2").replace("4s", "200s").replace("study", "end"),
    });
    const start = () => startWorker(cwd, redis.url(), "--concurrency", "1", "--json");
    const stopped = await start();
    const result = experimentOn(cwd, redis.url());
    await stopped.until(/"began"/);
    stopped.kill("SIGTERM");
    expect((await stopped.ended).code).toBe(0);
    expect(runsThat("began", [stopped])).toHaveLength(1);
    expect(runsThat("done", [stopped])).toEqual(runsThat("began", [stopped]));
    const stoppedTwice = await start();
    await stoppedTwice.until(/"began"/);
    stoppedTwice.kill("SIGTERM");
    await stoppedTwice.until(/ends after 1 run/);
    stoppedTwice.kill("SIGTERM");
    expect((await stoppedTwice.ended).code).toBe(143);
    expect(runsThat("given_back", [stoppedTwice])).toHaveLength(1);
    const next = await start();
    expect((await result).code).toBe(0);
    expect(runsThat("done", [next])).toHaveLength(3);
    await endWorkers([next]);
  });

  it("sets aside runs that kill their process or worker again and again, with the reason", async () => {
    const deadly = `export default ({ seed }) => {
      if (seed === 2) process.kill(process.pid, "SIGKILL");
      if (seed === 3) process.kill(process.ppid, "SIGKILL");
      return seed;
    };`;
    const cwd = folderWith({
      "study.yaml": STUDY.replace("1..8", "1..3")
        .replace("study", "deadly")
        .replace(", high: { set: { mint.minimum_bid: 9 } }", "")
        .replace("[gini, trades]", "[{ name: own, file: own.js }]"),
      "own.js": deadly,
    });
    const workers = await spawnWorkers(4, "3s");
    const { code, out } = await experimentOn(cwd, redis.url(), "--json");
    expect(code).toBe(1);
    expect(JSON.parse(out).runs).toMatchObject([
      { status: "done", figures: { own: 1 } },
      {
        status: "failed",
        error: expect.stringMatching(/ended with signal SIGKILL; .*; given up after 3 attempts$/),
      },
      {
        status: "failed",
        error: expect.stringMatching(/^its worker died 3 times; the run may need/),
      },
    ]);
    expect(runsThat("died", workers)).toEqual(["low-s2", "low-s2"]);
    const ended = workers.map(async (worker) => (await worker.ended).code);
    for (const worker of workers) worker.kill("SIGTERM");
    expect((await Promise.all(ended)).toSorted()).toEqual([0, null, null, null]);
  });
});
