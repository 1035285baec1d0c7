import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { NOOP, writePersonas } from "../support/model-run.ts";
import { faults } from "../support/model-server/faults.ts";
import { type ModelServer, startModelServer } from "../support/model-server/model-server.ts";
import { emptyFolder, jsonOf, setFlags, sim, startSim } from "../support/sim.ts";

const folder = emptyFolder();
let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer(() => NOOP);
  writePersonas(join(folder, "agents"), { ann: { mind: "llm" } });
});
afterAll(() => server.close());

const MODEL = ["--model", "openai-compatible/tiny", "--set", "memory.embedder=hashed"];

const firstLine = (text: string): string => text.split("\n")[0] ?? "";

it("a run without models is on the virtual clock, and its first line says why", () => {
  const said = sim(folder, "run", "--duration", "2h", "--stop-after", "3s", "--model", "mock");
  expect(said, said.err).toMatchObject({ code: 0 });
  expect(firstLine(said.err)).toMatch(
    /^run \S+ in \S+, virtual clock \(no agent calls a provider; --clock wall is real time\)$/,
  );
  expect(said.out).toMatch(/virtual clock/);
});

it("a run with a provider's model is on the wall clock, and resumes on it", async () => {
  const url = setFlags(
    `llm.providers.openai-compatible.base_url=${server.baseUrl("openai-compatible")}`,
  );
  const short = ["--duration", "1m", "--stop-after", "50ms", "--name", "asked"];
  const { code, err } = await startSim(folder, "run", ...MODEL, ...url, ...short).ended;
  expect(code, err).toBe(0);
  expect(firstLine(err)).toBe(
    "run asked in runs/asked, wall clock (agents call openai-compatible/tiny; " +
      "--clock virtual simulates time)",
  );
  const { out } = sim(folder, "events", "asked", "--json");
  const rows = out.trimEnd().split("\n");
  const last = rows.map((row) => JSON.parse(row)).slice(-2);
  expect(last).toMatchObject([
    { kind: "checkpoint_saved", at_ms: 50 },
    { kind: "run_stopped", at_ms: 50 },
  ]);
  const resumed = await startSim(folder, "resume", "asked", "--stop-after", "50ms").ended;
  expect(firstLine(resumed.err)).toBe("run asked in runs/asked, wall clock");
});

it("a recording of the wall clock answers a run on the virtual clock", async () => {
  const url = setFlags(
    `llm.providers.openai-compatible.base_url=${server.baseUrl("openai-compatible")}`,
  );
  const two = ["--duration", "1m", "--max-actions", "2", "--name", "real-time"];
  await startSim(folder, "run", ...MODEL, ...url, ...two).ended;
  const replay = ["--replay-models", "real-time", "--name", "repeated", "--json"];
  const { code, out, err } = sim(folder, "run", ...MODEL, "--duration", "1m", ...replay);
  expect(code, err).toBe(0);
  const recorded = jsonOf(folder, "report", "real-time").model_calls.calls;
  expect(recorded).toBeGreaterThan(0);
  expect(err).toContain(`note: ${recorded} model calls answered from the recording`);
  expect(err).toMatch(/, 0 records not used$/m);
  expect(JSON.parse(out)).toMatchObject({ clock: "virtual" });
});

it("a call that the end of the run cuts off is recorded and counted", async () => {
  const hanging = await startModelServer(faults.hang);
  const url = setFlags(
    `llm.providers.openai-compatible.base_url=${hanging.baseUrl("openai-compatible")}`,
  );
  const running = startSim(folder, "run", ...MODEL, ...url, "--duration", "1h", "--name", "cut");
  await expect.poll(() => hanging.calls.length).toBeGreaterThan(0);
  running.kill("SIGTERM");
  const { out, err } = await running.ended;
  await hanging.close();
  const { model_calls } = jsonOf(folder, "report", "cut");
  expect(model_calls, err).toMatchObject({ by_fault: [{ fault: "cancelled" }] });
  expect(model_calls.cost_usd).toBeGreaterThan(0);
  expect(out).toContain(`, ${model_calls.cost_usd} USD to model providers`);
});

it("a fork keeps the clock of its source", () => {
  sim(folder, "run", "--clock", "wall", "--stop-after", "0.1", "--model", "mock", "--name", "real");
  const forked = sim(folder, "fork", "real", "--stop-after", "0.1", "--name", "copy");
  expect(firstLine(forked.err)).toBe("run copy in runs/copy, wall clock");
});
