import type { View } from "../../../src/kernel/index.ts";
import {
  type AgentConfig,
  knowHowOf,
  type Mind,
  mindFor,
  type Thought,
} from "../../../src/mind/index.ts";
import { shipped } from "../library/shipped.ts";

export const knowHow = knowHowOf(shipped);
export const THOUGHT_MICROS = 1_500;

/** The agent `me` with a policy and its settings. */
export const mind = (name: AgentConfig["mind"], policy = {}): Mind =>
  mindFor(
    "me",
    { mind: name, policy },
    {
      seed: 7,
      knowHow: () => knowHow,
      policyPrice: { micros: THOUGHT_MICROS, calls: 0, tokens: 400 },
      policyThinkMs: [200, 800],
      scriptThinkMs: 100,
      llm: null,
    },
  );

export type Decided = Extract<Thought, { kind: "decided" }>;

export const decide = (thinker: Mind, view: View): Decided => {
  const thought = thinker.decide(view, new AbortController().signal);
  if (thought instanceof Promise || thought.kind !== "decided") throw new Error("a policy decides");
  return thought;
};
