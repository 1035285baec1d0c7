import type { z } from "zod";
import type { Id } from "../../kernel/index.ts";

/** One call of a language model. It is recorded, and never holds secrets. */
export type ModelRequest = {
  /** `provider/model`, for example `gemini/gemini-3-flash-preview`. */
  readonly model: string;
  /** `decide`, `repair`, `score`, or the name of a workflow step. */
  readonly purpose: string;
  /** The agent that pays; null: the run. */
  readonly agent: Id | null;
  /** The constant part, first, so that providers can cache it. */
  readonly system: string;
  readonly prompt: string;
  /** The requested form of the reply; null: any text. */
  readonly form: ReplyForm | null;
  /** Null: the provider's default. */
  readonly temperature: number | null;
  /** The maximum of reply tokens, reasoning included. */
  readonly maxTokens: number;
  /** See `afterCommit`. Absent: everything up to the call. */
  readonly durable?: Promise<boolean>;
  /** Messages of earlier faults, which the prompt may contain and a new fault may repeat. */
  readonly toldFaults?: readonly string[];
};

/** The form of a reply. The port passes it on and returns text; the caller parses the reply. */
export type ReplyForm = {
  /** The name in records. */
  readonly name: string;
  /** With unions and free-form values, for providers that support them. */
  readonly rich: z.ZodType;
  /** One object, every field required or nullable, no unions or records: for strict providers. */
  readonly flat: z.ZodType;
  /** A description with an example, for providers that only support text. */
  readonly described: string;
};

/**
 * Tokens of one call. `input` includes cached input, `output` includes reasoning. `estimated` is
 * true if the provider gave no valid counts.
 */
export type TokenUsage = {
  readonly input: number;
  readonly cachedInput: number;
  readonly output: number;
  readonly reasoning: number;
  readonly estimated: boolean;
};

export const NO_TOKENS: TokenUsage = {
  input: 0,
  cachedInput: 0,
  output: 0,
  reasoning: 0,
  estimated: false,
};

/** Why a call failed, independent of the provider. */
export const MODEL_FAULTS = [
  "timeout",
  "connection",
  "rate_limited",
  "provider_error",
  "unauthorized",
  "no_credit",
  "bad_request",
  "bad_reply",
  "refused",
  "cut_off",
  "empty",
  "cancelled",
  "over_budget",
  "not_recorded",
] as const;
export type ModelFault = (typeof MODEL_FAULTS)[number];

/** One request to a provider, for its limits per minute. */
export type Attempt = {
  readonly model: string;
  /** The index of the provider's key. */
  readonly key: number;
  /** The maximum that the provider can have counted. */
  readonly tokens: number;
  /** When it ended, in ms since 1970. */
  readonly endedMs: number;
};

export type ModelAnswer = {
  readonly ok: true;
  /** The raw reply: JSON if a form was requested and the model obeyed. */
  readonly text: string;
  /** The model that answered; after a failover not the requested one. */
  readonly servedBy: string;
  readonly usage: TokenUsage;
  /** The whole ms of all attempts, without queues. */
  readonly latencyMs: number;
  /** Absent if unknown. */
  readonly attempts?: readonly Attempt[];
};

export type ModelFailure = {
  readonly ok: false;
  readonly fault: ModelFault;
  /** One line without secrets, at most 300 characters. */
  readonly message: string;
  /** Whether the same call may succeed later. */
  readonly retriable: boolean;
  /** The wait that the provider requests; null: none. */
  readonly retryAfterMs: number | null;
  readonly servedBy: string;
  readonly usage: TokenUsage;
  readonly latencyMs: number;
  readonly attempts?: readonly Attempt[];
};

export type ModelReply = ModelAnswer | ModelFailure;

/**
 * A language model, or a wrapper of one: a limit, a budget, a recording.
 *
 * Contract: `ask` never throws or rejects. It ends soon after `signal` is aborted, with the fault
 * `cancelled`, even if the provider hangs.
 */
export type Model = {
  ask(request: ModelRequest, signal: AbortSignal): Promise<ModelReply>;
};
