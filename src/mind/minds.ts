import { z } from "zod";
import { type Json, must, type View } from "../kernel/index.ts";
import { type AgentConfig, isModelMind, policyOf } from "./agent-config.ts";
import { type LlmParts, llmMind } from "./llm/llm-mind.ts";
import { type LlmDefaults, settingsOf } from "./llm/mind-settings.ts";
import type { Mind, Thought, ThoughtPrice } from "./mind.ts";
import { readMemory } from "./mind-memory-codec.ts";
import { Dice, diceState } from "./policy/dice.ts";
import type { KnowHow } from "./policy/know-how.ts";
import { POLICIES } from "./policy/policies.ts";
import type { Strategy } from "./policy/policy.ts";
import { scriptMind } from "./script/script.ts";

export type MindParts = {
  readonly seed: number;
  /** Returns the programs that policies can write. Called only if an agent has a policy. */
  readonly knowHow: () => KnowHow;
  readonly policyPrice: ThoughtPrice;
  readonly policyThinkMs: readonly [number, number];
  readonly scriptThinkMs: number;
  /** Null in a run without language models. */
  readonly llm: ModelParts | null;
};

type ModelParts = { readonly defaults: LlmDefaults; readonly parts: LlmParts };

/** The mind of an agent. The configuration has been validated. */
export const mindFor = (id: string, config: AgentConfig, parts: MindParts): Mind => {
  if (config.mind === "script") {
    const { script = [], script_loop = false } = config;
    return scriptMind({ entries: script, loop: script_loop, thinkMs: parts.scriptThinkMs });
  }
  if (isModelMind(config.mind)) {
    const { defaults, parts: shared } = must(parts.llm, "a run with model minds has models");
    return llmMind({ settings: settingsOf(config, defaults), workflow: config.workflow }, shared);
  }
  const { seed, knowHow, policyPrice: price, policyThinkMs: thinkMs } = parts;
  const name = policyOf(config.mind);
  const settings = { name, id, seed, knowHow: knowHow(), price, thinkMs };
  return policyMind(POLICIES[name].start(config.policy ?? {}), settings);
};

type PolicyMindSettings = {
  readonly name: string;
  readonly id: string;
  readonly seed: number;
  readonly knowHow: KnowHow;
  readonly price: ThoughtPrice;
  readonly thinkMs: readonly [number, number];
};

/**
 * A mind that follows a policy. Its thoughts cost model budget as a model's do, because free
 * thinking would distort the economy.
 */
const policyMind = (strategy: Strategy, settings: PolicyMindSettings): Mind => ({
  price: settings.price,
  thinkMs: settings.thinkMs,
  recollect: null,
  decide: (view) => decide(strategy, settings, view),
});

/** `of` is the name of the policy that wrote `policy`, because another policy cannot read it. */
type Kept = { readonly dice: Json; readonly policy: Json; readonly of: string };

/** `dice` and `policy` are not checked here, because their readers check them. */
const keptSchema: z.ZodType<Kept> = z.object({
  dice: z.custom<Json>(),
  policy: z.custom<Json>(),
  of: z.string(),
});

const decide = (
  strategy: Strategy,
  { name, id, seed, knowHow, price }: PolicyMindSettings,
  view: View,
): Thought => {
  const kept = readMemory(view.agent.mind, { dice: null, policy: null, of: name }, keptSchema);
  const rolled = diceState(kept.dice);
  const dice = rolled === null ? Dice.of(seed, id) : new Dice(rolled);
  const memory = kept.of === name ? kept.policy : null;
  const move = strategy({ view, knowHow, memory, dice, thoughtMicros: price.micros });
  return {
    kind: "decided",
    action: move.action,
    reasoning: move.why,
    memory: { dice: dice.state, policy: move.memory, of: name },
    usage: {
      calls: price.calls,
      input_tokens: price.tokens,
      output_tokens: 0,
      cost_micros: price.micros,
      api_cost_micros: 0,
    },
    waitMs: move.waitMs ?? 0,
    sleep: move.sleep ?? null,
  };
};
