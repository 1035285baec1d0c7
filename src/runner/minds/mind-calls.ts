import type {
  MemoryQuery,
  ModelReply,
  ModelRequest,
  ProviderName,
  Recall,
  Thought,
} from "../../mind/index.ts";
import type { SentView } from "./view-codec.ts";

/** A model request without what only the place of its mind needs. */
export type SentRequest = Omit<
  ModelRequest,
  "form" | "messages" | "durable" | "attemptBy" | "onDelta" | "onRetry"
> & { readonly form: { readonly name: string; readonly bytes: number } | null };

/** What the run asks of a worker, which makes thoughts. */
export type WorkerMethods = {
  readonly decide: (view: SentView, signal: AbortSignal) => Promise<Thought>;
  /** Makes one attempt of a model call that the worker has asked for. */
  readonly attempt: (attempt: SentAttempt, signal: AbortSignal) => Promise<ModelReply>;
};

export type SentAttempt = {
  /** The number that the worker gave to the call. */
  readonly call: number;
  readonly provider: ProviderName;
  readonly nth: number;
  /** What can differ between the attempts of a call. */
  readonly changes: Pick<ModelRequest, "model" | "attempt">;
};

/**
 * What a worker asks of the run. The run limits, pays, records and repeats all model calls, and has
 * the memories of the agents.
 */
export type HostMethods = {
  readonly ask: (
    asked: { readonly call: number; readonly request: SentRequest },
    signal: AbortSignal,
  ) => Promise<ModelReply>;
  readonly recall: (query: MemoryQuery, signal: AbortSignal) => Promise<Recall>;
  /** Takes a message for the people who run the simulation, which the journal keeps. */
  readonly warn: (text: string, signal: AbortSignal) => Promise<null>;
  /** Takes a message that does not belong in the journal. */
  readonly note: (text: string, signal: AbortSignal) => Promise<null>;
};
