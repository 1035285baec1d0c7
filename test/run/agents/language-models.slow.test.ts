import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { asId } from "../../../src/kernel/index.ts";
import {
  acting,
  inTurn,
  type ModelRun,
  type ModelRunPlan,
  NOOP,
  type Personas,
  runModels,
} from "../../support/model-run.ts";
import { faults } from "../../support/model-server/faults.ts";
import type { Script } from "../../support/model-server/model-server.ts";
import { openAiChatWire } from "../../support/model-server/openai-chat-wire.ts";

const THINKER = { mind: "llm" };
/** 1 micro-dollar for a token of a prompt, 2 for one of a reply, a tenth for what was cached. */
const PRICED = "llm.pricing={tiny: {input: 1, output: 2, cached_input: 0.1}}";
const QUIET = "memory.backend=none";

const used = (input: number, output: number, cached = 0) => ({
  ...NOOP,
  usage: { input, output, cached },
});

/** A run of ann, who does nothing on a model. */
const annRuns = (sets: readonly string[], more: Partial<ModelRunPlan> = {}): Promise<ModelRun> =>
  runModels({ agents: { ann: THINKER }, script: () => NOOP, sets, ...more });

describe("the budget of a run", () => {
  it.each(["virtual", "wall"])("is never exceeded (%s clock)", async (clock) => {
    const run = await runModels({
      agents: Object.fromEntries(["ann", "bob", "cyd", "dan", "eve"].map((id) => [id, THINKER])),
      script: ({ n }) => used(2_000 + 100 * n, 300),
      sets: [`run.clock=${clock}`, "run.duration_s=600", "budget.max_api_cost_usd=0.05", PRICED],
    });
    expect(run.result.stoppedBy).toBe("max_cost");
    const spent = run.recorded.reduce((sum, { costMicros }) => sum + costMicros, 0);
    expect(spent).toBeLessThanOrEqual(50_000);
    expect(spent).toBeGreaterThan(20_000);
    expect(run.recorded.at(-1)?.reply).toMatchObject({ ok: false, fault: "over_budget" });
    const asked = run.recorded.filter(({ reply }) => reply.ok);
    expect(run.served.length).toBeGreaterThanOrEqual(asked.length);
    expect(run.replayedHash).toBe(run.result.stateHash);
  });

  it("can be zero: then no request is sent", async () => {
    const run = await annRuns(["budget.max_api_cost_usd=0", PRICED]);
    expect(run.result.stoppedBy).toBe("max_cost");
    expect(run.served).toEqual([]);
  });
});

describe("the windows of an agent", () => {
  it("of llm_calls and llm_tokens limit how often it thinks", async () => {
    const thirst = async (window: string) => {
      const sets = ["run.duration_s=100", `resources.windows.${window}`, PRICED, QUIET];
      const run = await annRuns(sets, { script: () => used(3_000, 500) });
      expect(run.of("agent_rate_limited", "ann").length).toBeGreaterThan(0);
      expect(run.of("thought_failed", "ann")).toEqual([]);
      return {
        limits: new Set(run.of("agent_rate_limited", "ann").map(({ resource }) => resource)),
        thoughts: run.of("thought_completed", "ann").map(({ at_ms }) => at_ms),
      };
    };
    const calls = await thirst("llm_calls=3");
    expect([...calls.limits]).toEqual(["llm_calls"]);
    expect(mostInAMinute(calls.thoughts)).toBe(3);
    expect(calls.thoughts.length).toBeGreaterThan(3);
    // Two thoughts leave 5,000, which is what the third one takes at most; then it is 1,500.
    const tokens = await thirst("llm_tokens=12000");
    expect([...tokens.limits]).toEqual(["llm_tokens"]);
    expect(mostInAMinute(tokens.thoughts)).toBe(3);
  });

  it("are checked for a whole thought, so that no workflow is cut off", async () => {
    const ask = (name: string) => ({ name, type: "llm", prompt: "Think.", schema: "text" });
    const act = { name: "act", type: "llm", prompt: "Act." };
    const ann = { mind: "workflow", workflow: { steps: [ask("one"), ask("two"), act] } };
    const sets = ["run.duration_s=70", "resources.windows.llm_calls=8", QUIET];
    const run = await annRuns(sets, { agents: { ann } });
    expect(run.of("thought_failed")).toEqual([]);
    expect(run.of("agent_rate_limited", "ann")[0]).toMatchObject({ resource: "llm_calls" });
    expect(run.of("thought_completed", "ann").length).toBeGreaterThan(2);
    expect(run.served).toHaveLength(3 * run.of("thought_completed", "ann").length);
  });

  it("max_model_calls limits the calls of one thought", async () => {
    const sets = ["llm.repair_attempts=9", "llm.max_model_calls=3", "run.duration_s=3", QUIET];
    const run = await annRuns(sets, { script: () => ({ text: "no" }) });
    expect(run.of("thought_failed", "ann")[0]).toMatchObject({
      reason: "insufficient_llm_tokens",
      message: expect.stringContaining("a thought may make at most 3 model calls"),
      usage: { calls: 3 },
    });
    expect(run.served).toHaveLength(3 * run.of("thought_failed", "ann").length);
  });
});

