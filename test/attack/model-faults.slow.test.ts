import { beforeAll, describe, expect, it } from "vitest";
import { asId } from "../../src/kernel/index.ts";
import { acting, inTurn, type ModelRun, NOOP, runModels } from "../support/model-run.ts";
import type { Answer } from "../support/model-server/answer.ts";
import { faults } from "../support/model-server/faults.ts";
import { askerOf, type Script } from "../support/model-server/model-server.ts";

const agentsNamed = (ids: readonly string[], fields: object = {}) =>
  Object.fromEntries(ids.map((id) => [id, { mind: "llm", ...fields }]));

const always =
  (answers: { readonly [id: string]: Answer }): Script =>
  (call) =>
    answers[askerOf(call)] ?? NOOP;

/** Three failures in a row pause an agent, so that a run of failures ends soon. */
const SOON = [
  "agent.loop.max_consecutive_errors=3",
  "agent.loop.resume_after_s=null",
  "memory.backend=none",
];

describe("a temporary fault", () => {
  const passing: { readonly [id: string]: Answer } = {
    reset: faults.reset(),
    s408: faults.requestTimeout(),
    s429_later: faults.rateLimitedMs(5),
    s500: faults.serverError(),
    invalid: faults.invalidJson(),
    error_in_200: faults.errorIn200("The model broke down", "server_error"),
    silence: { text: "" },
  };
  const ids = Object.keys(passing);
  let run: ModelRun;
  beforeAll(async () => {
    run = await runModels({
      agents: agentsNamed(ids),
      script: inTurn(Object.fromEntries(ids.map((id) => [id, [passing[id] ?? NOOP]]))),
      sets: ["run.duration_s=2.5", "memory.backend=none"],
    });
  });

  it.each(ids)("%s: is retried at once, unseen by the agent", (id) => {
    const [thought] = run.of("thought_completed", id);
    expect(thought).toBeDefined();
    expect(run.of("thought_failed", id)).toEqual([]);
    expect(run.callsOf(id)).toHaveLength(run.of("thought_completed", id).length + 1);
    const [first, second] = run.promptsOf(id);
    expect(second).toBe(first);
  });

  it("replays to the same state", () => {
    expect(run.result.stoppedBy).toBe("duration");
    expect(run.replayedHash).toBe(run.result.stateHash);
  });
});

describe("a lasting fault", () => {
  const lasting: { readonly [id: string]: readonly [Answer, fault: string, attempts: number] } = {
    reset: [faults.reset(), "connection", 4],
    s408: [faults.requestTimeout(), "timeout", 4],
    s429: [faults.rateLimited(), "rate_limited", 4],
    s500: [faults.serverError(), "provider_error", 4],
    invalid: [faults.invalidJson(), "bad_reply", 4],
    silence: [{ text: "" }, "empty", 4],
    error_in_200: [faults.errorIn200("broke down", "server_error"), "provider_error", 4],
    refusal: [faults.refusal(), "refused", 1],
    length: [{ text: '{"thought', ending: "length" }, "reply_cut_off", 1],
    too_long: [faults.contextTooLong(), "context_overflow", 1],
    s404: [faults.notFound(), "bad_request", 1],
  };
  const ids = Object.keys(lasting);
  let run: ModelRun;
  beforeAll(async () => {
    run = await runModels({
      agents: agentsNamed(ids),
      script: always(Object.fromEntries(ids.map((id) => [id, lasting[id]?.[0] ?? NOOP]))),
      sets: ["run.duration_s=60", ...SOON],
    });
  });

  it.each(ids)("%s: fails thoughts with back-off until the agent is paused", (id) => {
    const [, fault, attempts] = lasting[id] ?? [NOOP, "", 0];
    const failures = run.of("thought_failed", id);
    expect(failures).toMatchObject([
      { reason: "llm_error", message: expect.stringMatching(`^${fault}: `) },
      { reason: "llm_error" },
      { reason: "llm_error", next_at_ms: null },
    ]);
    const [first, second, third] = failures.map(({ at_ms }) => at_ms);
    expect([Number(second) - Number(first), Number(third) - Number(second)]).toEqual([
      1_200, 1_400,
    ]);
    expect(run.callsOf(id)).toHaveLength(3 * attempts);
    const paused = { state: "paused", reason: "too many failures in a row" };
    expect(run.state.agents.get(asId(id))).toMatchObject(paused);
  });

  it.each(ids)("%s: is shown in the agent's next prompt", (id) => {
    const [, fault, attempts] = lasting[id] ?? [NOOP, "", 0];
    const next = run.promptsOf(id)[attempts] ?? "";
    const result = `## The result of your last action\n<data>\nthink\\(\\) -> FAILED: llm_error: ${fault}`;
    expect(next).toMatch(new RegExp(result));
    expect(next).toContain("## Recent failures");
    expect(run.promptsOf(id).at(-1)).not.toContain("in a row and failed");
  });

  it("ends the run when all agents are paused, and costs nothing without an answer", () => {
    expect(run.result.stoppedBy).toBe("idle");
    expect(run.of("action_completed")).toEqual([]);
    for (const id of ["reset", "s408", "s429", "s500", "s404"]) {
      expect(run.state.accounts.get(asId(id))?.llmBudgetMicros).toBe(500_000);
    }
    expect(run.replayedHash).toBe(run.result.stateHash);
  });
});

