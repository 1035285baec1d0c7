import type { Id } from "./ids.ts";
import type { Json } from "./json.ts";
import type { PermissionRequest, Permit } from "./permit.ts";
import type { Refusal } from "./refusal.ts";

/**
 * What the kernel cannot know by itself and asks the world for: the answer of an access contract,
 * what a program returns for some arguments, what a code is, whether a text is the configuration of
 * an agent. The world finds it out and puts the command again with the evidence.
 */
export type Question =
  | {
      readonly kind: "permission";
      readonly contract: Id;
      readonly request: PermissionRequest;
    }
  | {
      readonly kind: "trial";
      readonly artifact: Id;
      readonly method: string;
      /** The arguments of each run. Every run is alone: no syscalls, no state kept. */
      readonly runs: readonly (readonly Json[])[];
      /** What each run may use, and what is charged for it whatever it used. */
      readonly gas_each: number;
    }
  | { readonly kind: "code_check"; readonly code: string }
  | { readonly kind: "agent_check"; readonly content: string };

/** One run of a trial: what it returned, or why it returned nothing. */
export type TrialRun =
  | { readonly ok: true; readonly result: Json }
  | { readonly ok: false; readonly message: string };

/** What a code is, or why it cannot be code. */
export type CodeCheck =
  | {
      /** The functions that it defines and others may call. */
      readonly methods: readonly string[];
      /** A short text by which the world can tell how like another code it is. */
      readonly print: string;
    }
  | { readonly refusal: Refusal };

export type Evidence = {
  readonly permit?: Permit;
  readonly trial?: readonly TrialRun[];
  readonly code_check?: CodeCheck;
  /** What is wrong with the configuration, null when nothing is. */
  readonly agent_check?: { readonly problem: string | null };
};
