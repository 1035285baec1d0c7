import type { View } from "../../kernel/index.ts";
import type { Mind, Thought } from "../mind.ts";
import type { Durable, Model, Pricing } from "../model/index.ts";
import { askUntilRead, decisionWanted } from "../reply/index.ts";
import { promptWith } from "./agent-prompt.ts";
import type { MindSettings } from "./mind-settings.ts";
import { type MemoryBackend, recallFor } from "./recalling.ts";
import { recollectionOf } from "./recollection.ts";
import { Thinking } from "./thinking.ts";
import { priceOf } from "./thought-price.ts";

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
  readonly thinkMs: "recorded" | readonly [number, number];
  readonly durable: Durable;
  /** Takes note of trouble that stops nobody; the same text more than once is one note. */
  readonly warn: (text: string) => void;
};

/** The mind of an agent without a workflow: one prompt, one decision. */
export const llmMind = (settings: MindSettings, parts: LlmParts): Mind => ({
  price: priceOf(settings, parts.pricing),
  thinkMs: parts.thinkMs === "recorded" ? [0, 0] : parts.thinkMs,
  backsOff: true,
  recollect: recollectionOf(settings, parts.memory),
  decide: (view, signal) => decide(settings, parts, { view, signal }),
});

export type Moment = { readonly view: View; readonly signal: AbortSignal };

const decide = async (
  settings: MindSettings,
  parts: LlmParts,
  moment: Moment,
): Promise<Thought> => {
  const thinking = beginThinking(settings, parts, moment);
  const { view } = moment;
  const memories = await recallFor(moment, settings.rag, parts.memory);
  const { system, prompt } = promptWith(settings, parts, { view, memories });
  const { cognitiveSchema: schema, repairAttempts: repairs } = settings;
  const wanted = decisionWanted({ schema, jsonDepthMax: parts.jsonDepthMax });
  const inquiry = { purpose: "decide", prompt, wanted, repairs, retries: 0 };
  const decision = await askUntilRead(thinking.asking(system), inquiry);
  const { usage, latencyMs } = thinking;
  if (!decision.ok) {
    const { reason, message } = decision;
    return { kind: "failed", reason, message, memory: null, usage };
  }
  const { action, reasoning, sleep } = decision.value;
  const waitMs = parts.thinkMs === "recorded" ? latencyMs : 0;
  return { kind: "decided", action, reasoning, memory: null, usage, waitMs, sleep };
};

export const beginThinking = (
  { model: modelId, temperature, maxTokens, callsMax }: MindSettings,
  { model, pricing, durable }: LlmParts,
  { view, signal }: Moment,
): Thinking =>
  new Thinking({
    view,
    signal,
    model,
    pricing,
    modelId,
    temperature,
    maxTokens,
    callsMax,
    durable: durable(),
  });
