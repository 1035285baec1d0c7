import { fnv1a, type View } from "../kernel/index.ts";
import { workingMemoryOf } from "../memory/index.ts";
import {
  buildPrompt,
  fenced,
  inputMaxOf,
  type Mind,
  type MindSettings,
  type Prompt,
  type PromptParts,
  type PromptSource,
  promptBounds,
  promptSource,
  REPLY_FORMS,
  type Seen,
  stepSystemText,
  stepTokens,
  systemSource,
  type Terms,
  type ThoughtPrice,
} from "../mind/index.ts";
import {
  estimateTokens,
  outputTokensMax,
  type Pricing,
  type TokenBound,
  worstCase,
} from "../model/index.ts";

import { workflowVariables } from "./variables.ts";
import type { Evaluate } from "./workflow-ports.ts";
import { firstQuestion, type StepPrompt } from "./workflow-runner.ts";
import { sureCalls, type Workflow } from "./workflow-schema.ts";

export type LlmAgent = { readonly settings: MindSettings; readonly workflow: Workflow | undefined };

export const callsMaxOf = ({ workflow, settings }: LlmAgent): number =>
  workflow?.max_model_calls ?? settings.callsMax;

/** Returns the minimum number of calls in a thought. With fewer calls left, no thought starts. */
export const callsNeeded = (agent: LlmAgent): number => {
  const { workflow } = agent;
  if (workflow === undefined) return 1;
  return Math.max(1, Math.min(sureCalls(workflow, null), callsMaxOf(agent)));
};

/** Returns the most that a call with `input` tokens costs. */
const callMicros = (input: number, { settings, pricing }: Terms): number =>
  pricing.priceBound(settings.model, { input, output: outputTokensMax(settings) });

type PriceParts = PromptParts & {
  readonly pricing: Pricing;
  readonly jsonDepthMax: number;
  readonly evaluator: () => Evaluate;
};

const NO_CALL: ThoughtPrice = { micros: 0, calls: 0, tokens: 0 };

/** The price of a thought of a workflow. Its prompts have no limit. */
const UNLIMITED = Number.MAX_SAFE_INTEGER;

/** Returns the prices of an agent's thoughts. `maxMicros` is the highest cost of one thought. */
export const thoughtPrices = (
  id: string,
  agent: LlmAgent,
  parts: Omit<PriceParts, "warn">,
): Pick<Mind, "price" | "exactPrice"> & { readonly maxMicros: number } => {
  const { settings, workflow } = agent;
  const terms = { settings, pricing: parts.pricing };
  const input = promptTokensMax(id, settings, parts);
  const micros = callMicros(input, terms);
  const calls = callsNeeded(agent);
  const { price: pricing } = parts.pricing.priceOf(settings.model);
  const silent = { ...parts, warn: () => {} };
  return {
    price:
      workflow === undefined
        ? { micros, calls, tokens: input + outputTokensMax(settings) }
        : { micros: UNLIMITED, calls, tokens: UNLIMITED },
    exactPrice: {
      of: (view) => priceOfThought(agent, silent, view),
      sufficient: (view) => sufficientPrice(agent, silent, view),
      terms: fnv1a(JSON.stringify([agent, pricing])),
    },
    maxMicros: micros * callsMaxOf(agent),
  };
};

const promptTokensMax = (
  id: string,
  settings: MindSettings,
  parts: Pick<PromptParts, "actionsGuide" | "sleepMaxS">,
): number => {
  const longest = ({ founder }: { readonly founder: boolean }): number =>
    promptBounds(systemSource(settings, parts, { id, founder })).longest;
  return Math.max(longest({ founder: true }), longest({ founder: false }));
};

/**
 * Returns what an agent needs to start a thought now. `micros` is the maximum cost of the shortest
 * first call, because a prompt is cut to the budget of its agent. `tokens` are those of the first
 * call, cut to what the agent's quota and budget can pay. Recalled memories are not counted: they
 * get the tokens that are left.
 */
const priceOfThought = (agent: LlmAgent, parts: PriceParts, view: View): ThoughtPrice => {
  const first = firstCall(agent, parts, view);
  return first === null ? NO_CALL : exactPrice(first, agent, { parts, view });
};

/** A price that is at least that of the thought, if the agent can pay it. Builds no prompt. */
const sufficientPrice = (agent: LlmAgent, parts: PriceParts, view: View): ThoughtPrice | null => {
  const first = firstCall(agent, parts, view);
  if (first === null || !first.decides) return null;
  const { shortest, longest } = promptBounds(first.source);
  const micros = callMicros(shortest + first.tokens, { ...agent, pricing: parts.pricing });
  const tokens = longest + first.tokens + outputTokensMax(agent.settings);
  const { account, windows } = view;
  const isPayable = micros <= account.llmBudgetMicros && tokens <= windows.llm_tokens.available;
  return isPayable ? { micros, calls: callsNeeded(agent), tokens } : null;
};

