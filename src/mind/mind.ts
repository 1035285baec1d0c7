import type { Json, MemoryNote, Self, Sleep, ThoughtUsage, View } from "../kernel/index.ts";

/** What thinking once takes, known before it is done. */
export type ThoughtPrice = {
  readonly micros: number;
  readonly calls: number;
  readonly tokens: number;
};

/** A decision: what to do, and what to keep until the next time. */
export type Decided = {
  readonly kind: "decided";
  readonly action: Json;
  readonly reasoning: string;
  readonly memory: Json;
  readonly usage: ThoughtUsage;
  /** Simulated ms to wait on top of the thinking time. */
  readonly waitMs: number;
  /** To sleep once it has acted: the kernel bounds it. */
  readonly sleep: Sleep | null;
  /** What it wants to keep besides; `workingMemory` null leaves that as it is. */
  readonly keeps?: { readonly notes: readonly string[]; readonly workingMemory: string | null };
};

/** No more decisions will come. */
export type Finished = { readonly kind: "finished"; readonly reason: string };

/** A thought that came to nothing; the agent reads why. */
export type Failed = {
  readonly kind: "failed";
  readonly reason: "llm_error" | "insufficient_llm_tokens" | "intent_rejected";
  readonly message: string;
  /** To keep until the next time, as of a decision; null leaves what was kept as it is. */
  readonly memory: Json;
  readonly usage: ThoughtUsage;
};

export type Thought = Decided | Finished | Failed;

/**
 * What is to be remembered of the deeds that an agent has not yet taken into its memory, and of
 * what it says besides. `text` is what its memory artifact is to say from then on; null where
 * memories are kept elsewhere.
 */
export type Recollect = (
  self: Self,
  said: readonly string[],
) => { readonly notes: readonly MemoryNote[]; readonly text: string | null };

/**
 * How one agent decides.
 *
 * Contract: `decide` never throws or rejects for what the world or a model can cause. It keeps
 * nothing of its own between calls: what it wants to remember goes into `memory` and comes back in
 * `view.agent.mind`, so that a mind can be stopped, saved and restored between any two thoughts.
 */
export type Mind = {
  readonly price: ThoughtPrice;
  /** The part of a thought that the run simulates, in ms: [least, most]. */
  readonly thinkMs: readonly [number, number];
  /** False for minds that go on as they are told, however often they fail. */
  readonly backsOff: boolean;
  /** What its agent is to remember of what it has done; null for minds that never recall. */
  readonly recollect: Recollect | null;
  decide(view: View, signal: AbortSignal): Thought | Promise<Thought>;
};

export const FREE: ThoughtUsage = {
  calls: 0,
  input_tokens: 0,
  output_tokens: 0,
  cost_micros: 0,
  api_cost_micros: 0,
};
