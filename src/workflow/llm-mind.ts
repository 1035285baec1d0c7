import type { View } from "../kernel/index.ts";
import type { AgentMemory } from "../memory/index.ts";
import {
  askUntilRead,
  buildPrompt,
  type Decided,
  decisionReader,
  type Failure,
  type Mind,
  type MindSettings,
  type Prompt,
  type PromptParts,
  type PromptSource,
  promptSource,
  type Reply,
  recallFor,
  recollectionOf,
  stepPromptWith,
  stepSystemText,
  systemText,
  Thinking,
  type Thought,
  visibleTo,
  workingMemoryNotes,
} from "../mind/index.ts";
import type { Durable, Model, Pricing } from "../model/index.ts";
import {
  affordablePrompt,
  callsMaxOf,
  type LlmAgent,
  thoughtPrices,
  workflowStart,
} from "./thought-price.ts";
import type { Evaluate, WorkflowRun } from "./workflow-ports.ts";
import { runWorkflow, type StepPrompt, stepPrompts } from "./workflow-runner.ts";
import type { Workflow } from "./workflow-schema.ts";

export type LlmParts = {
  readonly model: Model;
  readonly pricing: Pricing;
  /** The memories of the agents. Null if agents remember nothing. */
  readonly memory: AgentMemory | null;
  readonly actionsGuide: string;
  readonly sleepMaxS: number;
  readonly jsonDepthMax: number;
  /** The simulated time of a thought: the model's latency (`recorded`), or [min, max] in ms. */
  readonly thinkMs: "recorded" | readonly [number, number];
  readonly durable: Durable;
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

/** What the next call of a model would send. */
export type Preview = {
  readonly prompt: Prompt;
  readonly steps: readonly StepPrompt[];
  /** The system text of the steps that ask for data, or null if all steps decide. */
  readonly stepSystem: string | null;
};

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
  if (workflow === undefined) return { prompt, steps: [], stepSystem: null };
  const ports = { evaluate: parts.evaluator() };
  const start = { ...workflowStart(source, parts.jsonDepthMax), ports };
  const steps = stepPrompts(workflow, start);
  const asksForData = steps.some(({ decides }) => !decides);
  return { prompt, steps, stepSystem: asksForData ? stepSystemText(source) : null };
};
