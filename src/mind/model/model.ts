import type { z } from "zod";
import type { Id } from "../../kernel/index.ts";

/** One question to a language model. What it says of itself is recorded; secrets never are. */
export type ModelRequest = {
  /** `provider/model`, as in `gemini/gemini-3-flash-preview`. */
  readonly model: string;
  /** What the call is for: `decide`, `repair`, `score`, or the name of a workflow's step. */
  readonly purpose: string;
  /** Who pays; null: the run itself. */
  readonly agent: Id | null;
  /** What stays the same from call to call and stands first, so that providers' caches hit. */
  readonly system: string;
  readonly prompt: string;
  /** The form that the reply is asked to have; null: any text. */
  readonly form: ReplyForm | null;
  /** Null leaves it to the provider. */
  readonly temperature: number | null;
  /** The most tokens that the reply may have, those of thinking included. */
  readonly maxTokens: number;
  /** Ends when what it tells is on disk; where it is not given, that is asked when it is put. */
  readonly durable?: Promise<boolean>;
  /**
   * What the asker has been told of faults before, and may tell in its prompt: a fault that comes
   * again may say the same. It is no part of the question. Absent: nothing.
   */
  readonly heard?: readonly string[];
};

/**
 * The form of a reply, as providers can be told it. A reply in either schema is read by whoever
 * asked; the model port only passes the form on and returns text.
 */
export type ReplyForm = {
  /** Names the form in records. */
  readonly name: string;
  /** With unions and free-form values, for providers that take them. */
  readonly rich: z.ZodType;
  /** One object, every field required or nullable, no unions or records: for strict providers. */
  readonly flat: z.ZodType;
  /** Says the form in words and by an example, for providers that only do text. */
  readonly described: string;
};

/**
 * Tokens of one call. `input` includes what was read from or written to a cache, `output` includes
 * reasoning. `estimated` is true where the provider did not say and the numbers are a guess.
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

/** Why no reply came, whatever the provider called it. */
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

/** One time that a provider was asked, as far as its limits a minute go. */
export type Attempt = {
  readonly model: string;
  /** Which of the provider's keys it was asked with, from 0. */
  readonly key: number;
  /** The most that the provider can have counted. */
  readonly tokens: number;
  /** When it ended, in ms since 1970. */
  readonly endedMs: number;
};

export type ModelAnswer = {
  readonly ok: true;
  /** The reply as the model gave it: JSON text where a form was asked for, if the model obeyed. */
  readonly text: string;
  /** The model that answered: another one than was asked where that one failed. */
  readonly servedBy: string;
  readonly usage: TokenUsage;
  /** From the first attempt to the answer, queues left out, in whole ms. */
  readonly latencyMs: number;
  /** How it was tried; absent where nobody has kept that. */
  readonly attempts?: readonly Attempt[];
};

export type ModelFailure = {
  readonly ok: false;
  readonly fault: ModelFault;
  /** One line without secrets, 300 characters at most. */
  readonly message: string;
  /** True where the same call may go through later. */
  readonly retriable: boolean;
  /** How long the provider asks to be left alone; null where it does not say. */
  readonly retryAfterMs: number | null;
  readonly servedBy: string;
  /** What was spent all the same. */
  readonly usage: TokenUsage;
  readonly latencyMs: number;
  readonly attempts?: readonly Attempt[];
};

export type ModelReply = ModelAnswer | ModelFailure;

/**
 * A language model, or something that stands before one: a limit, a budget, a recording.
 *
 * Contract: `ask` never throws or rejects. It ends soon after `signal` is aborted, with the fault
 * `cancelled`, even when the provider hangs.
 */
export type Model = {
  ask(request: ModelRequest, signal: AbortSignal): Promise<ModelReply>;
};
