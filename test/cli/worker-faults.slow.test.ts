import { describe, expect, it } from "vitest";
import {
  doneBy,
  endWorkers,
  experimentOn,
  makeLocally,
  manifestIn,
  type RunningWorker,
  startWorker,
} from "../support/queue-workers.ts";
import { canStartRedis, sharedRedis } from "../support/redis-server.ts";
import { type SimResult, spawnSim } from "../support/sim.ts";
import { folderWith, temporaryFolder } from "../support/temporary-folder.ts";

/** 60 short runs. */
const STUDY = `name: study
base: { duration: 4s, only: [ada, boole] }
seeds: 1..30
arms: { low: {}, high: { set: { mint.minimum_bid: 9 } } }
measures: [gini, trades]
`;

const startWorkers = (count: number, on: string): Promise<readonly RunningWorker[]> =>
  Promise.all(
    Array.from({ length: count }, () => startWorker(temporaryFolder(), on, "--concurrency", "1")),
  );

describe.runIf(canStartRedis)("the queue", () => {
  const redis = sharedRedis();

  it("loses nothing if workers are killed and Redis restarts, and makes no run twice", async () => {
    const cwd = folderWith({ "study.yaml": STUDY });
    makeLocally(cwd);
    const workers = await startWorkers(4, redis.url());
    const command = ["experiment", "study.yaml", "--out", "queued", "--on", redis.url()];
    const running = spawnSim(cwd, ...command);
    await running.until(/^\d+ of 60 runs/m);
    workers[0]?.kill("SIGKILL");
    await running.until(/^[2-5]\d of 60 runs/m);
    await redis.restart();
    await running.until(/connected to redis:.* again/);
    workers[1]?.kill("SIGKILL");
    const { code, err } = await running.ended;
    expect(err).toMatch(/lost the connection to redis:.*; waiting for it/);
    expect(err).not.toContain("failed");
    expect(code).toBe(0);
    expect(manifestIn(cwd, "queued")).toBe(manifestIn(cwd, "local"));
    const done = doneBy(workers);
    expect(new Set(done).size).toBe(done.length);
    // The last words of a killed worker can be missing.
    expect(done.length).toBeGreaterThanOrEqual(58);
    await endWorkers(workers.slice(2));
  }, 900_000);

  it("gives the run of a killed worker to another", async () => {
    const cwd = folderWith({
      "study.yaml": STUDY.replace("1..30", "1..1").replace("4s", "300s").replace("study", "one"),
    });
    const [first] = await startWorkers(1, redis.url());
    const result: Promise<SimResult> = experimentOn(cwd, redis.url());
    await first?.until(/one \S+ done/);
    // It makes the second run now.
    first?.kill("SIGKILL");
    const [second] = await startWorkers(1, redis.url());
    const { code, err } = await result;
    expect(code).toBe(0);
    expect(err).toMatch(/^the worker of run (low|high)-s1 is lost; the run is made again$/m);
    expect(doneBy([first, second].flatMap((each) => each ?? [])).toSorted()).toEqual([
      ...["high-s1", "low-s1"],
    ]);
    await endWorkers([second].flatMap((each) => each ?? []));
  });

  it("finishes the runs in progress of a worker that is stopped, and no others", async () => {
    const cwd = folderWith({
      "study.yaml": STUDY.replace("1..30", "1..2").replace("4s", "300s").replace("study", "end"),
    });
    const worker = await startWorker(
      temporaryFolder(),
      redis.url(),
      "--concurrency",
      "1",
      "--json",
    );
    const result = experimentOn(cwd, redis.url());
    await worker.until(/"began"/);
    worker.kill("SIGTERM");
    expect((await worker.ended).code).toBe(0);
    expect(worker.outputSoFar().out.match(/"done"/g)).toHaveLength(1);
    const next = await startWorkers(1, redis.url());
    expect((await result).code).toBe(0);
    expect(doneBy(next)).toHaveLength(3);
    await endWorkers(next);
  });

  it("takes back the runs of a worker that is stopped twice, at once", async () => {
    const cwd = folderWith({
      "study.yaml": STUDY.replace("1..30", "1..1").replace("4s", "300s").replace("study", "back"),
    });
    const flags = ["--concurrency", "1", "--json"];
    const worker = await startWorker(temporaryFolder(), redis.url(), ...flags);
    const watched = spawnSim(cwd, "experiment", "study.yaml", "--on", redis.url());
    await worker.until(/"began"/);
    worker.kill("SIGTERM");
    await worker.until(/ends after 1 run/);
    worker.kill("SIGTERM");
    const { code, out } = await worker.ended;
    expect(code).toBe(143);
    expect(out).toContain('"given_back"');
    const next = await startWorkers(1, redis.url());
    expect((await watched.ended).code).toBe(0);
    await endWorkers(next);
  });

  it("sets aside a run that kills its process again and again, with the reason", async () => {
    const poison = `export default ({ seed }) => {
      if (seed === 2) process.kill(process.pid, "SIGKILL");
      return seed;
    };`;
    const cwd = folderWith({
      "study.yaml": STUDY.replace("1..30", "1..3")
        .replace("study", "poison")
        .replace("[gini, trades]", "[{ name: own, file: own.js }]"),
      "own.js": poison,
    });
    const workers = await startWorkers(2, redis.url());
    const { code, out } = await experimentOn(cwd, redis.url(), "--json");
    expect(code).toBe(1);
    const { runs } = JSON.parse(out);
    const failed = runs.filter(({ status }: { status: string }) => status === "failed");
    expect(failed.map(({ seed }: { seed: number }) => seed)).toEqual([2, 2]);
    expect(failed[0].error).toMatch(/ended with signal SIGKILL; .*; given up after 3 attempts$/);
    await endWorkers(workers);
    const said = workers.map((worker) => worker.outputSoFar().err).join("");
    expect(said.match(/low-s2 died and is tried again/g)).toHaveLength(2);
  });

  it("sets aside a run that kills its worker again and again", async () => {
    const cwd = folderWith({
      "study.yaml": STUDY.replace("1..30", "1..1")
        .replace("study", "deadly")
        .replace(", high: { set: { mint.minimum_bid: 9 } }", "")
        .replace("[gini, trades]", "[{ name: own, file: own.js }]"),
      "own.js": 'export default () => process.kill(process.ppid, "SIGKILL");',
    });
    const workers = await startWorkers(4, redis.url());
    const { code, out } = await experimentOn(cwd, redis.url(), "--json");
    expect(code).toBe(1);
    expect(JSON.parse(out).runs[0].error).toMatch(/^its worker died 3 times; the run may need/);
    const ended = workers.map(async (worker) => (await worker.ended).code);
    for (const worker of workers) worker.kill("SIGTERM");
    expect((await Promise.all(ended)).toSorted()).toEqual([0, null, null, null]);
  }, 900_000);
});