type Moment = { readonly parts: PriceParts; readonly view: View };

const exactPrice = (first: FirstCall, agent: LlmAgent, { parts, view }: Moment): ThoughtPrice => {
  const { settings } = agent;
  const sizes = callTokens(first);
  const left = { micros: view.account.llmBudgetMicros, tokens: view.windows.llm_tokens.quota };
  const terms = { settings, pricing: parts.pricing };
  const input = Math.min(sizes.whole, Math.max(sizes.shortest, inputMaxOf(left, terms)));
  return {
    micros: callMicros(sizes.shortest, terms),
    calls: callsNeeded(agent),
    tokens: input + outputTokensMax(settings),
  };
};

/** Returns the most tokens of the prompt of the next thought, even if this thought must wait. */
export const affordablePrompt = (agent: LlmAgent, parts: PriceParts, view: View): number => {
  const { settings } = agent;
  const { account, windows } = view;
  const left = { micros: account.llmBudgetMicros, tokens: windows.llm_tokens.available };
  const { tokens } = priceOfThought(agent, parts, view);
  const inputMax = inputMaxOf(left, { settings, pricing: parts.pricing });
  return Math.max(tokens - outputTokensMax(settings), inputMax);
};

/** The first call of a thought. If it decides, `tokens` come on top of the agent's prompt. */
type FirstCall = {
  readonly decides: boolean;
  readonly tokens: number;
  readonly source: PromptSource;
};

/** Returns the first call of the next thought, or null if there is none. */
const firstCall = (agent: LlmAgent, parts: PriceParts, view: View): FirstCall | null => {
  const { settings, workflow } = agent;
  const source = promptSource(settings, parts, { view, memories: [] });
  if (workflow === undefined) return { decides: true, tokens: 0, source };
  const ports = { evaluate: parts.evaluator() };
  const moment = { ...workflowStart(source, parts.jsonDepthMax), ports };
  const question = firstQuestion(workflow, moment);
  if (question === null) return null;
  if (question.decides) return { decides: true, tokens: stepTokens(question.text), source };
  const tokens = estimateTokens(stepSystemText(source)) + estimateTokens(question.text);
  return { decides: false, tokens, source };
};

type CallTokens = { readonly whole: number; readonly shortest: number };

/** Returns the input tokens of a first call, uncut and at least. */
const callTokens = ({ decides, tokens, source }: FirstCall): CallTokens => {
  if (!decides) return { whole: tokens, shortest: tokens };
  const whole = buildPrompt(source).tokens;
  const shortest = Math.min(whole, promptBounds(source).shortest);
  return { whole: whole + tokens, shortest: shortest + tokens };
};

type FirstQuestions = {
  readonly prompt: Pick<Prompt, "system" | "prompt">;
  readonly steps: readonly Pick<StepPrompt, "text" | "decides">[];
  readonly stepSystem: string | null;
};

/**
 * Returns the tokens that the budget of the run reserves for the shortest question of a thought.
 * Counts no schema for the steps of a workflow that do not decide.
 */
export const leastReserved = (
  { model, temperature, maxTokens, reasoning, cognitiveSchema }: MindSettings,
  { prompt: { system, prompt }, steps, stepSystem }: FirstQuestions,
): TokenBound => {
  const limits = { model, temperature, maxTokens, reasoning };
  const form = REPLY_FORMS[cognitiveSchema];
  const whole = { ...limits, purpose: "decide", agent: null, system, prompt, form };
  const asked = steps.map(({ text, decides }) =>
    decides
      ? { ...whole, prompt: prompt + text }
      : { ...whole, system: stepSystem ?? "", prompt: text, form: null },
  );
  const bounds = (asked.length === 0 ? [whole] : asked).map(worstCase);
  return { input: Math.min(...bounds.map(({ input }) => input)), output: outputTokensMax(limits) };
};

/** What an iteration of a workflow starts with. */
export const workflowStart = ({ view, memories }: Seen, jsonDepthMax: number) => {
  const workingMemory = workingMemoryOf(view.content, view.workingMemoryText);
  return {
    memory: view.agent.mind,
    variables: workflowVariables(view, { memories, workingMemory }),
    fence: fenced,
    jsonDepthMax,
  };
};
