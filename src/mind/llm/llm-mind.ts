import type { View } from "../../kernel/index.ts";
import { type Recalled, renderWorkingMemory, workingMemoryOf } from "../memory/index.ts";
import type { Mind, Thought, ThoughtPrice } from "../mind.ts";
import type { Model, Pricing } from "../model/index.ts";
import { buildPrompt, type Prompt } from "../prompt/index.ts";
import { replyGuide } from "../reply/index.ts";
import { estimateTokens } from "../tokens.ts";
import type { MindSettings } from "./mind-settings.ts";
import { proposeAction } from "./propose-action.ts";
import { type MemoryBackend, recallFor } from "./recalling.ts";
import { recollectionOf } from "./recollection.ts";
import { Thinking } from "./thinking.ts";

/** What all agents that ask language models share in a run. */
export type LlmParts = {
  readonly model: Model;
  readonly pricing: Pricing;
  readonly memory: MemoryBackend;
  /** How to act, the same text as the handbook's page. */
  readonly actionsGuide: string;
  readonly sleepMaxS: number;
  readonly jsonDepthMax: number;
  /** How long a thought takes in run time: as long as the model took, or [least, most] ms. */
  readonly thinkMs: "latency" | readonly [number, number];
  /** Takes note of trouble that stops nobody; the same text more than once is one note. */
  readonly warn: (text: string) => void;
};

/** The mind of an agent without a workflow: one prompt, one decision. */
export const llmMind = (settings: MindSettings, parts: LlmParts): Mind => ({
  price: priceOf(settings, parts.pricing),
  thinkMs: parts.thinkMs === "latency" ? [0, 0] : parts.thinkMs,
  backsOff: true,
  recollect: recollectionOf(settings, parts.memory),
  decide: (view, signal) => decide(settings, parts, { view, signal }),
});

/** What one call can take at the worst; an agent that cannot pay that does not begin to think. */
export const priceOf = (settings: MindSettings, pricing: Pricing): ThoughtPrice => {
  const { prompt, maxTokens, model, systemPrompt } = settings;
  // The words of a persona are never cut, whatever a prompt should have.
  const uncut = SHARED_TOKENS + estimateTokens(systemPrompt);
  const tokens = { input: Math.max(prompt.budget_tokens, uncut), output: maxTokens };
  return {
    micros: pricing.priceBound(model, tokens),
    calls: 1,
    tokens: tokens.input + tokens.output,
  };
};

/** About what the system texts of all agents have in common. */
const SHARED_TOKENS = 1_200;

export type Moment = { readonly view: View; readonly signal: AbortSignal };

const decide = async (
  settings: MindSettings,
  parts: LlmParts,
  moment: Moment,
): Promise<Thought> => {
  const thinking = beginThinking(settings, parts, moment);
  const { view } = moment;
  const memories = await recallFor(view, settings.rag, parts.memory);
  const { system, prompt } = promptWith(settings, parts, { view, memories });
  const { cognitiveSchema: schema, repairAttempts } = settings;
  const { jsonDepthMax } = parts;
  const about = { purpose: "decide", system, prompt, schema, jsonDepthMax, repairAttempts };
  const proposed = await proposeAction(thinking, about);
  const { usage, latencyMs } = thinking;
  if (!proposed.ok) {
    return { kind: "failed", reason: proposed.reason, message: proposed.message, usage };
  }
  const { action, reasoning, sleep } = proposed.reply;
  const waitMs = parts.thinkMs === "latency" ? latencyMs : 0;
  return { kind: "decided", action, reasoning, memory: null, usage, waitMs, sleep };
};

export const beginThinking = (
  { model: modelId, temperature, maxTokens, callsMax }: MindSettings,
  { model, pricing }: LlmParts,
  { view, signal }: Moment,
): Thinking =>
  new Thinking({ view, signal, model, pricing, modelId, temperature, maxTokens, callsMax });

/** What an agent sees, and what comes to its mind with it. */
type Impression = { readonly view: View; readonly memories: readonly Recalled[] };

/** The parts of a run that bear on prompts. */
type PromptParts = Pick<LlmParts, "actionsGuide" | "sleepMaxS" | "warn">;

/** The prompt of an agent as things stand: what it sees, recalls and keeps in mind. */
export const promptWith = (
  settings: MindSettings,
  parts: PromptParts,
  { view, memories }: Impression,
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
  "You have none yet. Write one to the artifact named after you with _working_memory behind it: " +
  "an object with current_goal, progress, lessons and strategic_objectives. " +
  "Nobody else reads it unless you give it another access.";

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
