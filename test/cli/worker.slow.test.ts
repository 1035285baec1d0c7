import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { Redis } from "ioredis";
import { describe, expect, it } from "vitest";
import {
  doneBy,
  endWorkers,
  experimentOn,
  makeLocally,
  manifestIn,
  spawnWorker,
  startExperiment,
  startWorker,
} from "../support/queue-workers.ts";
import { hasRedis, sharedRedis } from "../support/redis-server.ts";
import { jsonOf } from "../support/sim.ts";
import { filled, folderWith, temporaryFolder } from "../support/temporary-folder.ts";

const STUDY = `name: study
base: { duration: 5s, only: [ada, boole] }
seeds: 1..2
arms: { low: {}, high: { set: { mint.minimum_bid: 9 } } }
measures: [gini, trades]
`;

/** Every kind of file that a run can read, and paths that go up. */
const FILES = {
  "lab/study/config.yaml":
    "mint: { minimum_bid: 7 }\nmechanisms:\n  gold: { file: ../programs/gold.js }\n",
  "lab/programs/gold.js": `/* ---
description: Says how much gold there is.
include: [amounts.js]
methods:
  - { name: amount, description: The amount., input_schema: { type: object } }
--- */
function amount() { return AMOUNT; }
`,
  "lab/programs/amounts.js": "const AMOUNT = 3;\n",
  "lab/agents/ada/agent.yaml": "id: ada\nmind: ../../minds/ada.ts\n",
  "lab/agents/bo/agent.yaml": "id: bo\nmind: policy/producer\n",
  "lab/minds/ada.ts": `import { WORDS } from "./words.ts";
export default { decide: () => ({ action: { noop: {} }, reasoning: WORDS }) };
`,
  "lab/minds/words.ts": 'export const WORDS: string = "hm";\n',
  "lab/late/cy/agent.yaml": "id: cy\nmind: script\nscript: [{ noop: {} }]\n",
  "lab/measures/events.ts": `import { count } from "./count.ts";
export default ({ events }: { events: () => Iterable<unknown> }): number => count(events());
`,
  "lab/measures/count.ts":
    "export const count = (all: Iterable<unknown>): number => [...all].length;\n",
  "lab/study/study.yaml": `name: files
base:
  duration: 40s
  agents: ../agents
  schedule: [{ at: 5s, add: ../late/cy }]
from: { at: 20s }
seeds: 1..2
arms:
  none: {}
  late: { schedule: [{ at: 30s, install: { id: more, file: ../programs/gold.js } }] }
measures:
  - actions
  - { name: events, file: ../measures/events.ts }
`,
};

