import { cpSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { must } from "../../src/kernel/index.ts";
import { acting, NOOP, writePersonas } from "../support/model-run.ts";
import { faults } from "../support/model-server/faults.ts";
import {
  askerOf,
  type ModelServer,
  type Provider,
  type Script,
  type ServedCall,
  startModelServer,
} from "../support/model-server/model-server.ts";
import {
  emptyFolder,
  type SimResult,
  setFlags,
  sim,
  startSim,
  startSimWith,
} from "../support/sim.ts";

const PROVIDERS: readonly Provider[] = ["google", "anthropic", "openai", "openai-compatible"];
const KEYS = {
  GOOGLE_GENERATIVE_AI_API_KEY: "AIza-some-secret",
  ANTHROPIC_API_KEY: "sk-ant-some-secret",
  OPENAI_API_KEY: "sk-open-some-secret",
  OPENAI_COMPATIBLE_API_KEY: "gateway-some-secret",
};

const report = z.object({
  stopped_by: z.string(),
  journal_hash: z.string(),
  state_hash: z.string(),
  thinking: z.object({ calls: z.int(), failed: z.int(), cost_usd: z.number() }),
  economy: z.object({ invocations_paid: z.int() }),
  agents: z.array(z.object({ id: z.string(), scrip: z.int(), llm_budget_micros: z.int() })),
});
const reportOf = ({ out }: SimResult) => report.parse(JSON.parse(out));

const open: ModelServer[] = [];
afterAll(() => Promise.all(open.map((server) => server.close())));
const serving = async (script: Script): Promise<ModelServer> => {
  const server = await startModelServer(script);
  open.push(server);
  return server;
};

/** Every provider at the server and without limits, and a model `tiny` with a price. */
const settingsFor = (server: ModelServer): readonly string[] =>
  setFlags(
    ...PROVIDERS.flatMap((provider) => [
      `llm.providers.${provider}.base_url=${server.baseUrl(provider)}`,
      `llm.providers.${provider}.requests_per_minute=null`,
    ]),
    "llm.pricing={tiny: {input: 1, output: 2, cached_input: 0.1}}",
    "virtual.think_ms.llm=[1000,1000]",
    "mint.tasks=[]",
  );

const AGENTS_LLM = join(import.meta.dirname, "../../agents-llm");

const RUN = ["run", "--clock", "virtual", "--duration", "8", "--json"];

/** A maker sells an adder, and a buyer that sees it on the market calls it once. */
const market = (call: ServedCall) => {
  const usage = { input: 1_000, cached: 400, output: 50, reasoning: 20 };
  const { prompt } = call;
  if (askerOf(call) === "maker" && !prompt.includes("write_artifact(adder)")) {
    const code = "function run(a, b) { return a + b }";
    return { ...acting({ write_artifact: { artifact_id: "adder", code, price: 3 } }), usage };
  }
  const isOffered = prompt.includes("- adder (program of maker; call 3;");
  const isDone = prompt.includes("invoke_artifact(adder.run)");
  return askerOf(call) === "buyer" && isOffered && !isDone
    ? { ...acting({ invoke_artifact: { artifact_id: "adder", args: [2, 3] } }), usage }
    : { ...NOOP, usage };
};
const COST_MICROS = 600 + 40 + 2 * 50;

const TRADERS = { maker: { mind: "llm" }, buyer: { mind: "llm" } };

type Ran = { readonly folder: string; readonly server: ModelServer; readonly said: SimResult };

const ranOn = async (provider: Provider): Promise<Ran> => {
  const folder = emptyFolder();
  const server = await serving(market);
  writePersonas(join(folder, "agents"), TRADERS);
  // The shipped embedder takes its time; once is enough.
  const embedder = provider === "anthropic" ? [] : setFlags("memory.embedder=hashed");
  const flags = ["--model", `${provider}/tiny`, "--name", "first", ...embedder];
  const said = await startSimWith(KEYS, folder, [...RUN, ...settingsFor(server), ...flags]).ended;
  return { folder, server, said };
};

describe("agents on models", () => {
  const runs = new Map<Provider, Ran>();
  beforeAll(async () => {
    for (const provider of PROVIDERS) runs.set(provider, await ranOn(provider));
  });
  const on = (provider: Provider): Ran => must(runs.get(provider), "it ran");
  const promptsOf = ({ server }: Ran, id: string): readonly string[] =>
    server.calls.filter((call) => askerOf(call) === id).map(({ prompt }) => prompt);

  it.each(PROVIDERS)("of %s read the market and trade on it", (provider) => {
    const { server, said } = on(provider);
    const ran = reportOf(said);
    expect(said.code).toBe(0);
    expect(ran.stopped_by).toBe("duration");
    expect(ran.economy.invocations_paid).toBe(1);
    expect(ran.agents).toMatchObject([
      { id: "buyer", scrip: 97 },
      { id: "maker", scrip: 103 },
    ]);
    const prompts = promptsOf(on(provider), "buyer");
    expect(prompts[0]).not.toContain("adder");
    expect(prompts.at(-1)).toContain("invoke_artifact(adder.run) -> SUCCESS");
    expect(new Set(server.calls.map(({ model }) => model))).toEqual(new Set(["tiny"]));
  });

  it.each(PROVIDERS)("of %s pay for calls to the micro-dollar, less if cached", (provider) => {
    const { server, said } = on(provider);
    const { thinking, agents } = reportOf(said);
    expect(thinking).toMatchObject({ calls: server.calls.length, failed: 0 });
    expect(thinking.cost_usd).toBeCloseTo((server.calls.length * COST_MICROS) / 1e6, 9);
    for (const { id, llm_budget_micros } of agents) {
      expect(llm_budget_micros).toBe(5e5 - promptsOf(on(provider), id).length * COST_MICROS);
    }
  });

  it.each(PROVIDERS)("of %s remember what they did", (provider) => {
    expect(promptsOf(on(provider), "buyer").at(-1)).toMatch(
      /## Your relevant memories\n<data>\n[^<]*Agent buyer performed invoke_artifact adder/,
    );
    const embedder = provider === "anthropic" ? "offline-" : "hashed-";
    const index = join(on(provider).folder, "runs/first/memory.db");
    expect(filesWith(on(provider).folder, embedder)).toContain(index);
  });

  it.each(PROVIDERS)("of %s use a key that is never stored or printed", (provider) => {
    const { folder, server, said } = on(provider);
    const keys = new Set(server.calls.map(({ key }) => key));
    const [key = ""] = keys;
    expect(keys.size).toBe(1);
    expect(Object.values(KEYS)).toContain(key);
    expect(said.out + said.err).not.toContain("some-secret");
    expect(filesWith(folder, "some-secret")).toEqual([]);
    expect(filesWith(folder, "function run(a, b)")).not.toEqual([]);
  });

  it("repeat the run with --replay-models, without a key or a provider", async () => {
    const { folder, server, said } = on("google");
    const first = reportOf(said);
    const before = server.calls.length;
    const replayed = (name: string): Promise<SimResult> => {
      const flags = ["--model", "google/tiny", "--replay-models", "first", "--name", name];
      const sets = [...settingsFor(server), ...setFlags("memory.embedder=hashed")];
      return startSimWith({}, folder, [...RUN, ...sets, ...flags]).ended;
    };
    const all = `${first.thinking.calls} model calls answered from the recording`;
    for (const again of await Promise.all([replayed("second"), replayed("third")])) {
      expect(again.code).toBe(0);
      expect(again.err).toContain(`note: ${all}, 0 not found in it, 0 records`);
      const { journal_hash, state_hash, thinking } = first;
      expect(reportOf(again)).toMatchObject({ journal_hash, state_hash, thinking });
    }
    expect(server.calls).toHaveLength(before);
    expect(sim(folder, "verify", "third").code).toBe(0);
  });

  it("report which calls are not in a recording and which records are unused", async () => {
    const { folder, server } = on("google");
    const sets = [...settingsFor(server), "--set", "memory.embedder=google/gemini-embedding-001"];
    const flags = ["--model", "openai/tiny", "--replay-models", "first", "--name", "other"];
    const run = ["run", "--clock", "virtual", "--duration", "2"];
    const said = await startSimWith({}, folder, [...run, ...sets, ...flags]).ended;
    const counts = /(\d+) model calls answered .*, (\d+) not found in it, (\d+) records/;
    for (const text of [said.out, said.err]) {
      const [, hits, misses, left] = counts.exec(text) ?? [];
      expect([Number(hits), Number(misses) > 0, Number(left) > 0]).toEqual([0, true, true]);
    }
    expect(said.err).toContain("note: a replay does not call google/gemini-embedding-001");
  });

  it("do not start from a damaged recording, and sim verify reports it", async () => {
    const { folder, server } = on("openai");
    cpSync(join(folder, "runs/first"), join(folder, "runs/damaged"), { recursive: true });
    const database = new DatabaseSync(join(folder, "runs/damaged/journal.db"));
    database.exec("UPDATE model_calls SET body = substr(body, 1, 100) WHERE id = 2");
    database.close();
    const flags = ["--model", "openai/tiny", "--replay-models", "damaged", "--name", "never"];
    const said = await startSimWith({}, folder, [...RUN, ...settingsFor(server), ...flags]).ended;
    expect(said).toMatchObject({ code: 2, out: "" });
    expect(said.err).toMatch(/^sim: record 2 of run damaged is damaged: .+\n$/);
    expect(readdirSync(join(folder, "runs"))).not.toContain("never");
    const verified = sim(folder, "verify", "damaged");
    expect(verified.code).toBe(1);
    expect(verified.out).toMatch(/FAILS\tmodel-calls\trecord 2: /);
  });
});

function filesWith(folder: string, text: string): readonly string[] {
  return readdirSync(join(folder, "runs"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => readFileSync(file).includes(text));
}

describe("the shipped workflows", () => {
  const folder = emptyFolder();
  let server: ModelServer;
  let said: SimResult;
  beforeAll(async () => {
    server = await serving(steps);
    const flags = ["--model", "openai-compatible/tiny", "--name", "steps", "--duration", "25"];
    const who = ["--agents", AGENTS_LLM, "--only", "alpha_2,beta_2"];
    const sets = setFlags("memory.embedder=hashed", "resources.windows.llm_calls=100");
    const all = [...RUN, ...settingsFor(server), ...sets, ...flags, ...who];
    said = await startSimWith({}, folder, all).ended;
  });
  const promptsOf = (id: string): readonly string[] =>
    server.calls.filter((call) => askerOf(call) === id).map(({ prompt }) => prompt);

  /** Steps differ by their prompts. Alpha looks for iron after six successful actions. */
  let decisions = 0;
  const steps = (call: ServedCall) => {
    const { prompt } = call;
    const json = (value: object) => ({ text: JSON.stringify(value) });
    if (prompt.includes("Audit your own strategy")) {
      return json({ working: "little", not_working: "iron", verdict: "pivot" });
    }
    if (prompt.includes("Settle on a goal")) {
      return json({ goal: "sell", strategy: "go to the baker", first_step: "look for iron" });
    }
    if (prompt.includes("It is time to look up")) {
      const next = { strategic_goal: "own a mill", next_subgoal: "grind flour" };
      return json({ assessment: "slow", ...next, lesson: "grain first" });
    }
    if (prompt.includes("Name the one next step")) return json({ next_step: "grind", uses: [] });
    if (askerOf(call) === "beta_2") return NOOP;
    decisions += 1;
    const isWarned = prompt.includes("that is the action that just failed");
    const isFine = decisions <= 6 || isWarned;
    return acting(isFine ? { noop: {} } : { read_artifact: { artifact_id: "iron" } });
  };

  it("alpha_2 audits itself, and pivots when it is stuck", () => {
    expect(said.code).toBe(0);
    const prompts = promptsOf("alpha_2");
    const audits = prompts.filter((prompt) => prompt.includes("Audit your own strategy"));
    expect(audits.length).toBeGreaterThan(4);
    expect(audits[0]).toContain("Stuck in a loop: false. You should pivot: false.");
    expect(audits.join()).toContain("Stuck in a loop: true.");
    expect(prompts.join()).toContain("that is the action that just failed");
    expect(prompts.join()).toMatch(/You have pivoted [1-9]\d* times/);
    const last = prompts.findLast((prompt) => prompt.includes("Settle on a goal"));
    expect(last).toContain("Your strategy up to now: go to the baker");
  });

  it("beta_2 keeps its goals in its working memory, and reviews them", () => {
    const prompts = promptsOf("beta_2");
    expect(prompts.join()).toContain("It is time to look up");
    expect(prompts.at(-1)).toContain("own a mill");
    const decisions = prompts.filter((prompt) => prompt.includes("Your next step: grind"));
    expect(decisions.length).toBeGreaterThan(2);
    expect(decisions.at(-1)).toMatch(/## Your working memory\n<data>\n[^<]*grind flour/);
    const artifact = sim(folder, "state", "steps", "beta_2_working_memory", "--json");
    expect(artifact.out).toContain("own a mill");
  });

  it("every step is paid for, and no thought fails", () => {
    const { thinking, agents } = reportOf(said);
    expect(server.calls.length).toBeGreaterThan(2 * thinking.calls);
    expect(thinking.failed).toBe(0);
    expect(thinking.cost_usd).toBeCloseTo((server.calls.length * 30) / 1e6, 9);
    for (const { id, llm_budget_micros } of agents) {
      expect(llm_budget_micros).toBe(5e5 - promptsOf(id).length * 30);
    }
  });
});

it("stopping during a call that hangs is clean and has the exit code of the signal", async () => {
  const folder = emptyFolder();
  writePersonas(join(folder, "agents"), TRADERS);
  const server = await serving(() => faults.hang());
  const patient = ["llm.timeout_s=600", "timeouts.shutdown_s=600"];
  const sets = setFlags("memory.embedder=hashed", ...patient);
  const flags = ["--clock", "wall", "--duration", "600", "--model", "openai-compatible/tiny"];
  const all = ["run", "--json", ...settingsFor(server), ...sets, ...flags];
  const running = startSim(folder, ...all);
  await server.arrived(2);
  running.kill("SIGINT");
  const said = await running.ended;
  expect(said.code).toBe(130);
  expect(reportOf(said)).toMatchObject({ stopped_by: "signal", thinking: { failed: 0 } });
});

const LOCAL = ["--model", "ollama/llama3"];
const BAD: readonly (readonly [flags: readonly string[], why: RegExp])[] = [
  [
    [],
    /^sim: no key for google\/gemini-3-flash-preview: set .* GOOGLE_GENERATIVE_AI_API_KEY; .*\n$/,
  ],
  [["--model", "skynet/t800"], /^sim: .*skynet.*\n$/],
  [
    [...LOCAL, ...setFlags("llm.providers.openai-compatible.base_url=localhost:11434")],
    /^sim: .*base_url must be an address that begins with http:\/\/ or https:\/\/\n$/,
  ],
  [
    [...LOCAL, ...setFlags("llm.providers.openai-compatible.base_url=http://127.0.0.1:6000/v1")],
    /^sim: .*base_url has the port 6000, which fetch blocks\n$/,
  ],
  [
    ["--set", "llm.providers.openai.base_url=https://example.com/v1?key=hunter2"],
    /^(?!.*hunter2).*base_url. must not hold a query .*; put a key into api_key_env.*\n$/,
  ],
  [
    ["--set", "memory.qdrant.url=http://me:hunter2@127.0.0.1:6333"],
    /^(?!.*hunter2).*qdrant\.url. must not hold a name or password.*\n$/,
  ],
  [
    ["--replay-models", "mute"],
    /^sim: run mute has no recorded model calls; omit --replay-models$/m,
  ],
];

it("a missing key names the agents that need it, and the ways to run without it", () => {
  const folder = emptyFolder();
  const script = [{ noop: {} }];
  const flash = "anthropic/claude-haiku-4-5";
  writePersonas(join(folder, "agents"), {
    ann: { mind: "llm" },
    bob: { mind: "script", script },
    cas: { mind: "script", script, count: 3 },
    dan: { mind: "llm", count: 2, llm_model: flash },
  });
  const why = (variable: string, who: string, ways: string): string =>
    `environment variable ${variable}; ${who}. To run without the key, ${ways}`;
  const ran = sim(folder, "run", "--duration", "1");
  expect(ran.err.trim().split("\n")).toEqual([
    `sim: no key for google/gemini-3-flash-preview: set the ${why(
      "GOOGLE_GENERATIVE_AI_API_KEY",
      "ann needs it",
      "add --model mock, or run the others with --only bob,cas",
    )}`,
    `sim: no key for ${flash}: set the ${why(
      "ANTHROPIC_API_KEY",
      "dan needs it",
      "set llm_model: mock in agent.yaml, or run the others with --only bob,cas",
    )}`,
  ]);
  expect(sim(folder, "run", "--duration", "1", "--only", "bob,cas", "--quiet").code).toBe(0);
});

it("a run that cannot call its models prints the reason and leaves no files", async () => {
  const folder = emptyFolder();
  writePersonas(join(folder, "agents"), TRADERS);
  writePersonas(join(folder, "scripted"), { zed: { mind: "script", script: [{ noop: {} }] } });
  const run = ["run", "--clock", "virtual", "--duration", "1"];
  expect(sim(folder, ...run, "--agents", "scripted", "--name", "mute").code).toBe(0);
  const ended = BAD.map(([flags]) => startSimWith({}, folder, [...run, ...flags]).ended);
  for (const [at, said] of (await Promise.all(ended)).entries()) {
    const [flags, why] = must(BAD[at], "one for each");
    expect(said, flags.join(" ")).toMatchObject({ code: 2, out: "" });
    expect(said.err).toMatch(why);
  }
  expect(readdirSync(join(folder, "runs"))).toEqual(["mute"]);
});
