/**
 * A step of an agent with tools whose conversation has about 100 messages, next to a thought of a
 * plain agent, on a model that answers at once. What the provider's package takes is left out.
 */
import { createGoogle } from "@ai-sdk/google";
import type { LanguageModelV4CallOptions, LanguageModelV4Message } from "@ai-sdk/provider";
import type { Figure } from "./figure.ts";
import { mockProvider } from "./mock-provider.ts";
import { type AgentKind, modelAgents } from "./model-agents.ts";

const AGENTS = 200;
const BARE_CALLS = 1_000;
const MESSAGES = 100;
/** A conversation has the turn before and, on average, half of a turn: 3 messages for each step. */
const STEPS = Math.floor(MESSAGES / 3);
const TIMES_MAX = 1.5;

let calls = 0;

/** Always calls a tool of the workspace, with other arguments than before. */
const listFiles: typeof globalThis.fetch = () => {
  calls += 1;
  const functionCall = { name: "list_files", args: { pattern: `drafts/${calls}` } };
  const content = { role: "model", parts: [{ text: "I look." }, { functionCall }] };
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
  options: LanguageModelV4CallOptions,
): Promise<number> => {
  const model = createGoogle({ apiKey: "none", fetch })("gemini-3-flash-preview");
  const make = async (count: number): Promise<void> => {
    for (let call = 0; call < count; call++) await model.doGenerate(options);
  };
  await make(BARE_CALLS / 5);
  const before = process.threadCpuUsage();
  await make(BARE_CALLS);
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / BARE_CALLS;
};

const SYSTEM: LanguageModelV4Message = { role: "system", content: "s".repeat(5_000) };

const PLAIN_CALL: LanguageModelV4CallOptions = {
  prompt: [SYSTEM, { role: "user", content: [{ type: "text", text: "p".repeat(3_000) }] }],
};

const stepMessages = (step: number): readonly LanguageModelV4Message[] => {
  const call = { toolCallId: `call_${step}`, toolName: "list_files" } as const;
  const value = "your workspace has no file like this";
  return [
    {
      role: "assistant",
      content: [
        { type: "text", text: "I look." },
        { type: "tool-call", ...call, input: { pattern: "drafts" } },
      ],
    },
    { role: "tool", content: [{ type: "tool-result", ...call, output: { type: "text", value } }] },
  ];
};

const CHAT_CALL: LanguageModelV4CallOptions = {
  prompt: [
    ...PLAIN_CALL.prompt,
    ...Array.from({ length: MESSAGES / 2 }, (_, n) => stepMessages(n)).flat(),
  ],
};

export const figures = async (): Promise<readonly Figure[]> => {
  const about = { agents: AGENTS, latencyMs: 0 };
  const barePlain = await bareMicros(mockProvider(0), PLAIN_CALL);
  const bareChat = await bareMicros(listFiles, CHAT_CALL);
  const plain = await modelAgents({ ...about, runS: 16, warmUpS: 5 });
  const chat = await modelAgents({ ...about, runS: 60, warmUpS: 30, kind: WITH_TOOLS });
  const ownPlain = plain.mainMicros - barePlain;
  const ownChat = chat.mainMicros - bareChat;
  return [
    {
      name: "a step, without the package",
      value: ownChat,
      unit: "us",
      bar: null,
      limit: { name: "a plain thought", value: ownPlain },
    },
    {
      name: "times a plain thought",
      value: ownChat / ownPlain,
      unit: "x",
      bar: TIMES_MAX,
      limit: null,
    },
    { name: "the package with 100 messages", value: bareChat, unit: "us", bar: null, limit: null },
  ];
};
