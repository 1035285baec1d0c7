import { describe, expect, it } from "vitest";
import { asId } from "../../src/kernel/index.ts";
import type { Reasoning } from "../../src/model/port/reasoning.ts";
import { mostTokens, worstCase } from "../../src/model/port/usage.ts";
import type { Script } from "../support/model-server/model-server.ts";
import { GREETING, request } from "./requests.ts";
import { asking, exchange } from "./sdk-bench.ts";

const HELLO: Script = () => ({ text: "hello" });
const SYSTEM = "You are a trader.";
const PROMPT = "Greet a friend.";

/** The whole body of the request that a model gets, and the notes for the user. */
const sent = async (model: string, reasoning: Reasoning | null, more: object = {}) => {
  const notes: string[] = [];
  const [provider = ""] = model.split("/");
  if (!isProvider(provider)) throw new Error(`no provider ${provider}`);
  const asked = { model, reasoning, system: SYSTEM, prompt: PROMPT, ...more };
  const note = (text: string): void => void notes.push(text);
  const { server, reply } = await exchange(provider, HELLO, { asked, note });
  expect(reply).toMatchObject({ ok: true });
  return { body: server.calls[0]?.body, notes };
};

const isProvider = (name: string) =>
  name === "google" || name === "anthropic" || name === "openai" || name === "openai-compatible";

describe("the request to Google", () => {
  const bodyWith = (generationConfig: object) => ({
    systemInstruction: { parts: [{ text: SYSTEM }] },
    contents: [{ role: "user", parts: [{ text: PROMPT }] }],
    generationConfig,
  });
  it.each([
    ["gemini-3-flash-preview", null, { maxOutputTokens: 100 }],
    ["gemini-3-flash-preview", "low", level(1_124, "low")],
    ["gemini-3-flash-preview", "medium", level(4_196, "medium")],
    ["gemini-3-flash-preview", "high", level(16_484, "high")],
    ["gemini-3-flash-preview", 2_000, budget(2_100, 2_000)],
    ["gemini-flash-latest", "medium", level(4_196, "medium")],
    ["gemini-2.5-flash", "off", budget(100, 0)],
    ["gemini-2.5-flash", "low", budget(1_124, 1_024)],
    ["gemini-2.5-flash", 50_000, budget(50_100, 24_576)],
    ["gemma-3-27b-it", "low", budget(1_124, 1_024)],
  ] as const)("of %s with reasoning %s", async (model, reasoning, config) => {
    const { body, notes } = await sent(`google/${model}`, reasoning);
    // Gemma has no system text of its own.
    if (model.startsWith("gemini")) expect(body).toEqual(bodyWith(config));
    else expect(body?.generationConfig).toEqual(config);
    expect(notes).toEqual([]);
  });

  it.each([
    ["gemini-3-flash-preview", level(100, "minimal")],
    ["gemini-3.1-pro-preview", level(100, "low")],
    ["gemini-2.5-pro", budget(100, 128)],
  ] as const)("of %s has the least reasoning, and a note says so", async (model, config) => {
    const { body, notes } = await sent(`google/${model}`, "off");
    expect(body).toEqual(bodyWith(config));
    expect(notes).toEqual([cannotSwitchOff(`google/${model}`)]);
  });

  function level(maxOutputTokens: number, thinkingLevel: string) {
    return { maxOutputTokens, thinkingConfig: { thinkingLevel } };
  }
  function budget(maxOutputTokens: number, thinkingBudget: number) {
    return { maxOutputTokens, thinkingConfig: { thinkingBudget } };
  }
});

const cannotSwitchOff = (model: string): string =>
  `${model} cannot switch reasoning off; it reasons as little as it can, within max_tokens`;

