import { fnv1a, type View } from "../kernel/index.ts";
import { workingMemoryOf } from "../memory/index.ts";
import {
  askUntilRead,
  buildPrompt,
  type Decided,
  decisionReader,
  type Failure,
  fenced,
  inputMaxOf,
  leastReserved,
  type Mind,
  type MindParts,
  type MindSettings,
  type Preview,
  type PromptParts,
  type PromptSource,
  promptBounds,
  promptSource,
  type Reply,
  recallFor,
  recollectionOf,
  type Seen,
  stepPromptWith,
  stepSystemText,
  stepTokens,
  systemSource,
  systemText,
  type Terms,
  Thinking,
  type Thought,
  type ThoughtPrice,
  visibleTo,
  workingMemoryNotes,
} from "../mind/index.ts";
import { estimateTokens, outputTokensMax, type Pricing } from "../model/index.ts";
import type { Evaluate, WorkflowRun } from "./progress.ts";
import { workflowVariables } from "./variables.ts";
import { firstQuestion, runWorkflow, stepPrompts } from "./workflow-runner.ts";
import { sureCalls, type Workflow } from "./workflow-schema.ts";

type LlmAgent = { readonly settings: MindSettings; readonly workflow: Workflow | undefined };

const callsMaxOf = ({ workflow, settings }: LlmAgent): number =>
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
  return first === null ? NO_CALL : exactPrice(first, agent, parts, view);
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