describe("a model that hangs", () => {
  it.each(["hang", "hangMidBody"] as const)("%s: times out after timeout_s", async (fault) => {
    const run = await runModels({
      agents: agentsNamed(["ann"]),
      script: () => faults[fault](),
      sets: [...SOON, "llm.timeout_s=0.1", "llm.failover.attempts_max=1"],
    });
    const failures = run.of("thought_failed", "ann");
    expect(failures.map(({ reason }) => reason)).toEqual(Array(3).fill("llm_error"));
    expect(failures[0]?.message).toMatch(/^timeout: /);
    // A busy machine may give up before the request has arrived.
    expect(run.served.length).toBeLessThanOrEqual(3);
  });

  it("does not delay other agents or the end of the run", async () => {
    const run = await runModels({
      agents: agentsNamed(["slow", "quick", "swift"]),
      script: always({ slow: faults.hang() }),
      sets: ["run.clock=wall", "run.duration_s=600", "run.max_actions=6", "llm.timeout_s=600"],
    });
    expect(run.result.stoppedBy).toBe("max_actions");
    expect(run.callsOf("slow")).toHaveLength(1);
    for (const id of ["quick", "swift"]) {
      expect(run.of("action_completed", id).length).toBeGreaterThan(1);
    }
    expect(run.of("thought_failed")).toEqual([]);
  });

  it.each([
    ["wall", "hangs", faults.hang()],
    ["virtual", "hangs", faults.hang()],
    ["wall", "asks to retry later", faults.rateLimited("200")],
  ])("does not delay a stop (%s clock, it %s)", async (clock, _how, answer) => {
    const run = await runModels({
      agents: agentsNamed(["ann"]),
      script: () => answer,
      sets: [`run.clock=${clock}`, "llm.timeout_s=600", "timeouts.shutdown_s=600"],
      meanwhile: async (runner, arrived) => {
        await arrived(1);
        runner.stop("signal");
      },
    });
    expect(run.result).toMatchObject({ stoppedBy: "signal", problem: null });
    expect(run.of("thought_failed")).toEqual([]);
    expect(run.recorded).toMatchObject([{ reply: { ok: false, fault: "cancelled" } }]);
    expect(run.replayedHash).toBe(run.result.stateHash);
  });
});

describe("a reply that cannot be used", () => {
  const ADD = acting({ write_artifact: { artifact_id: "adder", content: "a + b" } });
  const wrong = (value: unknown): Answer => ({ text: JSON.stringify(value) });
  const replies: { readonly [id: string]: readonly Answer[] } = {
    prose: [{ text: `Let me see. ${ADD.text} That is all.` }],
    fences: [{ text: `\`\`\`json\n${ADD.text}\n\`\`\`` }],
    flat: [wrong({ action_type: "write_artifact", artifact_id: "adder", content: "a + b" })],
    repaired: [wrong({ action: { fly: { to: "the moon" } } }), ADD],
    repaired_prose: [{ text: "I would rather not." }, ADD],
    proto: [{ text: '{"action_type": "constructor", "artifact_id": "adder"}' }, ADD],
  };
  const ids = Object.keys(replies);
  let run: ModelRun;
  beforeAll(async () => {
    const own = (id: string): readonly Answer[] =>
      (replies[id] ?? []).map((answer) =>
        "text" in answer ? { text: answer.text.replaceAll("adder", `${id}_adder`) } : answer,
      );
    const turns = inTurn(Object.fromEntries(ids.map((id) => [id, own(id)])));
    run = await runModels({
      agents: agentsNamed([...ids, "stubborn"]),
      script: (call) =>
        askerOf(call) === "stubborn" ? wrong({ action: { fly: {} } }) : turns(call),
      sets: ["run.duration_s=4", "llm.pricing={tiny: {input: 1, output: 2}}", ...SOON],
    });
  });

  it.each(ids)("%s: is understood, if needed after a repair", (id) => {
    const written = run.of("artifact_written", id).map(({ artifact_id }) => artifact_id);
    expect(written).toContain(`${id}_adder`);
    expect(run.of("thought_failed", id)).toEqual([]);
  });

  it("is sent back once with the problem", () => {
    const [first, repair] = run.promptsOf("repaired");
    expect(repair?.startsWith(first ?? "?")).toBe(true);
    expect(repair).toContain('Your reply to this was:\n{"action":{"fly":{"to":"the moon"}}}');
    expect(repair).toContain('It cannot be used: action: "fly" is not an action; choose one of');
    const purposes = run.recorded
      .filter(({ request }) => request.agent === "repaired")
      .map(({ request }) => request.purpose);
    expect(purposes.slice(0, 3)).toEqual(["decide", "repair", "decide"]);
  });

  it("is charged for all calls of the thought", () => {
    expect(run.of("thought_completed", "repaired")[0]).toMatchObject({
      usage: { calls: 2, input_tokens: 20, output_tokens: 20, cost_micros: 60 },
    });
    expect(run.of("thought_completed", "flat")[0]).toMatchObject({
      usage: { calls: 1, input_tokens: 10, output_tokens: 10, cost_micros: 30 },
    });
  });

  it("fails the thought the second time, which the agent sees", () => {
    const failures = run.of("thought_failed", "stubborn");
    expect(failures).toHaveLength(3);
    expect(failures[0]).toMatchObject({
      reason: "intent_rejected",
      message: expect.stringMatching(/^the action is not valid: action: "fly" is not an/),
      usage: { calls: 2, cost_micros: 60 },
    });
    expect(run.callsOf("stubborn")).toHaveLength(6);
    const failed = "FAILED: intent_rejected: the action is not valid";
    expect(run.promptsOf("stubborn")[2]).toContain(failed);
    expect(run.state.accounts.get(asId("stubborn"))?.llmBudgetMicros).toBe(500_000 - 180);
  });

  it("fails the thought the first time with repair_attempts: 0", async () => {
    const strict = await runModels({
      agents: agentsNamed(["ann"]),
      script: () => ({ text: "no" }),
      sets: [...SOON, "llm.repair_attempts=0"],
    });
    expect(strict.served).toHaveLength(3);
    const unreadable = { reason: "llm_error", fault: "unreadable_reply" };
    expect(strict.of("thought_failed", "ann")).toMatchObject(Array(3).fill(unreadable));
  });
});

