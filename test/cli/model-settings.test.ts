import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { acting, NOOP, type Personas, writePersonas } from "../support/model-run.ts";
import {
  askerOf,
  type ModelServer,
  type Script,
  type ServedCall,
  startModelServer,
} from "../support/model-server/model-server.ts";
import {
  emptyFolder,
  jsonOf,
  type SimResult,
  setFlags,
  sim,
  startSimWith,
} from "../support/sim.ts";
import { expectRefusal } from "./refusal.ts";

const KEYS = { GOOGLE_GENERATIVE_AI_API_KEY: "AIza-test", ANTHROPIC_API_KEY: "sk-ant-test" };
const OODA = {
  text: JSON.stringify({ situation_assessment: "Quiet.", action_rationale: "I wait.", action: {} }),
};

const settingsAt = (server: ModelServer, ...more: readonly string[]): readonly string[] =>
  setFlags(
    ...(["google", "anthropic", "openai-compatible"] as const).flatMap((provider) => [
      `llm.providers.${provider}.base_url=${server.baseUrl(provider)}`,
      `llm.providers.${provider}.requests_per_minute=null`,
    ]),
    "llm.failover.cooldown_initial_s=0.001",
    "llm.failover.cooldown_max_s=0.002",
    "virtual.think_ms.llm=[1000,1000]",
    "memory.backend=none",
    "mint.tasks=[]",
    ...more,
  );

type Ran = { readonly folder: string; readonly server: ModelServer; readonly said: SimResult };

/** One run of the command with personas at a server that answers by the script. */
const ran = async (
  agents: Personas,
  script: Script,
  { flags = [], sets = [] }: { readonly flags?: readonly string[]; readonly sets?: string[] } = {},
): Promise<Ran> => {
  const folder = emptyFolder();
  const server = await startModelServer(script);
  writePersonas(join(folder, "agents"), agents);
  const all = [...RUN, ...settingsAt(server, ...sets), "--name", "first", ...flags];
  const said = await startSimWith(KEYS, folder, all).ended;
  return { folder, server, said };
};

const RUN = ["run", "--clock", "virtual", "--duration", "4", "--json"];
const LLM = { mind: "llm" };

const DEFAULTS = [
  "agents.defaults.cognitive_schema=ooda",
  "agents.defaults.reasoning=low",
  "agents.defaults.temperature=0.3",
  "agents.defaults.max_tokens=300",
];