describe("the request to Anthropic", () => {
  const bodyWith = (model: string, more: object) => ({
    model,
    system: [{ type: "text", text: SYSTEM, cache_control: { type: "ephemeral" } }],
    messages: [{ role: "user", content: [{ type: "text", text: PROMPT }] }],
    ...more,
  });
  const adaptive = { thinking: { type: "adaptive" } };

  it.each([
    ["claude-haiku-4-5", null, { max_tokens: 100, temperature: 0.5 }],
    ["claude-haiku-4-5", "off", { max_tokens: 100, temperature: 0.5, ...disabled() }],
    ["claude-haiku-4-5", "low", { max_tokens: 1_124, ...budget(1_024) }],
    ["claude-haiku-4-5-20251001", "medium", { max_tokens: 4_196, ...budget(4_096) }],
    ["claude-opus-4-20250514", "low", { max_tokens: 1_124, ...budget(1_024) }],
    ["claude-sonnet-4-5", "high", { max_tokens: 16_484, ...budget(16_384) }],
    ["claude-sonnet-4-5", 2_000, { max_tokens: 2_100, ...budget(2_000) }],
    ["claude-sonnet-4-6", "low", { max_tokens: 1_124, ...adaptive, ...effort("low") }],
    ["claude-sonnet-4-6", "off", { max_tokens: 100, temperature: 0.5, ...disabled() }],
    ["claude-opus-5-5", "medium", { max_tokens: 4_196, ...adaptive, ...effort("medium") }],
    ["claude-opus-5-5", 5_000, { max_tokens: 5_100, ...adaptive, ...effort("medium") }],
    ["claude-of-tomorrow", 20_000, { max_tokens: 20_100, ...adaptive, ...effort("high") }],
    ["not-by-anthropic", "low", { max_tokens: 1_124, ...budget(1_024) }],
  ])("of %s with reasoning %s", async (model, reasoning, more) => {
    const set = reasoning as Reasoning | null;
    const { body, notes } = await sent(`anthropic/${model}`, set, { temperature: 0.5 });
    expect(body).toEqual(bodyWith(model, more));
    expect(notes).toEqual([]);
  });

  it("has the least reasoning if it cannot be switched off, and a note says so", async () => {
    const { body, notes } = await sent("anthropic/claude-opus-5-5", "off");
    expect(body).toEqual(bodyWith("claude-opus-5-5", { max_tokens: 100, ...effort("low") }));
    expect(notes).toEqual([cannotSwitchOff("anthropic/claude-opus-5-5")]);
  });

  it("has both the effort and the form of the reply", async () => {
    const { body } = await sent("anthropic/claude-sonnet-4-6", "high", { form: GREETING });
    expect(body?.output_config).toMatchObject({ effort: "high", format: { type: "json_schema" } });
  });

  function disabled() {
    return { thinking: { type: "disabled" } };
  }
  function budget(budget_tokens: number) {
    return { thinking: { type: "enabled", budget_tokens } };
  }
  function effort(level: string) {
    return { output_config: { effort: level } };
  }
});

describe("the request to OpenAI", () => {
  const bodyWith = (model: string, more: object) => ({
    model,
    input: [
      { role: expect.stringMatching(/^(system|developer)$/), content: SYSTEM },
      { role: "user", content: [{ type: "input_text", text: PROMPT }] },
    ],
    store: false,
    ...more,
  });
  const encrypted = { include: ["reasoning.encrypted_content"] };
  const effort = (level: string) => ({ reasoning: { effort: level }, ...encrypted });

  it.each([
    ["gpt-5-mini", null, { max_output_tokens: 100, ...encrypted }],
    ["gpt-5-mini", "low", { max_output_tokens: 1_124, ...effort("low") }],
    ["gpt-5-mini", "medium", { max_output_tokens: 4_196, ...effort("medium") }],
    ["gpt-5-mini", "high", { max_output_tokens: 16_484, ...effort("high") }],
    ["gpt-5-mini", 4_095, { max_output_tokens: 4_195, ...effort("low") }],
    ["gpt-5-mini", 4_096, { max_output_tokens: 4_196, ...effort("medium") }],
    ["gpt-5-mini", 16_384, { max_output_tokens: 16_484, ...effort("high") }],
    ["gpt-5.1", "off", { max_output_tokens: 100, ...effort("none") }],
    // This model does not reason, so the package sends no setting.
    ["gpt-4.1-mini", "high", { max_output_tokens: 16_484 }],
  ])("of %s with reasoning %s", async (model, reasoning, more) => {
    const { body, notes } = await sent(`openai/${model}`, reasoning as Reasoning | null);
    expect(body).toEqual(bodyWith(model, more));
    expect(notes).toEqual([]);
  });

  it("has the least reasoning if it cannot be switched off, and a note says so", async () => {
    const { body, notes } = await sent("openai/gpt-5-mini", "off");
    const more = { max_output_tokens: 100, ...effort("minimal") };
    expect(body).toEqual(bodyWith("gpt-5-mini", more));
    expect(notes).toEqual([cannotSwitchOff("openai/gpt-5-mini")]);
  });
});

