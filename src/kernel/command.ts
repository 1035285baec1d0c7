import type { PermissionRequest, Permit } from "./access/permit.ts";
import type { Attachment, InvokeRequest, ReadAction, WriteRequest } from "./action/action.ts";
import type { MemoryKind, PrivateValues } from "./agent/agent.ts";
import type { Decider, OwnReviewTerms, ReviewDecision } from "./agent/review.ts";
import type { Artifact } from "./artifact/artifact.ts";
import type {
  AgentStateChange,
  CompletedThought,
  Event,
  ThoughtFailure,
  Told,
  WrittenFields,
} from "./event.ts";
import type { Subject } from "./invocation/subject.ts";
import type { Message } from "./messages/message.ts";
import type { NewTask } from "./mint/mint-state.ts";
import type { Id } from "./primitives/ids.ts";
import type { Json, JsonObject } from "./primitives/json.ts";
import type { Patch } from "./primitives/patch.ts";
import { type Refusal, type RefusalCode, refusal } from "./refusal.ts";
import type { Schedule } from "./schedule/schedule.ts";
import type { Physics, Quotas, Resource, StandingTerms } from "./setup/physics.ts";

/** A request to the kernel. Contains the time, random numbers, gas used and model output. */
export type Command = WorldCommand | MintCommand | ActCommand | AgentCommand;
export type CommandOf<K extends Command["kind"]> = {
  [P in K]: Extract<Command, { readonly kind: P }>;
}[K];

type Commands<Fields> = {
  [K in keyof Fields]: { readonly kind: K } & Readonly<Fields[K]>;
}[keyof Fields];

/** Commands from the runner, which sets up and runs the world. */
export type WorldCommand = Commands<{
  create_world: { at_ms: number; physics: Physics };
  install_artifact: { at_ms: number; id: Id; owner: Id; fields: WrittenFields };
  create_agent: {
    at_ms: number;
    id: Id;
    /** The agent's configuration as JSON text. */
    content: string;
    memory: string;
    /** The content of the agent's workspace. Absent: the agent starts without a workspace. */
    workspace?: string;
    endowment: Endowment;
    /** A label by which reports sum up agents, or null. */
    group: string | null;
    /** The addresses to which the agent may send messages. Absent: all. */
    contacts?: readonly Id[];
    /** What artifacts are worth to the agent. Absent: it values none. */
    values?: PrivateValues;
    /** The standing order that the agent starts with. Absent: the default of the world. */
    standing?: StandingTerms;
    /** Its terms of review. Absent: the terms of the world. */
    review?: OwnReviewTerms;
    starts_at_ms: number;
  };
  /** Replaces the physics. Existing accounts keep their balances and quotas. */
  amend_physics: { at_ms: number; physics: Physics };
  rewrite_agent: { at_ms: number; id: Id; content: string };
  /** `contacts`: null for all addresses. */
  set_contacts: { at_ms: number; agent: Id; contacts: readonly Id[] | null };
  set_review: { at_ms: number; agent: Id } & OwnReviewTerms;
  /** Replaces the entries that are not executed yet, and the settings of executed entries. */
  plan_schedule: { at_ms: number } & Schedule;
  /** Executes the next entry of the schedule. */
  execute_scheduled: {
    at_ms: number;
    /** The new physics, if the entry sets settings. Absent: `problem` says why there are none. */
    physics?: Physics;
    problem?: string;
    /** The analysis of the code, if the entry installs code. */
    code_check?: CodeCheck;
  };
}>;

export type Endowment = {
  readonly scrip: number;
  readonly llm_budget_micros: number;
  /** Disk quota in bytes. The size of the agent's own two artifacts is added to it. */
  readonly disk_bytes: number;
  readonly quotas: Quotas;
};

/** Commands from an actor. An actor is an agent or a program that runs for an agent. */
export type ActCommand = Commands<{
  read_artifact: ReadRequest;
  write_artifact: WriteCommand;
  open_invocation: OpenInvocation;
  close_invocation: { call: Call; ran: CallResult };
  fail_invocation: {
    by: Subject;
    request: Pick<InvokeRequest, "artifact_id" | "method">;
    failed: CallFailure;
  };
  call_native: NativeRequest;
  create_principal: SpawnRequest;
  pay: { by: Subject; to: Id; scrip: Json };
  charge: ChargeRequest;
  give: { by: Subject; artifact: Id; to: Id; callers: readonly Id[] };
  record_draws: { by: Subject; draws: number; prng: readonly number[] };
  end_action: { by: Subject; ended: ActionOutcome };
}>;

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

