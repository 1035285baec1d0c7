import type { Id } from "./ids.ts";
import type { Json } from "./json.ts";
import { type Refusal, type RefusalCode, refusal } from "./refusal.ts";

/** One of three: acceptance (with events and an answer), refusal, or a question for the world. */
export type Decision<Answer = Json, Event = never> = Accepted<Answer, Event> | Refused | Asks;

type Accepted<Answer, Event = never> = {
  readonly kind: "accepted";
  readonly events: readonly Event[];
  readonly answer: Answer;
};
export type Refused = { readonly kind: "refused"; readonly refusal: Refusal };
export type Asks = { readonly kind: "asks"; readonly question: Question };

export const accept = <Answer, Event>(
  events: readonly Event[],
  answer: Answer,
): Accepted<Answer, Event> => ({ kind: "accepted", events, answer });

export const answered = <A, B, Event>(
  decision: Decision<A, Event>,
  map: (answer: A) => B,
): Decision<B, Event> =>
  decision.kind === "accepted" ? accept(decision.events, map(decision.answer)) : decision;

export const refuse = (code: RefusalCode, message: string, data?: Json): Refused => ({
  kind: "refused",
  refusal: refusal(code, message, data),
});

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

export type AccessVerb = "read" | "write" | "invoke" | "delete";

/** The argument of `check_permission` of a custom contract. */
export type PermissionRequest = {
  readonly caller: Id;
  readonly verb: AccessVerb;
  readonly target: Id;
  readonly owner: Id;
  readonly method: string | null;
  readonly args: readonly Json[];
};

/** The answer of an access contract. */
export type Permit = {
  readonly contract: Id;
  readonly allowed: boolean;
  readonly reason: string;
  readonly cost: number;
  /** Null if the caller pays. */
  readonly payer: Id | null;
  /** Null if the target's owner receives the payment. */
  readonly recipient: Id | null;
};

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