describe("the request to a compatible server", () => {
  it.each([
    [null, { max_tokens: 100 }],
    ["off", { max_tokens: 100, reasoning_effort: "none" }],
    ["low", { max_tokens: 1_124, reasoning_effort: "low" }],
    ["high", { max_tokens: 16_484, reasoning_effort: "high" }],
    [5_000, { max_tokens: 5_100, reasoning_effort: "medium" }],
  ] as const)("has the effort of reasoning %s", async (reasoning, more) => {
    const agent = asId("ann");
    const { body, notes } = await sent("openai-compatible/tiny", reasoning, { agent });
    expect(body).toEqual({
      model: "tiny",
      messages: [
        { role: "system", content: SYSTEM },
        { role: "user", content: PROMPT },
      ],
      ...more,
    });
    expect(notes).toEqual([]);
  });
});

describe("a model that refuses the reasoning setting", () => {
  const refusing: Script = ({ body }) => {
    const isSet = /reasoning_effort|thinking|"reasoning"/.test(JSON.stringify(body));
    const message = "registry.example/tiny does not support thinking";
    return isSet ? { status: 400, message, code: "invalid_request_error" } : { text: "{}" };
  };

  it.each([
    ["openai-compatible", "openai-compatible/tiny", "tiny"],
    ["google", "google/gemma-3-27b-it", "gemma-3-27b-it"],
    ["anthropic", "anthropic/claude-3-haiku-20240307", "claude-3-haiku-20240307"],
  ] as const)("at %s is asked without the setting from then on", async (provider, model, name) => {
    const notes: string[] = [];
    const note = (text: string): void => void notes.push(text);
    const asked = { model, reasoning: "low" as const };
    const { server, ask } = await asking(provider, refusing, { asked, note });
    const refused = { ok: false, fault: "bad_request", retriable: true };
    expect(await Promise.all([ask(), ask()])).toMatchObject([refused, refused]);
    expect(await ask()).toMatchObject({ ok: true, text: "{}" });
    expect(await ask()).toMatchObject({ ok: true });
    expect(server.calls.map((call) => call.model)).toEqual([name, name, name, name]);
    const why = "its requests are sent without this setting";
    expect(notes).toEqual([`${model} refuses \`reasoning: low\`; ${why}`]);
  });

  it("keeps the form of the reply", async () => {
    const asked = { reasoning: "low" as const, form: GREETING };
    const { server, ask } = await asking("openai-compatible", refusing, { asked });
    await ask();
    await ask();
    const forms = server.calls.map(({ body }) => body.response_format);
    expect(forms).toMatchObject([{ type: "json_schema" }, { type: "json_schema" }]);
  });

  it("keeps the setting if it refuses the form", async () => {
    const message = "Thinking may not be enabled when tool_choice forces tool use.";
    const script: Script = ({ n }) => (n === 1 ? { status: 400, message } : { text: "{}" });
    const asked = { reasoning: "low" as const, form: GREETING };
    const { server, ask } = await asking("openai-compatible", script, { asked });
    expect(await ask()).toMatchObject({ retriable: true });
    expect(await ask()).toMatchObject({ ok: true });
    expect(server.calls[1]?.body).toMatchObject({
      reasoning_effort: "low",
      response_format: { type: "json_object" },
    });
  });

  it("fails without a retry if no setting was sent", async () => {
    const { server, ask } = await asking("openai-compatible", () => ({
      status: 400,
      message: "this model needs thinking",
    }));
    expect(await ask()).toMatchObject({ fault: "bad_request", retriable: false });
    expect(server.calls).toHaveLength(1);
  });
});

describe("the maximum of a request", () => {
  const plain = request();

  it("includes the tokens for reasoning", () => {
    const { input, output } = worstCase(plain);
    expect(output).toBe(100);
    for (const [reasoning, tokens] of [
      ["off", 0],
      ["low", 1_024],
      ["medium", 4_096],
      ["high", 16_384],
      [7_000, 7_000],
    ] as const) {
      expect(worstCase(request({ reasoning }))).toEqual({ input, output: 100 + tokens });
      expect(mostTokens(request({ reasoning }))).toBe(mostTokens(plain) + tokens);
    }
  });

  it("limits the counts that are believed", async () => {
    const script: Script = () => ({ text: "hello", usage: { input: 10, output: 1_125 } });
    const usageWith = async (reasoning: Reasoning) =>
      (await exchange("openai-compatible", script, { asked: { reasoning } })).reply.usage;
    expect(await usageWith("low")).toMatchObject({ output: 1_124, estimated: true });
    expect(await usageWith(1_025)).toMatchObject({ output: 1_125, estimated: false });
  });
});