describe("the defaults of agents", () => {
  const quotas = { actions: 20, cpu_gas: 100_000, llm_calls: 10, llm_tokens: 20_000 };
  const endowment = { ...quotas, disk_bytes: 20_000, llm_budget_micros: 300_000 };
  const spawn = { method: "spawn_principal", args: ["kid", LLM, endowment] };
  const OWN = {
    mind: "llm",
    cognitive_schema: "simple",
    reasoning: 2_000,
    temperature: 0.9,
    max_tokens: 500,
    llm_model: "openai-compatible/own",
  };
  let run: Ran;
  let spawned = false;
  beforeAll(async () => {
    const script: Script = (call) => {
      if (askerOf(call) !== "ann") return OODA;
      const action = { invoke_artifact: { artifact_id: "genesis_ledger", ...spawn } };
      const answer = spawned ? NOOP : acting(action);
      spawned = true;
      return answer;
    };
    const flags = ["--model", "openai-compatible/tiny"];
    run = await ran({ ann: OWN, bob: LLM }, script, { flags, sets: DEFAULTS });
    return () => run.server.close();
  });
  const callOf = (id: string): ServedCall | undefined =>
    run.server.calls.find((call) => askerOf(call) === id);

  it("apply to a persona that does not set them, and to a spawned agent", () => {
    expect(run.said).toMatchObject({ code: 0, err: expect.not.stringContaining("warning") });
    for (const id of ["bob", "kid"]) {
      const body = { model: "tiny", temperature: 0.3, max_tokens: 1_324, reasoning_effort: "low" };
      expect(callOf(id)?.body).toMatchObject(body);
      expect(JSON.stringify(callOf(id)?.body.response_format)).toContain("action_rationale");
      expect(callOf(id)?.system).toContain("with situation_assessment, action_rationale, one");
    }
  });

  it("do not apply to a persona that sets them", () => {
    const body = { model: "own", temperature: 0.9, max_tokens: 2_500, reasoning_effort: "low" };
    expect(callOf("ann")?.body).toMatchObject(body);
    expect(JSON.stringify(callOf("ann")?.body.response_format)).toContain("thought_process");
  });

  it("are recorded with each call, so that a replay answers only the same settings", async () => {
    const { folder, server } = run;
    const before = server.calls.length;
    const replayed = async (name: string, ...sets: readonly string[]) => {
      const flags = ["--model", "openai-compatible/tiny", "--replay-models", "first"];
      const all = [...RUN, ...settingsAt(server, ...DEFAULTS, ...sets), "--name", name, ...flags];
      return startSimWith({}, folder, all).ended;
    };
    const hashOf = ({ out }: SimResult): string => JSON.parse(out).journal_hash;
    const same = await replayed("same");
    expect(same.err).toMatch(
      /note: [1-9]\d* model calls answered .*, 0 not found in it, 0 records/,
    );
    expect(hashOf(same)).toBe(hashOf(run.said));
    const other = await replayed("other", "agents.defaults.reasoning=1024");
    expect(other.err).toMatch(/, [1-9]\d* not found in it, /);
    expect(server.calls).toHaveLength(before);
    expect(sim(folder, "verify", "first").code).toBe(0);
  });

  it("are shown by sim config, with their source", () => {
    const { out } = sim(run.folder, "config", ...setFlags(...DEFAULTS));
    expect(out.split("\n")).toEqual(
      expect.arrayContaining([
        'agents.defaults.cognitive_schema\t"ooda"\t--set',
        'agents.defaults.reasoning\t"low"\t--set',
        "agents.defaults.temperature\t0.3\t--set",
        "agents.defaults.max_tokens\t300\t--set",
        "agents.defaults.llm_model\tnull\tdefault",
        "llm.reasoning\tnull\tdefault",
      ]),
    );
  });

  it("are shown by sim agents preview, or else the settings of llm", () => {
    const settings = (id: string, ...sets: readonly string[]) =>
      jsonOf(run.folder, "agents", "preview", id, ...setFlags(...sets)).settings;
    const shipped = { model: "gemini/gemini-3-flash-preview", cognitive_schema: "simple" };
    const plain = { ...shipped, temperature: null, reasoning: null, max_tokens: 1_000 };
    expect(settings("bob")).toEqual(plain);
    const all = ["llm.reasoning=off", "llm.max_tokens=700", "llm.default_model=openai/x"];
    const ofAll = { model: "openai/x", reasoning: "off", max_tokens: 700 };
    expect(settings("bob", ...all)).toEqual({ ...plain, ...ofAll });
    expect(settings("bob", ...all, ...DEFAULTS)).toEqual({
      model: "openai/x",
      cognitive_schema: "ooda",
      temperature: 0.3,
      reasoning: "low",
      max_tokens: 300,
    });
    const { mind: _, llm_model: model, ...own } = OWN;
    expect(settings("ann", ...all, ...DEFAULTS)).toEqual({ model, ...own });
    const { out } = sim(run.folder, "agents", "preview", "bob", ...setFlags(...DEFAULTS));
    expect(out).toContain("situation_assessment");
    expect(out.trimEnd().split("\n").at(-1)).toBe(
      "model gemini/gemini-3-flash-preview, cognitive_schema ooda, temperature 0.3, " +
        "reasoning low, max_tokens 300",
    );
  });
});

it("the flag --model replaces a default model of agents in a file", async () => {
  const folder = emptyFolder();
  const server = await startModelServer(() => NOOP);
  onTestFinished(() => server.close());
  writePersonas(join(folder, "agents"), { bob: LLM });
  const file = "agents: { defaults: { llm_model: openai-compatible/filed } }\n";
  writeFileSync(join(folder, "config.yaml"), file);
  const modelsOf = async (...flags: readonly string[]) => {
    const from = server.calls.length;
    const said = await startSimWith({}, folder, [...RUN, ...settingsAt(server), ...flags]).ended;
    expect(said.code).toBe(0);
    return new Set(server.calls.slice(from).map(({ model }) => model));
  };
  expect(await modelsOf()).toEqual(new Set(["filed"]));
  const flagged = await modelsOf("--model", "openai-compatible/flagged");
  expect(flagged).toEqual(new Set(["flagged"]));
});

describe("reasoning that a model cannot switch off", () => {
  it("is noted once, and not in the journal", async () => {
    const agents = { ann: { ...LLM, reasoning: "off" }, bob: { ...LLM, reasoning: "off" } };
    const flags = ["--model", "gemini/gemini-3-flash-preview"];
    const { folder, server, said } = await ran(agents, () => NOOP, { flags });
    onTestFinished(() => server.close());
    expect(said.code).toBe(0);
    expect(server.calls.length).toBeGreaterThan(3);
    expect(said.err.split("\n").filter((line) => line.includes("reasoning"))).toEqual([
      "note: google/gemini-3-flash-preview cannot switch reasoning off; " +
        "it reasons as little as it can, within max_tokens",
    ]);
    expect(sim(folder, "events", "first", "--kind", "warning_raised").out).toBe("");
  });
});