describe("a run on recorded calls", () => {
  const KEY = "AIza-some-key";
  const AGENTS = {
    ann: { ...THINKER, llm_model: "google/tiny" },
    bob: { ...THINKER, cognitive_schema: "ooda" },
    cyd: { ...THINKER, temperature: 0.5 },
  };
  // Long enough a latency that it shows in run time.
  const SETS = [
    "run.duration_s=8",
    "virtual.think_ms.llm=recorded",
    "agent.loop.min_delay_s=0.5",
    "agent.loop.max_consecutive_errors=3",
    "llm.providers.google.requests_per_minute=null",
  ];

  const recorded = (): Promise<ModelRun> => {
    const make = acting({ write_artifact: { artifact_id: "adder", code: "function run() {}" } });
    const lost = acting({ read_artifact: { artifact_id: "iron" } }, { sleep: { for_s: 1 } });
    const turns = inTurn({
      ann: [make, faults.serverError(), lost, { text: "no" }, lost, faults.contextTooLong()],
      bob: [
        acting({ read_artifact: { artifact_id: "adder" } }),
        lost,
        { text: "no" },
        { text: "" },
      ],
      cyd: [faults.rateLimited(), acting({ invoke_artifact: { artifact_id: "adder" } })],
    });
    const script: Script = async (call) => {
      await new Promise((resolve) => setTimeout(resolve, call.n % 7));
      return turns(call);
    };
    const env = { GOOGLE_GENERATIVE_AI_API_KEY: KEY };
    return runModels({ agents: AGENTS, script, sets: SETS, env });
  };

  const again = (from: ModelRun, agents: Personas = AGENTS): Promise<ModelRun> =>
    annRuns(SETS, { agents, replay: from.recorded });

  let first: ModelRun;
  beforeAll(async () => {
    first = await recorded();
  });

  it("equals the recorded run, without a key or a request", async () => {
    expect(first.of("thought_failed").length).toBeGreaterThan(0);
    expect(first.of("action_completed").length).toBeGreaterThan(5);
    expect(first.promptsOf("ann").at(-1)).toContain("Your relevant memories");
    const latencies = first.recorded.filter(({ request }) => request.agent === "cyd");
    const thoughts = first.of("thought_completed", "cyd");
    const took = thoughts.map(({ act_at_ms, at_ms }) => Number(act_at_ms) - at_ms);
    expect(took).toEqual(latencies.map(({ reply }) => reply.latencyMs).slice(0, took.length));
    expect(took.some((ms) => ms > 0)).toBe(true);
    const second = await again(first);
    const third = await again(second);
    for (const run of [second, third]) {
      expect(run.served).toEqual([]);
      expect(run.result.journalHash).toBe(first.result.journalHash);
      expect(run.result.stateHash).toBe(first.result.stateHash);
      expect(run.recorded).toEqual(first.recorded);
    }
  });

  it("fails thoughts that are not recorded, and sends no request", async () => {
    const run = await again(first, { ...AGENTS, cyd: { ...AGENTS.cyd, system_prompt: "Bake." } });
    const failures = run.of("thought_failed", "cyd");
    expect(failures[0]).toMatchObject({
      reason: "llm_error",
      message: 'not_recorded: the recording has no reply for this "decide" call of cyd',
    });
    expect(run.state.agents.get(asId("cyd"))?.state).toBe("paused");
    expect(failures).toHaveLength(3);
    expect(run.result.problem).toBeNull();
    expect(run.replayedHash).toBe(run.result.stateHash);
    expect(run.served).toEqual([]);
  });
});

describe("many agents on one key", () => {
  afterEach(() => void vi.useRealTimers());

  /** A provider that takes two seconds, and the moments at which it was asked. */
  const slowProvider = () => {
    const startsMs: number[] = [];
    const fetch: typeof globalThis.fetch = (_address, init) =>
      new Promise((resolve, reject) => {
        startsMs.push(performance.now());
        init?.signal?.addEventListener("abort", () => reject(init.signal?.reason));
        const reply = () => Response.json(openAiChatWire.reply(acting({ noop: {} }), "tiny"));
        setTimeout(() => resolve(reply()), 2_000);
      });
    return { startsMs, fetch };
  };

  it("respect its rate limit, share it fairly and stop at once", async () => {
    // So that what is loaded on first use is there before time stands still.
    await annRuns(["run.duration_s=1"]);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance", "Date"] });
    const ids = Array.from({ length: 200 }, (_, n) => `agent_${n}`);
    const { startsMs, fetch } = slowProvider();
    const run = await runModels({
      agents: Object.fromEntries(ids.map((id) => [id, THINKER])),
      script: () => NOOP,
      fetch,
      sets: [
        "run.clock=wall",
        "run.duration_s=3600",
        "llm.providers.openai-compatible.requests_per_minute=60",
        "health.every_s=3600",
        QUIET,
      ],
      meanwhile: async (runner) => {
        await passed(260_000);
        runner.stop("signal");
        // Time for the journal to write the calls that the stop cuts off, and for nothing more.
        await passed(100);
      },
    });
    expect(run.result.stoppedBy).toBe("signal");
    expect(startsMs.length).toBeGreaterThan(220);
    expect(mostInAMinute(startsMs)).toBeLessThanOrEqual(60);
    const thoughts = ids.map((id) => run.of("thought_completed", id).length);
    expect(Math.min(...thoughts)).toBeGreaterThanOrEqual(1);
    expect(Math.max(...thoughts) / Math.min(...thoughts)).toBeLessThanOrEqual(2);
  });
});

