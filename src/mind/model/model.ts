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
  /** The part that rarely changes; providers can cache it. */
  readonly system: string;
  readonly prompt: string;
  /** The requested form of the reply; null: any text. */
  readonly form: ReplyForm | null;
  readonly temperature: number | null;
  /** Of the reply, reasoning included. */
  readonly maxTokens: number;
  readonly durable?: Promise<boolean>;
  /** Messages of earlier faults, which the prompt may contain and a new fault may repeat. */
  readonly toldFaults?: readonly string[];
};

/** The form of a reply. The reply is text all the same; the caller parses it. */
export type ReplyForm = {
  readonly name: string;
  /** With unions and free-form values, for providers that support them. */
  readonly rich: z.ZodType;
  /** One object, every field required or nullable, no unions or records: for strict providers. */
  readonly flat: z.ZodType;
  /** A description with an example, for providers that only support text. */
  readonly described: string;
};

/** `input` includes cached input, `output` includes reasoning. */
export type TokenUsage = {
  readonly input: number;
  readonly cachedInput: number;
  readonly output: number;
  readonly reasoning: number;
  /** The provider gave no valid counts. */
  readonly estimated: boolean;
};

export const NO_TOKENS: TokenUsage = {
  input: 0,
  cachedInput: 0,
  output: 0,
  reasoning: 0,
  estimated: false,
};

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

/** The faults that a retry may avoid. */
const RETRIABLE: ReadonlySet<ModelFault> = new Set([
  "timeout",
  "connection",
  "rate_limited",
  "provider_error",
  "bad_reply",
  "empty",
]);

export type Fault = {
  readonly fault: ModelFault;
  /** In a failure: one line without secrets, at most 300 characters. */
  readonly message: string;
  readonly retriable: boolean;
  /** The wait that the provider requests; null: none. */
  readonly retryAfterMs: number | null;
};

export const faultOf = (fault: ModelFault, message: string): Fault => ({
  fault,
  message,
  retriable: RETRIABLE.has(fault),
  retryAfterMs: null,
});

/** One request to a provider, for its limits per minute. */
export type Attempt = {
  readonly model: string;
  /** The index of the provider's key. */
  readonly key: number;
  /** The maximum that the provider can have counted. */
  readonly tokens: number;
  /** Since 1970. */
  readonly endedMs: number;
};

type Spent = {
  readonly usage: TokenUsage;
  /** The whole ms of all attempts, without queues. */
  readonly latencyMs: number;
};

type Served = Spent & {
  /** The model that answered or failed last; after a failover not the requested one. */
  readonly servedBy: string;
  /** Absent if unknown. */
  readonly attempts?: readonly Attempt[];
};

/** `text` is the raw reply: JSON if a form was requested and the model obeyed. */
export type ModelAnswer = Served & { readonly ok: true; readonly text: string };
export type ModelFailure = Served & Fault & { readonly ok: false };
export type ModelReply = ModelAnswer | ModelFailure;

/** `spent` is absent if nothing was sent. */
export const failed = (
  servedBy: string,
  { fault, message, retriable, retryAfterMs }: Fault,
  { usage, latencyMs }: Spent = { usage: NO_TOKENS, latencyMs: 0 },
): ModelFailure => ({
  ok: false,
  fault,
  message,
  retriable,
  retryAfterMs,
  servedBy,
  usage,
  latencyMs,
});

export const cancelled = (servedBy: string, latencyMs = 0): ModelFailure =>
  failed(servedBy, faultOf("cancelled", "the call was cancelled"), { usage: NO_TOKENS, latencyMs });

/**
 * A language model, or a wrapper of one: a limit, a budget, a recording.
 *
 * Contract: `ask` never throws or rejects. It ends soon after `signal` is aborted, with the fault
 * `cancelled`, even if the provider hangs.
 */
export type Model = {
  ask(request: ModelRequest, signal: AbortSignal): Promise<ModelReply>;
};
