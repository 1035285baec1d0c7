import type {
  MemoryQuery,
  ModelReply,
  ModelRequest,
  ProviderName,
  Recall,
  Thought,
} from "../../mind/index.ts";
import type { SentRequest } from "./request-codec.ts";
import type { SentView } from "./view-codec.ts";

/** What the run asks of a worker, which makes thoughts. */
export type WorkerMethods = {
  readonly decide: (asked: SentThought, signal: AbortSignal) => Promise<Thought>;
  /** Makes one attempt of a model call that the worker has asked for. */
  readonly attempt: (attempt: SentAttempt, signal: AbortSignal) => Promise<ModelReply>;
};

/** A thought to make. `thought` counts the thoughts that the run has asked this worker for. */
export type SentThought = { readonly thought: number; readonly view: SentView };

export type SentAttempt = {
  /** The number that the worker gave to the call. */
  readonly call: number;
  readonly provider: ProviderName;
  readonly nth: number;
  /** What can differ between the attempts of a call. */
  readonly changes: Pick<ModelRequest, "model" | "attempt">;
};

export type SentCall = {
  /** The worker counts its calls. */
  readonly call: number;
  /** The thought that makes the call. Null: a call after the end of its thought. */
  readonly thought: number | null;
  readonly request: SentRequest;
};

/**
 * What a worker asks of the run. The run limits, pays, records and repeats all model calls, and has
 * the memories of the agents.
 */
export type HostMethods = {
  readonly ask: (asked: SentCall, signal: AbortSignal) => Promise<ModelReply>;
  readonly recall: (query: MemoryQuery, signal: AbortSignal) => Promise<Recall>;
  /** Takes a message for the people who run the simulation, which the journal keeps. */
  readonly warn: (text: string, signal: AbortSignal) => Promise<null>;
  /** Takes a message that does not belong in the journal. */
  readonly note: (text: string, signal: AbortSignal) => Promise<null>;
};