describe("keys", () => {
  const KEYS = {
    GOOGLE_GENERATIVE_AI_API_KEY: "AIza-first-secret,AIza-second-secret",
    ANTHROPIC_API_KEY: "sk-ant-secret",
    OPENAI_API_KEY: "sk-open-secret",
    OPENAI_COMPATIBLE_API_KEY: "gateway-secret",
  };
  const secrets = Object.values(KEYS).flatMap((keys) => keys.split(","));
  let run: ModelRun;
  beforeAll(async () => {
    const models = ["google/tiny", "anthropic/tiny", "openai/tiny", "openai-compatible/tiny"];
    const ids = ["bad", "poor", "barred", "fine"];
    run = await runModels({
      agents: {
        ...Object.fromEntries(
          ids.map((id, at) => [id, { mind: "llm", llm_model: models[at] }] as const),
        ),
        moved: { mind: "llm", llm_model: "google/other" },
      },
      script: ({ provider, key }) => {
        const echo = { message: `Incorrect API key provided: ${key} (Bearer ${key})` };
        if (provider === "google") return { status: 401, ...echo };
        if (provider === "anthropic") return { status: 402, ...echo };
        return provider === "openai" ? { status: 403, ...echo } : NOOP;
      },
      env: KEYS,
      sets: [
        "run.duration_s=5",
        "budget.max_api_cost_usd=5",
        "llm.failover.profiles={google/other: [openai-compatible/tiny]}",
        "llm.pricing={tiny: {input: 1, output: 2}, other: {input: 10, output: 20}}",
        ...SOON,
      ],
    });
  });

  it.each([
    ["bad", "unauthorized"],
    ["poor", "no_credit"],
    ["barred", "unauthorized"],
  ])("fail the thoughts of %s if they are refused: %s", (id, fault) => {
    expect(run.of("thought_failed", id)).toHaveLength(3);
    expect(run.of("thought_failed", id)[0]?.message).toMatch(`${fault}: `);
    expect(run.state.agents.get(asId(id))?.state).toBe("paused");
    expect(run.callsOf(id).length).toBeLessThanOrEqual(6);
  });

  it("fail over to the next key, and to the fallback model at its own price", () => {
    const bad = run.callsOf("bad").map(({ key }) => key);
    expect(bad.slice(0, 2).toSorted()).toEqual(["AIza-first-secret", "AIza-second-secret"]);
    expect(run.of("thought_failed", "moved")).toEqual([]);
    expect(run.of("thought_completed", "moved")[0]).toMatchObject({ usage: { cost_micros: 30 } });
  });

  it("appear neither in files of the run nor in prompts", () => {
    expect(run.served.map(({ key }) => key)).toEqual(expect.arrayContaining(secrets));
    expect([...run.files.keys()]).toEqual(expect.arrayContaining(["journal.db", "run.json"]));
    for (const secret of secrets) {
      for (const [path, bytes] of run.files) {
        expect(bytes.includes(secret), `${secret} in ${path}`).toBe(false);
      }
      expect(run.served.map(({ prompt }) => prompt).join()).not.toContain(secret);
    }
    expect(run.of("thought_failed", "bad")[0]?.message).toMatch(/\[.*\]|\*\*\*|…/);
  });
});
