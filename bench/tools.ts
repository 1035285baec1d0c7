/**
 * A step of an agent with tools whose conversation has about 100 messages, next to a thought of a
 * plain agent, on a model that answers at once. What the provider's package takes is left out.
 */
import { createGoogle } from "@ai-sdk/google";
import type { LanguageModelV4CallOptions, LanguageModelV4Message } from "@ai-sdk/provider";
import { BUILT_IN_TOOLS } from "../src/tools/plugin/plugins.ts";
import type { Figure } from "./figure.ts";
import { inProcess } from "./in-process.ts";
import { mockProvider } from "./mock-provider.ts";
import { type AgentKind, modelAgents } from "./model-agents.ts";

const AGENTS = 200;
const BARE_ROUNDS = 10;
const MESSAGES = 100;
/** Conversations have all of their messages after the warm-up. */
const TIMED = { agents: AGENTS, latencyMs: 0, runS: 40, warmUpS: 20 };
/** A conversation has the turn before and, on average, half of a turn: 3 messages for each step. */
const STEPS = Math.floor(MESSAGES / 3);
const TIMES_MAX = 1.5;

let calls = 0;

/** Calls a tool of the workspace, with other arguments than before, if the request has tools. */
const listFiles: typeof globalThis.fetch = (_url, init) => {
  calls += 1;
  const functionCall = { name: "list_files", args: { pattern: `drafts/${calls}` } };
  const hasTools = String(init?.body).includes('"functionDeclarations"');
  const parts = [{ text: "I look." }, ...(hasTools ? [{ functionCall }] : [])];
  const content = { role: "model", parts };
  const reply = {
    candidates: [{ content, finishReason: "STOP" }],
    usageMetadata: { promptTokenCount: 900, candidatesTokenCount: 20, totalTokenCount: 920 },
  };
  return Promise.resolve(Response.json(reply));
};

const WITH_TOOLS: AgentKind = {
  content: {
    mind: "tools",
    system_prompt: "You trade.",
    tools: { max_steps: STEPS, window_tokens: 1_000_000 },
  },
  sets: ["resources.stock.llm_budget_usd=1000"],
  fetch: listFiles,
};

/** What the provider's package alone takes of the main thread for such a call. */
const bareMicros = async (
  fetch: typeof globalThis.fetch,
  callOf: (agent: number) => LanguageModelV4CallOptions,
): Promise<number> => {
  const model = createGoogle({ apiKey: "none", fetch })("gemini-3-flash-preview");
  const calls = Array.from({ length: AGENTS }, (_, agent) => callOf(agent));
  const make = async (rounds: number): Promise<void> => {
    for (let round = 0; round < rounds; round++) {
      for (const call of calls) await model.doGenerate(call);
    }
  };
  await make(BARE_ROUNDS / 5);
  const before = process.threadCpuUsage();
  await make(BARE_ROUNDS);
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / (BARE_ROUNDS * AGENTS);
};

/** Texts of an agent, of which no other agent has the same. */
const system = (agent: number): LanguageModelV4Message => ({
  role: "system",
  content: `${agent} `.padEnd(5_000, "s"),
});

const plainCall = (agent: number): LanguageModelV4CallOptions => ({
  prompt: [
    system(agent),
    { role: "user", content: [{ type: "text", text: `${agent} `.padEnd(3_000, "p") }] },
  ],
});

const stepMessages = (agent: number, step: number): readonly LanguageModelV4Message[] => {
  const call = { toolCallId: `call_${agent}_of_${step}`, toolName: "list_files" } as const;
  const value = "your workspace has no file like this";
  return [
    {
      role: "assistant",
      content: [
        { type: "text", text: "I look." },
        { type: "tool-call", ...call, input: { pattern: `drafts/${agent}${step}` } },
      ],
    },
    { role: "tool", content: [{ type: "tool-result", ...call, output: { type: "text", value } }] },
  ];
};

const chatCall = (agent: number): LanguageModelV4CallOptions => ({
  tools: [...BUILT_IN_TOOLS.tools, ...BUILT_IN_TOOLS.slowTools].map(({ offer }) => {
    const { name, description, input } = offer;
    return { type: "function", name, description, inputSchema: { ...input } };
  }),
  prompt: [
    ...plainCall(agent).prompt,
    ...Array.from({ length: MESSAGES / 2 }, (_, step) => stepMessages(agent, step)).flat(),
  ],
});

/** Microseconds of the main thread: `all` of a thought, and `bare` of the package alone. */
type Micros = { readonly all: number; readonly bare: number };

export const plainThought = async (): Promise<Micros> => {
  const { mainMicros } = await modelAgents(TIMED);
  return { all: mainMicros, bare: await bareMicros(mockProvider(0), plainCall) };
};

export const toolStep = async (): Promise<Micros> => {
  const { mainMicros } = await modelAgents({ ...TIMED, kind: WITH_TOOLS });
  return { all: mainMicros, bare: await bareMicros(listFiles, chatCall) };
};

export const figures = async (): Promise<readonly Figure[]> => {
  const { value: plain } = await inProcess<Micros>("tools", "plainThought");
  const { value: step } = await inProcess<Micros>("tools", "toolStep");
  const [ownPlain, ownStep] = [plain.all - plain.bare, step.all - step.bare];
  return [
    {
      name: "a step, without the package",
      value: ownStep,
      unit: "us",
      bar: null,
      limit: { name: "a plain thought", value: ownPlain },
    },
    {
      name: "times a plain thought",
      value: ownStep / ownPlain,
      unit: "x",
      bar: TIMES_MAX,
      limit: null,
    },
    { name: "the package with 100 messages", value: step.bare, unit: "us", bar: null, limit: null },
  ];
};