describe("reasoning that a server refuses", () => {
  it("is omitted from then on, no thought fails, and a replay has the same journal", async () => {
    const script: Script = ({ body }) =>
      body.reasoning_effort === undefined
        ? NOOP
        : { status: 400, message: '"tiny" does not support thinking' };
    const sets = ["llm.reasoning=medium"];
    const flags = ["--model", "ollama/tiny"];
    const { folder, server, said } = await ran({ ann: LLM, bob: LLM }, script, { flags, sets });
    onTestFinished(() => server.close());
    const report = JSON.parse(said.out);
    expect(report.thinking).toMatchObject({ failed: 0 });
    const why = "openai-compatible/tiny refuses `reasoning: medium`; its requests are sent without";
    expect(said.err.match(/refuses/g)).toHaveLength(1);
    expect(said.err).toContain(`note: ${why} this setting\n`);
    const refused = server.calls.filter(({ body }) => body.reasoning_effort !== undefined);
    expect(refused.length).toBeLessThanOrEqual(2);
    const again = [...flags, "--replay-models", "first", "--name", "again"];
    const all = [...RUN, ...settingsAt(server, ...sets), ...again];
    const replayed = await startSimWith({}, folder, all).ended;
    expect(JSON.parse(replayed.out).journal_hash).toBe(report.journal_hash);
    expect(replayed.err).not.toContain("refuses");
  });
});

it("a reply that reasoning cut off gives advice, once", async () => {
  const usage = { input: 10, output: 1_000, reasoning: 990 };
  const script: Script = () => ({ text: '{"thought', ending: "length", usage });
  const flags = ["--model", "google/tiny"];
  const { server, said } = await ran({ ann: LLM }, script, { flags });
  onTestFinished(() => server.close());
  expect(said.err.split("\n").filter((line) => line.startsWith("warning"))).toEqual([
    expect.stringMatching(
      /^warning: ann could not think at .*; 990 of 1000 tokens were reasoning; /,
    ),
  ]);
  expect(said.err).toContain("; or set reasoning, which then has its own tokens\n");
  expect(said.err.match(/raise max_tokens/g)).toHaveLength(1);
});

describe("the prompt cache of Anthropic", () => {
  it("is marked in each request, and what is written to it has its price", async () => {
    const usage = { input: 1_000, cached: 600, cacheWrite: 300, output: 50 };
    const flags = ["--model", "anthropic/claude-haiku-4-5"];
    const agents = { ann: { ...LLM, reasoning: "low" } };
    const { folder, server, said } = await ran(agents, () => ({ ...NOOP, usage }), { flags });
    onTestFinished(() => server.close());
    const { calls } = server;
    for (const { body } of calls) {
      expect(body).toMatchObject({
        system: [{ type: "text", cache_control: { type: "ephemeral" } }],
        thinking: { type: "enabled", budget_tokens: 1_024 },
        max_tokens: 2_024,
      });
    }
    // Input 100 × 1, read 600 × 0.1, written 300 × 1.25, output 50 × 5.
    const micros = calls.length * (100 + 60 + 375 + 250);
    const report = JSON.parse(said.out);
    expect(report.thinking.cost_usd).toBeCloseTo(micros / 1e6, 9);
    expect(report.agents).toMatchObject([{ id: "ann", llm_budget_micros: 5e5 - micros }]);
    expect(jsonOf(folder, "report", "first").model_calls).toMatchObject({
      cached_input_tokens: 600 * calls.length,
      cache_write_tokens: 300 * calls.length,
      by_model: [{ model: "anthropic/claude-haiku-4-5", unpriced: 0 }],
    });
  });
});

it("sim run --estimate counts the tokens for reasoning", () => {
  const folder = emptyFolder();
  writePersonas(join(folder, "agents"), { ann: LLM, bob: { ...LLM, reasoning: 2_000 } });
  const estimate = (...sets: readonly string[]) =>
    jsonOf(folder, "run", "--estimate", "--duration", "60", ...setFlags(...sets)).agents;
  const [plain] = estimate();
  const [ann, bob] = estimate("llm.reasoning=medium");
  expect([plain, ann, bob].map((each) => each.reasoning_tokens)).toEqual([0, 4_096, 2_000]);
  // Output of the shipped model costs 3 USD a million tokens.
  expect(ann.cost_per_call_usd).toBeCloseTo(plain.cost_per_call_usd + (3 * 4_096) / 1e6, 6);
  const { out } = sim(folder, "run", "--estimate", ...setFlags("llm.reasoning=medium"));
  expect(out).toMatch(
    /^agent\tmodel\tprompt \(tokens\)\t.*\ttotal \(USD\)\twith full prompts \(USD\)\n/,
  );
  expect(out).toContain("\t300\t4096\t");
});

it.each([
  ["reasoning: sometimes", /agents\/a\/agent.yaml:3:12: `reasoning` must be one of off, low, /],
  ["reasoning: 10", /agents\/a\/agent.yaml:3:12: `reasoning` must be at least 1024, not 10/],
])("a persona with `%s` is refused in one line", (line, message) => {
  const folder = emptyFolder();
  writePersonas(join(folder, "agents"), { a: LLM });
  writeFileSync(join(folder, "agents/a/agent.yaml"), `id: a\nmind: llm\n${line}\n`);
  expectRefusal(sim(folder, "run", "--clock", "virtual", "--duration", "1"), 2, message);
});
