import type {
  Json,
  MemoryNote,
  Patch,
  Self,
  Sleep,
  ThoughtUsage,
  View,
} from "../../kernel/index.ts";
import type { ModelFault } from "../../model/index.ts";

/** What an agent must have to start a thought: model budget, and amounts in its windows. */
export type ThoughtPrice = {
  readonly micros: number;
  readonly calls: number;
  readonly tokens: number;
};

export type Decided = {
  readonly kind: "decided";
  readonly action: Json;
  readonly reasoning: string;
  readonly memory: Json;
  readonly usage: ThoughtUsage;
  /** The simulated time to wait in addition to the thinking time. */
  readonly waitMs: number;
  readonly sleep: Sleep | null;
  /** The number of the last message that the mind has read. Absent: it has read what it saw. */
  readonly read_through?: number;
  /** Notes to remember, and changes of other memories. Null changes nothing. */
  readonly keeps?: {
    readonly notes: readonly string[];
    readonly workingMemory: string | null;
    readonly workspace?: Patch | null;
  };
};

type Finished = { readonly kind: "finished"; readonly reason: string };

/** `unreadable_reply`: the model replied, but the reply contains no answer that can be read. */
type ThoughtFault = ModelFault | "unreadable_reply";

export type FailedThought = {
  readonly kind: "failed";
  readonly reason: "llm_error" | "insufficient_llm_tokens" | "intent_rejected";
  /** Why an `llm_error` happened. Absent for other failures. */
  readonly fault?: ThoughtFault;
  readonly message: string;
  /** The new memory, or null to leave the memory unchanged. */
  readonly memory: Json;
  readonly usage: ThoughtUsage;
};

export type Thought = (Decided | Finished | FailedThought) & {
  /** Messages for the people who run the simulation. */
  readonly warnings?: readonly string[];
  /** True if the model budget of the run could not pay a call of this thought. */
  readonly isOverBudget?: boolean;
};

/** Turns an agent's latest actions into memories. `text`: new content of its memory artifact. */
export type Recollect = (
  self: Self,
  said: readonly string[],
) => { readonly notes: readonly MemoryNote[]; readonly text: string | null };

/**
 * How one agent decides.
 *
 * Contract: `decide` never throws or rejects because of the world or a model. `decide` keeps no
 * state between calls. The `memory` that `decide` returns comes back in `view.agent.mind`, so a
 * mind can be stopped, saved and restored between any two thoughts.
 */
export type Mind = {
  /** An agent that has this much can always start its next thought. */
  readonly price: ThoughtPrice;
  /** How an agent that has less can pay for its thoughts. Null if every thought costs `price`. */
  readonly exactPrice: {
    /** Returns the price of a thought that starts with this view. */
    of(view: View): ThoughtPrice;
    /**
     * Returns at once a price that is not lower, if the agent can pay it. Null: `of` must decide.
     * Absent: `of` itself is fast.
     */
    sufficient?(view: View): ThoughtPrice | null;
    /** A hash of the settings that the price depends on, besides the view. */
    readonly terms: number;
  } | null;
  /** The simulated duration of a thought: a range [min, max] in ms. */
  readonly thinkMs: readonly [number, number];
  /**
   * Not null if `decide` asks a model and `thinkMs` is the whole duration of a thought. These
   * thoughts run in parallel in simulated time. `maxMicros` is the highest cost of one thought.
   */
  readonly parallel: { readonly maxMicros: number } | null;
  readonly recollect: Recollect | null;
  /**
   * True if `decide` returns no promise and passes its view to no other thread. Its view then makes
   * each part when it is first read.
   */
  readonly hasLazyView: boolean;
  /** Set if failures neither delay nor pause the agent, because it does what others planned. */
  readonly backsOff?: false;
  decide(view: View, signal: AbortSignal): Thought | Promise<Thought>;
};

export const FREE: ThoughtUsage = {
  calls: 0,
  input_tokens: 0,
  output_tokens: 0,
  cost_micros: 0,
  api_cost_micros: 0,
};