describe.runIf(hasRedis)("sim experiment --on", () => {
  const redis = sharedRedis();

  it("waits for workers, says so, and leaves nothing in the queue at Ctrl-C", async () => {
    const cwd = folderWith({ "study.yaml": STUDY.replace("study", "waiting") });
    const on = redis.url();
    const waiting = startExperiment(cwd, on);
    await waiting.until(
      /no worker is connected to redis:.*; start one with: sim worker --on redis:/,
    );
    await waiting.until(/runs in the queue/);
    waiting.kill("SIGINT");
    expect(await waiting.ended).toMatchObject({
      code: 130,
      err: expect.stringMatching(
        /^interrupted: 0 of 4 runs done; .*: sim experiment study\.yaml --on redis:\S+$/m,
      ),
    });
    const worker = await startWorker(cwd, on);
    filled(cwd, { "study.yaml": STUDY.replace("study", "other") });
    expect((await experimentOn(cwd, on)).code).toBe(0);
    await endWorkers([worker]);
    expect(doneBy([worker], "other")).toHaveLength(4);
    expect(doneBy([worker], "waiting")).toEqual([]);
  });

  it("does not give runs to workers of another version, and says so on both sides", async () => {
    const cwd = folderWith({ "study.yaml": STUDY.replace("study", "versions") });
    const client = new Redis(redis.url());
    const nowMs = Date.now();
    const other = { name: "old", version: "0.0.1 (abcd, Node 24)", slots: 2 };
    for (const kind of ["worker", "submitter"]) {
      await client.zadd("catallaxy:members:runs", nowMs, JSON.stringify({ kind, ...other }));
    }
    const waiting = startExperiment(cwd, redis.url());
    await waiting.until(/no worker has version .* of this command; there is 1 worker .* 0\.0\.1/);
    const worker = await startWorker(cwd, redis.url());
    await worker.until(/an experiment of version 0\.0\.1 .* refuses its runs/);
    expect((await waiting.ended).code).toBe(0);
    await endWorkers([worker]);
    client.disconnect();
  });

  it("joins the runs of an earlier command, and gets outcomes still in Redis", async () => {
    const joined = STUDY.replace("study", "joined").replace("5s", "60s");
    const cwd = folderWith({ "study.yaml": joined });
    const worker = await startWorker(cwd, redis.url(), "--concurrency", "2");
    const both = await Promise.all(
      ["one", "two"].map((out) => experimentOn(cwd, redis.url(), "--out", out)),
    );
    expect(both.map(({ code }) => code)).toEqual([0, 0]);
    expect((await experimentOn(cwd, redis.url(), "--out", "three")).code).toBe(0);
    expect(manifestIn(cwd, "two")).toBe(manifestIn(cwd, "one"));
    expect(manifestIn(cwd, "three")).toBe(manifestIn(cwd, "one"));
    expect(doneBy([worker], "joined")).toHaveLength(4);
    await endWorkers([worker]);
  });

  it("sends every file that runs read, and common pasts, to the workers", async () => {
    const cwd = join(folderWith(FILES), "lab/study");
    makeLocally(cwd);
    const workers = [
      await spawnWorker(redis.url(), "--concurrency", "1"),
      await spawnWorker(redis.url(), "--concurrency", "1"),
    ];
    const against = ["--against", "local/manifest.json"];
    const { code, err } = await experimentOn(cwd, redis.url(), "--out", "queued", ...against);
    expect(code).toBe(0);
    expect(err).not.toContain("failed");
    expect(err).toContain("2 workers at redis://");
    expect(err).toContain("same results as local/manifest.json: all 4 runs");
    expect(manifestIn(cwd, "queued")).toBe(manifestIn(cwd, "local"));
    for (const worker of workers) expect(doneBy([worker], "files")).not.toEqual([]);
    await endWorkers(workers);
  });

  it("refuses files that other machines do not have", async () => {
    const agents = folderWith({
      "ada/agent.yaml": "id: ada\nmind: script\nscript: [{ noop: {} }]\n",
    });
    const cwd = folderWith({
      "study.yaml": STUDY.replace("[gini, trades]", "[{ name: m, file: m.js }]"),
      "m.js": 'import { z } from "zod";\nexport default () => 1;\n',
      "node_modules/zod/package.json": '{ "name": "zod", "main": "z.js" }',
      "node_modules/zod/z.js": "exports.z = 1;",
    });
    const packaged = await experimentOn(cwd, redis.url());
    expect(packaged.code).toBe(2);
    expect(packaged.err).toContain("m.js imports the package zod; with --on, measures can import");
    filled(cwd, { "study.yaml": STUDY.replace("only: [ada, boole]", `agents: ${agents}`) });
    const absolute = await experimentOn(cwd, redis.url());
    expect(absolute.code).toBe(2);
    expect(absolute.err).toContain(
      `${agents} is an absolute path, which other machines do not have`,
    );
  });

  it("stores the runs that the experiment keeps", async () => {
    const cwd = folderWith({ "study.yaml": `${STUDY.replace("study", "kept")}keep: all\n` });
    const store = temporaryFolder();
    const worker = await startWorker(cwd, redis.url(), "--store", store);
    const { code, err } = await experimentOn(cwd, redis.url());
    expect([code, err.match(/journals stay with the workers, unless/g)?.length]).toEqual([0, 1]);
    await endWorkers([worker]);
    const [group = ""] = readdirSync(store);
    expect(group).toMatch(/^kept-[0-9a-f]{8}$/);
    expect(readdirSync(join(store, group, "runs")).toSorted()).toEqual([
      ...["high-s1", "high-s2", "low-s1", "low-s2"],
    ]);
    expect(existsSync(join(store, group, "checkpoints/low-s1"))).toBe(true);
    const manifest = JSON.parse(manifestIn(cwd, "results/kept"));
    const verified = jsonOf(join(store, group), "verify", "low-s1");
    expect(verified.state_hash).toBe(manifest.runs[0].state_hash);
  });

  it("cancels runs in progress at Ctrl-C, and the worker is free for others", async () => {
    const cwd = folderWith({ "study.yaml": STUDY.replace("study", "cut").replace("5s", "90000s") });
    const worker = await startWorker(cwd, redis.url(), "--concurrency", "1", "--json");
    const running = startExperiment(cwd, redis.url());
    await running.until(/1 worker at/);
    await worker.until(/"began"/);
    running.kill("SIGINT");
    expect((await running.ended).code).toBe(130);
    await worker.until(/"cancelled"/);
    filled(cwd, { "study.yaml": STUDY.replace("study", "next") });
    expect((await experimentOn(cwd, redis.url())).code).toBe(0);
    await endWorkers([worker]);
    expect(worker.outputSoFar().out).not.toMatch(/"cut".*"done"/);
  });
});
