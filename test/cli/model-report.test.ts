import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writePersonas } from "../support/model-run.ts";
import { faults } from "../support/model-server/faults.ts";
import { type ModelServer, startModelServer } from "../support/model-server/model-server.ts";
import { emptyFolder, jsonOf, makeRun, setFlags, sim, startSim } from "../support/sim.ts";

const folder = emptyFolder();
const NOOP = JSON.stringify({ thought_process: "Nothing to do.", action: { noop: {} } });
let server: ModelServer;

const addressOf = (at: ModelServer): string =>
  `llm.providers.openai-compatible.base_url=${at.baseUrl("openai-compatible")}`;

/** What a run with these personas on the virtual clock says, without blocking the server. */
const running = (name: string, at: ModelServer, ...flags: readonly string[]) => {
  const virtual = ["--name", name, "--clock", "virtual", ...setFlags(addressOf(at))];
  return startSim(folder, "run", ...virtual, ...flags).ended;
};

const NO_MEMORY = setFlags("memory.backend=none");

const warningsIn = (err: string): readonly string[] =>
  err.split("\n").filter((line) => line.startsWith("warning: "));

/** Every call takes ten tokens in and ten out; the first reply of all cannot be read. */
beforeAll(async () => {
  server = await startModelServer(({ n }) => ({ text: n === 1 ? "Hello!" : NOOP }));
  writePersonas(join(folder, "agents"), {
    ann: { mind: "llm", llm_model: "ollama/small" },
    bob: { mind: "llm", llm_model: "openai-compatible/gpt-5-mini" },
    cy: { mind: "policy/zero_intelligence" },
  });
  const sets = setFlags(
    "virtual.think_ms.llm=[2000,2000]",
    "memory.embedder=hashed",
    "llm.pricing.gpt-5-mini={input: 10, output: 100}",
  );
  const asked = await running("asked", server, "--duration", "10", "--quiet", ...sets);
  expect(asked).toMatchObject({ code: 0, err: "" });
  makeRun(folder, { name: "offline", seconds: 10 }, "--only", "cy");
});
afterAll(() => server.close());

describe("sim report of a run that asked language models", () => {
  it("--json splits calls, tokens and cost by agent, by purpose and by model", () => {
    const report = jsonOf(folder, "report", "asked").model_calls;
    const { calls } = report;
    expect(calls).toBe(server.calls.length);
    const none = { failures: 0, cached_input_tokens: 0, reasoning_tokens: 0, estimated: 0 };
    expect(report).toMatchObject({ ...none, input_tokens: 10 * calls, output_tokens: 10 * calls });
    const [bob, ann] = report.by_agent;
    expect([bob.agent, ann.agent]).toEqual(["bob", "ann"]);
    // 10 tokens at 10 and 10 at 100 USD a million; the model of ann has no price of its own.
    expect(bob).toMatchObject({ unpriced: 0, cost_usd: expect.closeTo(0.0011 * bob.calls, 9) });
    expect(ann).toMatchObject({ unpriced: ann.calls });
    expect(bob.calls + ann.calls).toBe(calls);
    expect(report.by_model).toMatchObject([
      { model: "openai-compatible/gpt-5-mini", calls: bob.calls },
      { model: "openai-compatible/small", calls: ann.calls },
    ]);
    expect(report.by_purpose).toMatchObject([
      { purpose: "decide", calls: calls - 1 },
      { purpose: "repair", calls: 1 },
    ]);
    expect(report.cost_usd).toBeCloseTo(bob.cost_usd + ann.cost_usd, 9);
  });

  it("prints them as a line and a table", () => {
    const { out } = sim(folder, "report", "asked");
    const { model_calls: report } = jsonOf(folder, "report", "asked");
    const tokens = `${10 * report.calls} tokens in (0 cached), ${10 * report.calls} out`;
    const money = `${report.cost_usd.toFixed(4)} USD`;
    expect(out).toContain(`models    ${report.calls} calls (0 failed), ${tokens}, ${money}\n`);
    const because = "because openai-compatible/small has no price";
    expect(out).toMatch(new RegExp(`\\n {10}\\d+ calls at llm.default_pricing, ${because}\\n`));
    expect(out).toMatch(/^by\tbob\t\d+\t0\t\d+\t0\t\d+\t0\.\d{4}$/m);
    expect(out).toMatch(/^for\trepair\t1\t0\t10\t0\t10\t/m);
    expect(out).toMatch(/^to\topenai-compatible\/small\t/m);
  });
});

it("sim report of a run without model calls counts none, and prints nothing about models", () => {
  const { model_calls } = jsonOf(folder, "report", "offline");
  expect(model_calls).toMatchObject({ calls: 0, failures: 0, cost_usd: 0, by_model: [] });
  expect(sim(folder, "report", "offline").out).not.toMatch(/^models|^calls/m);
});

it("a run whose models do not answer warns once and counts failed calls by fault", async () => {
  const gone = await startModelServer(() => ({ text: NOOP }));
  await gone.close();
  const soon = setFlags(
    "llm.failover.cooldown_initial_s=0.001",
    "llm.failover.cooldown_max_s=0.002",
  );
  const flags = ["--only", "ann,bob", "--duration", "20", ...soon, ...NO_MEMORY];
  const { out, err } = await running("down", gone, ...flags);
  expect(warningsIn(err)).toEqual([
    expect.stringMatching(/(ann|bob) could not think at .* s: connection: .*base_url.* Virtual /),
  ]);
  const { model_calls } = jsonOf(folder, "report", "down");
  expect(model_calls.by_fault).toEqual([{ fault: "connection", calls: model_calls.failures }]);
  expect(model_calls.failures).toBeGreaterThan(1);
  const said = `(${model_calls.failures} failed: connection ${model_calls.failures})`;
  expect(out).toContain(said);
  expect(sim(folder, "report", "down").out).toContain(said);
});

it("warns during the run of a model that the provider does not know", async () => {
  const strange = await startModelServer(() => faults.notFound());
  const flags = ["--only", "ann", "--duration", "5", ...NO_MEMORY];
  const { err } = await running("typo", strange, ...flags);
  await strange.close();
  expect(warningsIn(err)).toEqual([
    expect.stringMatching(/ann could not .*: bad_request: .*no such model.*check the name/),
  ]);
});

it("a run that --max-cost stops at an assumed price prints how to set the price", async () => {
  const sets = [...setFlags("virtual.think_ms.llm=[1000,1000]"), ...NO_MEMORY];
  const flags = ["--only", "ann", "--duration", "10", "--max-cost", "0.02", ...sets];
  const { out, err } = await running("dear", server, ...flags);
  expect(out).toContain("stopped by max_cost");
  const prices = /--set '(llm\.pricing=.+)'/.exec(err)?.[1] ?? "";
  expect(err).toMatch(
    /note: llm.default_pricing, an assumed price, was used for \d+ calls? of \d+$/m,
  );
  expect(prices).toContain("openai-compatible/small");
  const free = await running("free", server, ...flags, "--set", prices);
  expect(free.out).toContain("stopped by duration");
  expect(free.err).not.toContain("assumed price");
  const documented = setFlags('llm.pricing={"small":{"input":0,"output":0}}');
  const ended = await running("documented", server, ...flags, ...documented);
  expect(ended.out).toContain("stopped by duration");
});