export type AgentCommand = Commands<{
  /** Starts a thought that ends after `think_ms` with `complete_thought` or `fail_thought`. */
  start_thought: { at_ms: number; agent: Id; think_ms: number };
  /** `epoch` is the agent's epoch when the thought started. */
  complete_thought: CompletedThought & {
    at_ms: number;
    agent: Id;
    think_ms: number;
    epoch: number;
  };
  fail_thought: ThoughtFailure & { at_ms: number; agent: Id; epoch: number };
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
  /** Sends a message of the operator of the run. It wakes an agent that sleeps. */
  send_message: {
    at_ms: number;
    to: Id;
    text: string;
    reset: Message["reset"];
    reply_to: number | null;
  };
}>;

/** Commands from the clock and the scorer of the mint. */
export type MintCommand = Commands<{
  sell_compute: { at_ms: number };
  resolve_auction: { at_ms: number };
  score_artifact: { at_ms: number; submission: string; score: number; reason: string; memo: Json };
  fail_scoring: { at_ms: number; submission: string; reason: string };
  open_task: { at_ms: number } & NewTask;
}>;

export type ReadRequest = Omit<ReadAction, "kind"> & {
  readonly by: Subject;
  readonly permit?: Permit;
};

export type WriteCommand = Evidence & {
  readonly by: Subject;
  readonly request: WriteRequest;
  /** Bytes that earlier writes of the same action used. */
  readonly bytesSpent: number;
};

export type OpenInvocation = {
  readonly by: Subject;
  readonly request: InvokeRequest;
  readonly permit?: Permit;
};

/** A permitted and paid call. The code of the called artifact can now run. */
export type Call = {
  readonly artifact: Artifact;
  readonly method: string;
  readonly args: readonly Json[];
  readonly attach: Attachment;
  readonly price: number;
  readonly paidTo: Id | null;
  readonly caller: Subject;
  /** The called artifact as an actor. */
  readonly self: Subject;
};

export type CallFailure = {
  readonly refusal: Refusal;
  readonly gas: number;
  readonly timedOut: boolean;
  readonly log: string;
};

export type CallResult = {
  readonly state: string | null;
  readonly gas: number;
  readonly log: string;
  /** Whom the program notified of the call. */
  readonly notified: readonly Id[];
  /** What the program told some of them. */
  readonly told?: readonly Told[];
};

export type NativeRequest = Evidence & InvokeRequest & { readonly by: Subject };

export type ChargeRequest = { readonly by: Subject; readonly from: Id; readonly scrip: Json };

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

export type SpawnRequest = Evidence & {
  readonly by: Subject;
  /** Unvalidated fields, which `planSpawn` parses. */
  readonly fields: JsonObject;
};

/**
 * Evidence that the kernel needs before it can decide: the answer of an access contract, the
 * results of test runs, the analysis of code, or the validity of an agent's configuration. The
 * world repeats the command with the evidence.
 */
export type Question =
  | { readonly kind: "permission"; readonly contract: Id; readonly request: PermissionRequest }
  | {
      readonly kind: "trial";
      readonly artifact: Id;
      readonly method: string;
      readonly runs: readonly (readonly Json[])[];
      /** Gas limit of each run. Each run is charged this limit in full. */
      readonly gas_each: number;
    }
  | { readonly kind: "code_check"; readonly code: string }
  | { readonly kind: "agent_check"; readonly content: string };

export type TrialRun =
  | { readonly ok: true; readonly result: Json }
  | { readonly ok: false; readonly message: string };

/** The analysis of code, or why the code is invalid. */
export type CodeCheck =
  | {
      readonly methods: readonly string[];
      /** Fingerprint for comparing code. */
      readonly print: string;
    }
  | { readonly refusal: Refusal };

export type Evidence = {
  readonly permit?: Permit;
  readonly trial?: readonly TrialRun[];
  readonly code_check?: CodeCheck;
  /** `problem` is null if the agent's configuration is valid. */
  readonly agent_check?: { readonly problem: string | null };
};

/** One of three: acceptance (with events and an answer), refusal, or a question for the world. */
export type Decision<Answer = Json> = Accepted<Answer> | Refused | Asks;

export type Accepted<Answer> = {
  readonly kind: "accepted";
  readonly events: readonly Event[];
  readonly answer: Answer;
};
export type Refused = { readonly kind: "refused"; readonly refusal: Refusal };
export type Asks = { readonly kind: "asks"; readonly question: Question };

export const accept = <Answer>(events: readonly Event[], answer: Answer): Accepted<Answer> => ({
  kind: "accepted",
  events,
  answer,
});

export const answered = <A, B>(decision: Decision<A>, map: (answer: A) => B): Decision<B> =>
  decision.kind === "accepted" ? accept(decision.events, map(decision.answer)) : decision;

export const refuse = (code: RefusalCode, message: string, data?: Json): Refused => ({
  kind: "refused",
  refusal: refusal(code, message, data),
});
