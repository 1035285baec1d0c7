import { describe, expect, it } from "vitest";
import { endWorkers, startWorker } from "../support/queue-workers.ts";
import { canStartRedis, sharedRedis } from "../support/redis-server.ts";
import { sim } from "../support/sim.ts";
import { folderWith } from "../support/temporary-folder.ts";

const STUDY = `name: study
base: { duration: 5s, only: [ada, boole] }
seeds: 1..2
arms: { low: {}, high: { set: { mint.minimum_bid: 9 } } }
measures: [gini, trades]
`;

describe("the address of --on", () => {
  it.each([
    ["localhost:6379", "must be the address of a Redis server, such as redis://localhost:6379"],
    ["http://localhost", "must be the address of a Redis server"],
    ["redis://localhost/five", "after the host it can have the number of a database"],
    ["redis://:secret@localhost?tls=1", "it has no parameters"],
  ])("%s is refused", (on, why) => {
    const cwd = folderWith({ "study.yaml": STUDY });
    for (const command of [["worker"], ["experiment", "study.yaml"]]) {
      const { code, err } = sim(cwd, ...command, "--on", on);
      expect(code).toBe(2);
      expect(err).toContain(`sim: --on must be the address of a Redis server`);
      expect(err).toContain(why);
      expect(err).not.toContain("secret");
    }
  });

  it("says that no server answers, without the password", () => {
    const cwd = folderWith({ "study.yaml": STUDY });
    const { code, err } = sim(
      cwd,
      "experiment",
      "study.yaml",
      "--on",
      "redis://:secret@127.0.0.1:1",
    );
    expect(code).toBe(3);
    expect(err).toBe(
      "sim: cannot reach Redis at redis://127.0.0.1:1: connection refused; " +
        "start Redis there, or correct the address\n",
    );
  });

  it("is not possible with --verify, and `local` means this machine", () => {
    const cwd = folderWith({ "study.yaml": STUDY });
    const on = ["--on", "redis://127.0.0.1:1"];
    const verify = sim(cwd, "experiment", "study.yaml", "--verify", "1", ...on);
    expect(verify).toMatchObject({ code: 2, err: expect.stringContaining("omit --on") });
    const local = sim(cwd, "experiment", "study.yaml", "--seeds", "1..1", "--on", "local");
    expect(local.err).toContain("2 of 2 runs");
  });
});

describe.runIf(canStartRedis)("a server with a password", () => {
  const redis = sharedRedis("secret");

  it("refuses a wrong password and none", () => {
    const cwd = folderWith();
    const wrong = redis.url().replace("secret", "wrong");
    const none = redis.url().replace(":secret@", "");
    expect(sim(cwd, "worker", "--on", wrong)).toEqual({
      ...{ code: 2, out: "" },
      err: `sim: ${none} refuses the user or the password\n`,
    });
    expect(sim(cwd, "worker", "--on", none)).toEqual({
      ...{ code: 2, out: "" },
      err: `sim: ${none} needs a password; write it as redis://:PASSWORD@HOST\n`,
    });
  });

  it("takes a worker, which does not print the password", async () => {
    const cwd = folderWith();
    const worker = await startWorker(cwd, redis.url(), "--concurrency", "3");
    await endWorkers([worker]);
    expect(worker.outputSoFar().err).toContain("3 runs at a time");
    expect(worker.outputSoFar().err).not.toContain("secret");
  });
});
