import { once } from "node:events";
import { existsSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { answerOf, byLabel, metricsAddress, samplesIn } from "../support/prometheus.ts";
import { emptyFolder, jsonOf, sim, startSim } from "../support/sim.ts";
import { folderWith } from "../support/temporary-folder.ts";
import { expectRefusal } from "./refusal.ts";

/** An agent that makes two actions, one of which is refused, and then sleeps. */
const ANN = `id: ann
mind: script
script:
  - write_artifact: { artifact_id: note, content: hello }
  - read_artifact: { artifact_id: nothing }
  - sleep: { for_s: 100 }
  - noop: {}
`;

const RUN = [
  "run",
  "--name",
  "slow",
  "--clock",
  "wall",
  "--duration",
  "3600",
  "--set",
  "mint.tasks=[]",
];

it("serves the figures of a run until SIGTERM, and those are in the report", async () => {
  const cwd = folderWith({ "agents/ann/agent.yaml": ANN });
  const running = startSim(cwd, ...RUN, "--metrics", "0");
  const address = await metricsAddress(running);
  expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
  await running.until(/^run slow in/m);
  const scrape = async () => samplesIn((await answerOf(`${address}metrics`))[1]);
  const actions = async () => byLabel(await scrape(), "catallaxy_actions_total", "result");
  await expect.poll(actions).toEqual({ succeeded: 1, refused: 1 });
  expect(await answerOf(`${address}healthz`)).toEqual([200, "alive\n"]);
  expect(await answerOf(`${address}readyz`)).toEqual([200, "ready\n"]);
  const samples = await scrape();
  running.kill("SIGTERM");
  expect((await running.ended).code).toBe(143);
  // The reader of the metrics does not keep the journal from being complete in one file.
  const log = statSync(join(cwd, "runs/slow/journal.db-wal"), { throwIfNoEntry: false });
  expect(log?.size ?? 0).toBe(0);
  const { metrics } = jsonOf(cwd, "report", "slow");
  expect([metrics.work.actions, metrics.work.succeeded]).toEqual([2, 1]);
  expect(samples.get('catallaxy_thoughts_total{result="completed"}')).toBe(metrics.work.thoughts);
  expect(samples.get('catallaxy_agents{state="sleeping"}')).toBe(1);
  expect(samples.get("catallaxy_journal_bytes")).toBeGreaterThan(10_000);
  expect(samples.get("catallaxy_process_memory_bytes")).toBeGreaterThan(1_000_000);
});

describe("a place at which metrics cannot be served", () => {
  const taken = async (): Promise<string> => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close());
    const address = server.address();
    return String(typeof address === "object" ? address?.port : 0);
  };

  it("is refused in one line, before there is a run", async () => {
    const cwd = emptyFolder();
    const port = await taken();
    const reason = `port ${port} of 127.0.0.1 is in use; choose another with --metrics`;
    expectRefusal(await startSim(cwd, "run", "--metrics", port).ended, 3, reason);
    const far = "10.255.255.254 is not an address of this machine; try --metrics with a port only";
    expectRefusal(await startSim(cwd, "run", "--metrics", "10.255.255.254:0").ended, 2, far);
    expect(existsSync(join(cwd, "runs"))).toBe(false);
  });

  it.each([
    ["run", "http"],
    ["run", "65536"],
    ["worker", ":9464"],
    ["worker", "localhost"],
    ["resume", "a b:1"],
  ])("must be a port, with or without a host: sim %s --metrics %s", (verb, place) => {
    const said = sim(emptyFolder(), verb, "--metrics", place);
    expectRefusal(said, 2, /^sim: option '--metrics <place>' argument .* is invalid\. It must be /);
  });
});