describe("a provider that embeds what agents remember", () => {
  const AT_PROVIDER = [
    "memory.embedder=openai-compatible/vectors",
    "llm.pricing={tiny: {input: 1, output: 2}, vectors: {input: 100, output: 0}}",
    "run.duration_s=6",
  ];
  const isEmbedding = ({ request }: { request: { purpose: string } }): boolean =>
    request.purpose === "embed";

  it("is paid by the run and recorded without vectors", async () => {
    const run = await annRuns(AT_PROVIDER);
    const embeddings = run.recorded.filter(isEmbedding);
    const served = run.served.filter(({ texts }) => texts !== undefined);
    expect(embeddings.length).toBeGreaterThan(1);
    expect(served).toHaveLength(embeddings.length);
    for (const [at, { request, reply, costMicros }] of embeddings.entries()) {
      const texts = served[at]?.texts ?? [];
      expect(request).toMatchObject({ agent: null, form: "vectors" });
      expect(JSON.parse(request.prompt)).toEqual(texts);
      expect(reply).toMatchObject({ ok: true, text: "", usage: { input: 10 * texts.length } });
      expect(costMicros).toBe(1_000 * texts.length);
    }
    expect(run.promptsOf("ann").at(-1)).toContain("Your relevant memories");
    expect(run.replayedHash).toBe(run.result.stateHash);
  });

  it("is not called beyond the budget of the run", async () => {
    const run = await annRuns([...AT_PROVIDER, "budget.max_api_cost_usd=0.02"]);
    expect(run.result.stoppedBy).toBe("max_cost");
    const spent = run.recorded.reduce((sum, { costMicros }) => sum + costMicros, 0);
    expect(spent).toBeLessThanOrEqual(20_000);
  });

  it("is not called in a replay", async () => {
    const first = await annRuns(AT_PROVIDER);
    const again = await annRuns(AT_PROVIDER, { replay: first.recorded });
    expect(again.served).toEqual([]);
    expect(again.recorded.filter(isEmbedding)).toEqual([]);
    expect(again.of("thought_completed", "ann").length).toBeGreaterThan(0);
  });

  const PATIENT = [...AT_PROVIDER, "llm.timeout_s=600", "timeouts.shutdown_s=1"];
  const hanging: Script = ({ texts }) => (texts === undefined ? NOOP : faults.hang());

  it("and hangs delays a thought by at most memory.timeout_s", async () => {
    const agents = { ann: THINKER, bob: THINKER };
    const run = await annRuns([...PATIENT, "memory.timeout_s=0.2"], { agents, script: hanging });
    expect(run.result).toMatchObject({ stoppedBy: "duration", problem: null });
    expect(run.of("thought_completed", "ann").length).toBeGreaterThan(2);
    expect(run.of("warning_raised")).toMatchObject([
      { text: "agents cannot recall memories for now: the search took longer than 0.2 s" },
    ]);
  });

  it("and hangs does not delay a stop", async () => {
    const run = await annRuns([...PATIENT, "memory.timeout_s=600"], {
      script: hanging,
      meanwhile: async (runner, arrived) => {
        await arrived(1);
        runner.stop("signal");
      },
    });
    expect(run.result).toMatchObject({ stoppedBy: "signal", problem: null });
    expect(run.recorded).toMatchObject([{ reply: { ok: false, fault: "cancelled" } }]);
    expect(run.replayedHash).toBe(run.result.stateHash);
  });
});

/** Advances the fake time in steps, with turns of the event loop between them. */
async function passed(wholeMs: number): Promise<void> {
  const [stepMs, turns] = [100, 4];
  for (let atMs = 0; atMs < wholeMs; atMs += stepMs) {
    await vi.advanceTimersByTimeAsync(stepMs);
    for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
  }
}

/** The most moments that lie within any 60 s. */
function mostInAMinute(momentsMs: readonly number[]): number {
  const since = (fromMs: number): number =>
    momentsMs.filter((atMs) => atMs >= fromMs && atMs < fromMs + 60_000).length;
  return Math.max(...momentsMs.map(since));
}
