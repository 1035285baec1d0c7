import type {
  AgentStateChange,
  Decider,
  MemoryKind,
  OwnReviewTerms,
  ReviewDecision,
} from "../agent/agent.ts";
import type { Id } from "../core/ids.ts";
import type { Patch } from "../core/patch.ts";
import type { Resource } from "../core/physics.ts";
import type { Refusal } from "../core/refusal.ts";
import type { Subject } from "../ledger/subject.ts";
import type { CompletedThought, ThoughtFailure } from "./events.ts";
/** The result and the cost of an action. */
export type ActionOutcome = {
  readonly action: string;
  readonly target: string | null;
  readonly method: string | null;
  readonly refusal: Refusal | null;
  readonly message: string;
  /** JSON text of the answer or of a refusal's data. Null for a noop, a read or no data. */
  readonly result: string | null;
  readonly scrip: number;
  readonly gas: number;
  readonly bytes: number;
};

/** Absent: a failure delays the agent, and many in a row pause it. The kind of its mind decides. */
type Pace = { readonly backs_off?: false };

/** Commands from the runner about the loop of an agent. */
export type LoopCommands = {
  /** Starts a thought that ends after `think_ms` with `complete_thought` or `fail_thought`. */
  start_thought: { at_ms: number; agent: Id; think_ms: number };
  /** `epoch` is the agent's epoch when the thought started. */
  complete_thought: CompletedThought & {
    at_ms: number;
    agent: Id;
    think_ms: number;
    epoch: number;
  };
  fail_thought: ThoughtFailure & { at_ms: number; agent: Id; epoch: number } & Pace;
  remember: MemoryUpdate;
  declare_bankrupt: { at_ms: number; agent: Id };
  freeze_agent: { at_ms: number; agent: Id; needs_micros: number; terms?: number };
  limit_agent: {
    at_ms: number;
    agent: Id;
    resource: Resource;
    amount: number;
    /** As in `agent_frozen`. */
    terms?: number;
  };
  change_agent_state: AgentStateChange & { at_ms: number; agent: Id };
  /** `answer_after_ms`: when the default applies, unless the action waits for its reviewer. */
  propose_action: { at_ms: number; agent: Id; answer_after_ms: number };
  decide_proposal: {
    at_ms: number;
    proposal: number;
    decided_by: Decider;
    decision: ReviewDecision;
  };
  set_review: { at_ms: number; agent: Id } & OwnReviewTerms;
  end_action: { by: Subject; ended: ActionOutcome } & Pace;
};

export type MemoryNote = { readonly kind: MemoryKind; readonly text: string };

export type MemoryUpdate = {
  readonly at_ms: number;
  readonly agent: Id;
  readonly notes: readonly MemoryNote[];
  /** The memories of the agent's first `through` actions are complete. */
  readonly through: number;
  /** Null if no text changes. */
  readonly write: MemoryWrite | null;
};

/** The new text of the memory or of the working memory, or a change of the workspace. */
export type MemoryWrite =
  | { readonly into: "memory" | "working_memory"; readonly content: string }
  | { readonly into: "workspace"; readonly patch: Patch };
