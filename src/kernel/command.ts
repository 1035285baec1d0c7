import type { InvokeRequest } from "./action.ts";
import type { AgentState } from "./agent.ts";
import type { Charging } from "./charge.ts";
import type { ThoughtUsage, WrittenFields } from "./event.ts";
import type { NativeRequest } from "./genesis/index.ts";
import type { Id } from "./ids.ts";
import type { Call, Failed, OpenInvocation, Ran } from "./invocation.ts";
import type { Json } from "./json.ts";
import type { MintCommand } from "./mint/index.ts";
import type { Patch } from "./patch.ts";
import type { Physics, Quotas, Resource } from "./physics.ts";
import type { ReadRequest } from "./read.ts";
import type { Refusal } from "./refusal.ts";
import type { Remembering } from "./remembering.ts";
import type { Sleep } from "./sleep.ts";
import type { Spawning } from "./spawn.ts";
import type { Subject } from "./subject.ts";
import type { WriteCommand } from "./write.ts";

/** What can be asked of the kernel. Time, chance, gas used and model output come in with it. */
export type Command = WorldCommand | MintCommand | ActCommand | AgentCommand;

/** From those who set up and run the world. */
export type WorldCommand =
  | { readonly kind: "create_world"; readonly at_ms: number; readonly physics: Physics }
  | {
      readonly kind: "install_artifact";
      readonly at_ms: number;
      readonly id: Id;
      readonly owner: Id;
      readonly fields: WrittenFields;
    }
  | {
      readonly kind: "create_agent";
      readonly at_ms: number;
      readonly id: Id;
      /** The agent's configuration as JSON text. */
      readonly content: string;
      readonly memory: string;
      readonly endowment: Endowment;
      readonly starts_at_ms: number;
    }
  /** What holds from now on; accounts keep what they were given. */
  | { readonly kind: "amend_physics"; readonly at_ms: number; readonly physics: Physics }
  /** Another configuration for an agent that there is. */
  | {
      readonly kind: "rewrite_agent";
      readonly at_ms: number;
      readonly id: Id;
      readonly content: string;
    };

/** What an agent of the first day is given. */
export type Endowment = {
  readonly scrip: number;
  readonly llm_budget_micros: number;
  /** On top of what its own two artifacts take. */
  readonly disk_bytes: number;
  readonly quotas: Quotas;
};

/** From an actor: an agent at the top of an action, or a program inside it. */
export type ActCommand =
  | ({ readonly kind: "read_artifact" } & ReadRequest)
  | ({ readonly kind: "write_artifact" } & WriteCommand)
  | ({ readonly kind: "open_invocation" } & OpenInvocation)
  | { readonly kind: "close_invocation"; readonly call: Call; readonly ran: Ran }
  | {
      readonly kind: "fail_invocation";
      readonly by: Subject;
      readonly request: Pick<InvokeRequest, "artifact_id" | "method">;
      readonly failed: Failed;
    }
  | ({ readonly kind: "call_native" } & NativeRequest)
  | ({ readonly kind: "create_principal" } & Omit<Spawning, "fees">)
  | {
      readonly kind: "pay";
      readonly by: Subject;
      readonly to: Id;
      readonly scrip: Json;
    }
  | ({ readonly kind: "charge" } & Charging)
  | {
      readonly kind: "give";
      readonly by: Subject;
      readonly artifact: Id;
      readonly to: Id;
      readonly askers: readonly Id[];
    }
  | {
      readonly kind: "keep_draws";
      readonly by: Subject;
      readonly draws: number;
      readonly prng: readonly number[];
    }
  | { readonly kind: "end_action"; readonly by: Subject; readonly ended: Ended };

/** How an action came out, for its principal's books and memory. */
export type Ended = {
  readonly action: string;
  readonly target: string | null;
  readonly method: string | null;
  readonly refusal: Refusal | null;
  readonly message: string;
  /** JSON text of the answer; null for a read, which the agent remembers from the artifact. */
  readonly result: string | null;
  readonly scrip: number;
  readonly gas: number;
  readonly bytes: number;
  /** False for scripted agents, who do what they are told however often it fails. */
  readonly backoff: boolean;
};

/** From the loop of an agent. */
export type AgentCommand =
  | {
      readonly kind: "complete_thought";
      readonly at_ms: number;
      readonly agent: Id;
      readonly action: Json;
      readonly reasoning: string;
      /** How what the mind keeps changes. */
      readonly mind: Patch;
      readonly usage: ThoughtUsage;
      readonly think_ms: number;
      readonly sleep: Sleep | null;
      /** The agent's epoch when the thought began. */
      readonly epoch: number;
    }
  | {
      readonly kind: "fail_thought";
      readonly at_ms: number;
      readonly agent: Id;
      readonly reason: "llm_error" | "insufficient_llm_tokens" | "intent_rejected";
      readonly message: string;
      /** How what the mind keeps changes all the same; absent where it does not. */
      readonly mind?: Patch;
      readonly usage: ThoughtUsage;
      readonly backoff: boolean;
      readonly epoch: number;
    }
  | ({ readonly kind: "remember" } & Remembering)
  | { readonly kind: "declare_bankrupt"; readonly at_ms: number; readonly agent: Id }
  | {
      readonly kind: "freeze_agent";
      readonly at_ms: number;
      readonly agent: Id;
      readonly needs_micros: number;
    }
  | {
      readonly kind: "limit_agent";
      readonly at_ms: number;
      readonly agent: Id;
      readonly resource: Resource;
      readonly amount: number;
    }
  | {
      readonly kind: "change_agent_state";
      readonly at_ms: number;
      readonly agent: Id;
      readonly to: AgentState;
      readonly reason: string;
      readonly due_at_ms: number | null;
    };
