import type { View } from "../../kernel/index.ts";
import {
  type AgentMemory,
  type Recalled,
  renderWorkingMemory,
  workingMemoryOf,
} from "../memory/index.ts";
import type { Decided, Mind, Thought } from "../mind.ts";
import type { Durable, Model, Pricing } from "../model/index.ts";
import { buildPrompt } from "../prompt/build-prompt.ts";
import { fenced } from "../prompt/fence.ts";
import type { Prompt } from "../prompt/prompt.ts";
import { type Ask, askUntilRead, type Failure } from "../reply/ask-until-read.ts";
import { decisionReader, type Reply } from "../reply/read-reply.ts";
import { replyGuide } from "../reply/reply-form.ts";
import { workflowVariables } from "../workflow/variables.ts";
import type { Evaluate, WorkflowRun } from "../workflow/workflow-ports.ts";
import { runWorkflow, type StepPrompt, stepPrompts } from "../workflow/workflow-runner.ts";
import type { Workflow } from "../workflow/workflow-schema.ts";
import { recallFor, recollectionOf } from "./memories.ts";
import type { MindSettings } from "./mind-settings.ts";
import { callsMaxOf, callsNeeded, type LlmAgent, Thinking, thoughtPriceOf } from "./thinking.ts";

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

export const llmMind = (agent: LlmAgent, parts: LlmParts): Mind => {
  const { thinkMs, pricing, memory } = parts;
  const price = thoughtPriceOf(agent.settings, pricing);
  const isMeasured = thinkMs === "recorded";
  return {
    price: { ...price, calls: callsNeeded(agent) },
    thinkMs: isMeasured ? [0, 0] : thinkMs,
    parallel: isMeasured ? null : { maxMicros: price.micros * callsMaxOf(agent) },
    recollect: recollectionOf(agent.settings, memory),
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
  const { view } = moment;
  const thinking = new Thinking({
    ...moment,
    model: parts.model,
    pricing: parts.pricing,
    settings,
    callsMax: callsMaxOf(agent),
    durable: parts.durable(),
  });
  const memories = await recallFor(moment, settings.rag, parts.memory);
  const prompt = promptWith(settings, parts, { view, memories });
  const question = { settings, prompt: prompt.prompt, ask: thinking.asking(prompt.system) };
  const outcome =
    workflow === undefined
      ? await askOnce(question, parts)
      : await askInSteps(workflow, question, { parts, seen: { view, memories } });
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
  readonly prompt: string;
  readonly ask: Ask;
};

const readerFor = ({ cognitiveSchema: schema }: MindSettings, { jsonDepthMax }: LlmParts) =>
  decisionReader({ schema, jsonDepthMax });

const askOnce = async (
  { settings, prompt, ask }: AgentQuestion,
  parts: LlmParts,
): Promise<Outcome> => {
  const decision = await askUntilRead(ask, {
    purpose: "decide",
    prompt,
    wanted: readerFor(settings, parts),
    repairs: settings.repairAttempts,
    retries: 0,
  });
  if (!decision.ok) return { ...decision, memory: null };
  return { ok: true, reply: decision.value, memory: null };
};

type Seen = { readonly view: View; readonly memories: readonly Recalled[] };

const askInSteps = async (
  workflow: Workflow,
  { settings, prompt, ask }: AgentQuestion,
  { parts, seen }: { readonly parts: DecideParts; readonly seen: Seen },
): Promise<Outcome> => {
  const run = await runWorkflow(workflow, {
    ...momentOf(seen, parts),
    ports: {
      evaluate: parts.evaluator(),
      ask,
      decision: {
        ...readerFor(settings, parts),
        promptOf: (question) => `${prompt}\n\n${question}`,
        repairs: settings.repairAttempts,
      },
    },
  });
  warnOfSteps(seen.view.id, run, parts);
  if (!run.ok) {
    const { trace: _, ...failure } = run;
    return failure;
  }
  const { notes, workingMemory: value } = run;
  const workingMemory = value === null ? null : JSON.stringify(value, null, 1);
  return { ok: true, reply: run.reply, memory: run.memory, keeps: { notes, workingMemory } };
};

const momentOf = ({ view, memories }: Seen, { jsonDepthMax }: Pick<LlmParts, "jsonDepthMax">) => {
  const workingMemory = workingMemoryOf(view.content, view.workingMemoryText);
  return {
    memory: view.agent.mind,
    variables: workflowVariables(view, { memories, workingMemory }),
    fence: fenced,
    jsonDepthMax,
  };
};

const warnOfSteps = (id: string, { ok, trace }: WorkflowRun, { warn }: DecideParts): void => {
  for (const { step, outcome, reason, note } of trace) {
    if (outcome === "forgot") warn(`${id} forgets ${step}: ${note}`);
    if (ok && reason === "intent_rejected") warn(`${id} continues without step ${step}: ${note}`);
  }
};

type PreviewParts = PromptParts & Pick<LlmParts, "evaluator" | "jsonDepthMax" | "memory">;

/**
 * Returns the prompt of a thought that starts with `moment.view`, and the prompts of all llm steps
 * as they are before the first model call. Only the search for memories may call a model.
 */
export const previewOf = async (
  { settings, workflow }: LlmAgent,
  parts: PreviewParts,
  moment: Moment,
): Promise<{ readonly prompt: Prompt; readonly steps: readonly StepPrompt[] }> => {
  const memories = await recallFor(moment, settings.rag, parts.memory);
  const seen = { view: moment.view, memories };
  const prompt = promptWith(settings, parts, seen);
  if (workflow === undefined) return { prompt, steps: [] };
  const ports = { evaluate: parts.evaluator() };
  return { prompt, steps: stepPrompts(workflow, { ...momentOf(seen, parts), ports }) };
};

type PromptParts = Pick<DecideParts, "actionsGuide" | "sleepMaxS" | "warn">;

export const promptWith = (
  settings: MindSettings,
  parts: PromptParts,
  { view, memories }: Seen,
): Prompt =>
  buildPrompt({
    view,
    persona: settings.systemPrompt,
    founder: view.family.parent === null,
    settings: settings.prompt,
    actionsGuide: parts.actionsGuide,
    replyGuide: replyGuide(settings.cognitiveSchema, parts),
    memories,
    workingMemory: shownWorkingMemory(view, settings, parts),
  });

const NONE_YET =
  "You have none yet. Write it to the artifact whose id is your name followed by " +
  "_working_memory: an object with current_goal, progress, lessons and strategic_objectives. " +
  "Only you can read it, unless you give it another access contract.";

const shownWorkingMemory = (
  view: View,
  { workingMemory }: MindSettings,
  { warn }: PromptParts,
): string => {
  if (!workingMemory.enabled) return "";
  const value = workingMemoryOf(view.content, view.workingMemoryText);
  if (value === null && workingMemory.warn_on_missing) warn(`${view.id} has no working memory`);
  if (!workingMemory.auto_inject) return "";
  return value === null ? NONE_YET : renderWorkingMemory(value, workingMemory);
};
