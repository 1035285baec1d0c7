import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writePersonas } from "../support/model-run.ts";
import { faults } from "../support/model-server/faults.ts";
import { type ModelServer, startModelServer } from "../support/model-server/model-server.ts";
import { emptyFolder, sim, startSim } from "../support/sim.ts";

const folder = emptyFolder();
const NOOP = JSON.stringify({ thought_process: "Nothing to do.", action: { noop: {} } });
let server: ModelServer;

/** Every call takes ten tokens in and ten out; the first reply of all cannot be read. */
beforeAll(async () => {
  server = await startModelServer(({ n }) => ({ text: n === 1 ? "Hello!" : NOOP }));
  writePersonas(join(folder, "agents"), {
    ann: { mind: "llm", llm_model: "ollama/small" },
    bob: { mind: "llm", llm_model: "openai-compatible/gpt-5-mini" },
    cy: { mind: "policy/zero_intelligence" },
  });
  const sets = [
    `llm.providers.openai-compatible.base_url=${server.baseUrl("openai-compatible")}`,
    "virtual.think_ms.llm=[2000,2000]",
    "memory.embedder=hashed",
    "llm.pricing.gpt-5-mini={input: 10, output: 100}",
  ].flatMap((set) => ["--set", set]);
  const flags = ["--clock", "virtual", "--duration", "10", "--quiet"];
  const asked = await startSim(folder, "run", "--name", "asked", ...flags, ...sets).ended;
  expect(asked).toMatchObject({ code: 0, err: "" });
  const offline = sim(folder, "run", "--name", "offline", "--only", "cy", ...flags);
  expect(offline).toMatchObject({ code: 0, err: "" });
});
afterAll(() => server.close());

describe("sim report of a run that asked language models", () => {
  it("--json splits calls, tokens and cost by agent, by purpose and by model", () => {
    const report = JSON.parse(sim(folder, "report", "asked", "--json").out).model_calls;
    const { calls } = report;
    expect(calls).toBe(server.calls.length);
    expect(report).toMatchObject({
      failures: 0,
      input_tokens: 10 * calls,
      cached_input_tokens: 0,
      output_tokens: 10 * calls,
      reasoning_tokens: 0,
      estimated: 0,
    });
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
    const purposes = report.by_purpose.map(({ purpose }: { purpose: string }) => purpose);
    expect(purposes.toSorted()).toEqual(["decide", "repair"]);
    const all = report.by_purpose.reduce(
      (sum: number, line: { calls: number }) => sum + line.calls,
      0,
    );
    expect(all).toBe(calls);
    expect(report.cost_usd).toBeCloseTo(bob.cost_usd + ann.cost_usd, 9);
  });

  it("prints them as a line and a table", () => {
    const { out } = sim(folder, "report", "asked");
    const { model_calls: report } = JSON.parse(sim(folder, "report", "asked", "--json").out);
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

it("sim report of a run without model calls does not mention models", () => {
  expect(JSON.parse(sim(folder, "report", "offline", "--json").out)).not.toHaveProperty(
    "model_calls",
  );
  expect(sim(folder, "report", "offline").out).not.toMatch(/^models|^calls/m);
});

describe("a run whose models do not answer", () => {
  const down = async () => {
    const gone = await startModelServer(() => ({ text: NOOP }));
    await gone.close();
    const sets = [
      "llm.failover.cooldown_initial_s=0.001",
      "llm.failover.cooldown_max_s=0.002",
      `llm.providers.openai-compatible.base_url=${gone.baseUrl("openai-compatible")}`,
      "memory.backend=none",
    ].flatMap((set) => ["--set", set]);
    const flags = ["--only", "ann,bob", "--clock", "virtual", "--duration", "20"];
    return await startSim(folder, "run", "--name", "down", ...flags, ...sets).ended;
  };

  it("warns once during the run and counts failed calls by fault", async () => {
    const { out, err } = await down();
    const warnings = err.split("\n").filter((line) => line.startsWith("warning: "));
    expect(warnings).toEqual([
      expect.stringMatching(
        /^warning: (ann|bob) could not think at .* s: connection: .*base_url.* Virtual time/,
      ),
    ]);
    const { model_calls } = JSON.parse(sim(folder, "report", "down", "--json").out);
    expect(model_calls.by_fault).toEqual([{ fault: "connection", calls: model_calls.failures }]);
    expect(model_calls.failures).toBeGreaterThan(1);
    const said = `(${model_calls.failures} failed: connection ${model_calls.failures})`;
    expect(out).toContain(said);
    expect(sim(folder, "report", "down").out).toContain(said);
  });
});

it("warns during the run of a model that the provider does not know", async () => {
  const strange = await startModelServer(() => faults.notFound());
  const sets = [
    `llm.providers.openai-compatible.base_url=${strange.baseUrl("openai-compatible")}`,
    "memory.backend=none",
  ].flatMap((set) => ["--set", set]);
  const flags = ["--only", "ann", "--clock", "virtual", "--duration", "5"];
  const { err } = await startSim(folder, "run", "--name", "typo", ...flags, ...sets).ended;
  await strange.close();
  const warnings = err.split("\n").filter((line) => line.startsWith("warning: "));
  expect(warnings).toEqual([
    expect.stringMatching(
      /^warning: ann could not .*: bad_request: .*no such model.*check the name/,
    ),
  ]);
});

describe("a run that --max-cost stops at an assumed price", () => {
  const stopped = (name: string, ...more: readonly string[]) =>
    startSim(
      folder,
      ...["run", "--name", name, "--only", "ann", "--clock", "virtual", "--duration", "10"],
      ...[
        "--set",
        `llm.providers.openai-compatible.base_url=${server.baseUrl("openai-compatible")}`,
      ],
      ...["--set", "virtual.think_ms.llm=[1000,1000]", "--set", "memory.backend=none"],
      ...["--max-cost", "0.02", ...more],
    ).ended;

  it("prints how to set the price, and with that setting the run ends normally", async () => {
    const { out, err } = await stopped("dear");
    expect(out).toContain("stopped by max_cost");
    const prices = /--set '(llm\.pricing=.+)'/.exec(err)?.[1] ?? "";
    expect(err).toMatch(
      /note: \d+ of \d+ calls were counted at an assumed price, llm.default_pricing/,
    );
    expect(prices).toContain("openai-compatible/small");
    const free = await stopped("free", "--set", prices);
    expect(free.out).toContain("stopped by duration");
    expect(free.err).not.toContain("assumed price");
    const documented = 'llm.pricing={"small":{"input":0,"output":0}}';
    expect((await stopped("documented", "--set", documented)).out).toContain("stopped by duration");
  });
});