const exactPrice = (
  first: FirstCall,
  agent: LlmAgent,
  parts: PriceParts,
  view: View,
): ThoughtPrice => {
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

/** Returns the input tokens of a first call, uncut and at least. */
const callTokens = ({ decides, tokens, source }: FirstCall) => {
  if (!decides) return { whole: tokens, shortest: tokens };
  const whole = buildPrompt(source).tokens;
  const shortest = Math.min(whole, promptBounds(source).shortest);
  return { whole: whole + tokens, shortest: shortest + tokens };
};

/** What an iteration of a workflow starts with. */
const workflowStart = ({ view, memories }: Seen, jsonDepthMax: number) => {
  const workingMemory = workingMemoryOf(view.content, view.workingMemoryText);
  return {
    memory: view.agent.mind,
    variables: workflowVariables(view, { memories, workingMemory }),
    fence: fenced,
    jsonDepthMax,
  };
};

export type LlmParts = MindParts["llm"] & {
  /** Returns an evaluator for one thought. Each evaluator has a separate gas limit. */
  readonly evaluator: () => Evaluate;
};

export const llmMind = (id: string, agent: LlmAgent, parts: LlmParts): Mind => {
  const { thinkMs, memory } = parts;
  const { price, exactPrice, maxMicros } = thoughtPrices(id, agent, parts);
  const isMeasured = thinkMs === "recorded";
  return {
    price,
    exactPrice,
    thinkMs: isMeasured ? [0, 0] : thinkMs,
    parallel: isMeasured ? null : { maxMicros },
    recollect: recollectionOf(agent.settings, memory),
    hasLazyView: false,
    decide: async (view, signal) => {
      const warnings: string[] = [];
      const warn = (text: string): void => void warnings.push(text);
      return { ...(await decide(agent, { ...parts, warn }, { view, signal })), warnings };
    },
  };
};

type DecideParts = LlmParts & { readonly warn: (text: string) => void };

type Moment = { readonly view: View; readonly signal: AbortSignal };

type Outcome =
  | (Failure & Pick<Decided, "memory">)
  | ({ readonly ok: true; readonly reply: Reply } & Pick<Decided, "memory" | "keeps">);

const decide = async (agent: LlmAgent, parts: DecideParts, moment: Moment): Promise<Thought> => {
  const { settings, workflow } = agent;
  const view = visibleTo(settings, moment.view);
  const thinking = new Thinking({
    ...moment,
    model: parts.model,
    pricing: parts.pricing,
    settings,
    callsMax: callsMaxOf(agent),
    tooLong: "the prompt does not fit the model, so lower prompt.budget_tokens",
    durable: parts.durable(),
  });
  const memories = await recallFor({ ...moment, view }, settings.rag, parts.memory);
  const source = promptSource(settings, parts, { view, memories });
  const question = { settings, source, thinking };
  const outcome =
    workflow === undefined
      ? await askOnce(question, parts)
      : await askInSteps(workflow, question, parts);
  const { usage, latencyMs, isOverBudget } = thinking;
  if (!outcome.ok) {
    const { ok: _, ...why } = outcome;
    return { kind: "failed", ...why, usage, isOverBudget };
  }
  const { ok: _, reply, ...kept } = outcome;
  const { action, reasoning, sleep } = reply;
  const waitMs = parts.thinkMs === "recorded" ? latencyMs : 0;
  return { kind: "decided", action, reasoning, usage, waitMs, sleep, isOverBudget, ...kept };
};

type AgentQuestion = {
  readonly settings: MindSettings;
  readonly source: PromptSource;
  readonly thinking: Pick<Thinking, "inputMax" | "asking">;
};

const readerFor = ({ cognitiveSchema: schema }: MindSettings, { jsonDepthMax }: LlmParts) =>
  decisionReader(schema, jsonDepthMax);

const askOnce = async (
  { settings, source, thinking }: AgentQuestion,
  parts: LlmParts,
): Promise<Outcome> => {
  const { prompt } = buildPrompt({ ...source, tokensMax: thinking.inputMax });
  const decision = await askUntilRead(thinking.asking(systemText(source)), {
    purpose: "decide",
    prompt,
    wanted: readerFor(settings, parts),
    repairs: settings.repairAttempts,
    retries: 0,
  });
  if (!decision.ok) return { ...decision, memory: null };
  return { ok: true, reply: decision.value, memory: null };
};

const askInSteps = async (
  workflow: Workflow,
  { settings, source, thinking }: AgentQuestion,
  parts: DecideParts,
): Promise<Outcome> => {
  const run = await runWorkflow(workflow, {
    ...workflowStart(source, parts.jsonDepthMax),
    ports: {
      evaluate: parts.evaluator(),
      ask: thinking.asking(stepSystemText(source)),
      decision: {
        ...readerFor(settings, parts),
        ask: thinking.asking(systemText(source)),
        promptOf: (question) => stepPromptWith(source, question, thinking.inputMax),
        repairs: settings.repairAttempts,
      },
    },
  });
  warnOfSteps(source.view.id, run, parts);
  if (!run.ok) {
    const { trace: _, ...failure } = run;
    return failure;
  }
  const { workingMemory: value } = run;
  const notes = [...run.notes, ...workingMemoryNotes(value, settings.workingMemory)];
  const workingMemory = value === null ? null : JSON.stringify(value, null, 1);
  return { ok: true, reply: run.reply, memory: run.memory, keeps: { notes, workingMemory } };
};

const warnOfSteps = (id: string, { ok, trace }: WorkflowRun, { warn }: DecideParts): void => {
  for (const { step, outcome, reason, note } of trace) {
    if (outcome === "forgot") warn(`${id} forgets ${step}: ${note}`);
    if (ok && reason === "intent_rejected") warn(`${id} continues without step ${step}: ${note}`);
  }
};

type PreviewParts = PromptParts &
  Pick<LlmParts, "evaluator" | "jsonDepthMax" | "memory" | "pricing">;

/**
 * Returns the prompt of the next thought if the agent sees `moment.view`, and the prompts of all
 * llm steps as they are before the first model call. Only the search for memories may call a model.
 */
export const previewOf = async (
  agent: LlmAgent,
  parts: PreviewParts,
  moment: Moment,
): Promise<Preview> => {
  const { settings, workflow } = agent;
  const view = visibleTo(settings, moment.view);
  const memories = await recallFor({ ...moment, view }, settings.rag, parts.memory);
  const source = promptSource(settings, parts, { view, memories });
  const prompt = buildPrompt({ ...source, tokensMax: affordablePrompt(agent, parts, view) });
  const ports = { evaluate: parts.evaluator() };
  const start = { ...workflowStart(source, parts.jsonDepthMax), ports };
  const steps = workflow === undefined ? [] : stepPrompts(workflow, start);
  const asksForData = steps.some(({ decides }) => !decides);
  const stepSystem = asksForData ? stepSystemText(source) : null;
  const reserved = leastReserved(settings, { prompt, steps, stepSystem });
  const callsPerThought = callsNeeded(agent);
  return { settings, prompt, steps, stepSystem, callsPerThought, reserved };
};
