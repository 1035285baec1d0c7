import { z } from "zod";
import type { Id, JsonObject } from "../../kernel/index.ts";
import type { ChatBlock, ChatMessage } from "./chat.ts";
import type { Reasoning } from "./reasoning.ts";

/** One call of a language model. The request is recorded, and never holds secrets. */
export type ModelRequest = {
  /** `provider/model`, for example `gemini/gemini-3-flash-preview`, or `mock`. */
  readonly model: string;
  /** Why the model is called: `decide`, `repair`, `score`, or the name of a workflow step. */
  readonly purpose: string;
  /** The agent that pays, or null if the run pays. */
  readonly agent: Id | null;
  /** The part of the prompt that rarely changes. Providers can cache it. */
  readonly system: string;
  readonly prompt: string;
  /** The messages in `prompt` of a `ChatForm`, for a model that need not parse them again. */
  readonly messages?: readonly ChatMessage[];
  /** The requested form of the reply, or null for any text. */
  readonly form: ReplyForm | null;
  readonly temperature: number | null;
  /** The token limit of the reply, without the tokens that `reasoning` allows. */
  readonly maxTokens: number;
  /** Null: no setting is sent. `maxTokens` then also limits the reasoning. */
  readonly reasoning: Reasoning | null;
  /** The run time in ms at which the thought of this call started. Absent outside of thoughts. */
  readonly atMs?: number;
  readonly durable?: Promise<boolean>;
  /** The number of attempts of this call before this attempt. Absent means 0. */
  readonly attempt?: number;
  /**
   * Shows the reply while it arrives. With it, the provider streams the reply. The reply itself is
   * the same as without it. Must not throw.
   */
  readonly onDelta?: (delta: ReplyDelta) => void;
  /** Called before each further attempt. What `onDelta` got so far is void. Must not throw. */
  readonly onRetry?: (retry: Retry) => void;
  /** Messages of earlier faults. A new fault message may repeat no other text of the prompt. */
  readonly reportedFaults?: readonly string[];
};

/** A part of a reply that arrives, without secrets. A call of a tool comes when it is complete. */
export type ReplyDelta =
  | { readonly type: "text" | "reasoning"; readonly text: string }
  | Omit<Extract<ChatBlock, { readonly type: "tool_call" }>, "meta">;

/** A further attempt of a call, and the fault of the attempt before it. */
export type Retry = {
  /** The number of attempts before this one. */
  readonly attempt: number;
  readonly reason: ModelFault;
  /** The model and key that are asked now. */
  readonly profile: { readonly model: string; readonly key: number };
};

/** The form of a reply. The reply is always text, and the caller parses the text. */
export type ReplyForm = {
  readonly name: string;
  /** A schema with unions and free-form values, for providers that support them. */
  readonly rich: z.ZodType;
  /** A schema of one object without unions, records or optional fields, for strict providers. */
  readonly flat: z.ZodType;
  /** A description with an example, for providers that only support text. */
  readonly described: string;
  /** The tools that the model may call (see `ChatForm`). Absent if the form has a schema. */
  readonly tools?: readonly ToolOffer[];
};

/** A tool that a model may call. `input` is a JSON Schema of an object. */
export type ToolOffer = {
  readonly name: string;
  readonly description: string;
  readonly input: JsonObject;
};

/**
 * A reply form that asks for the next message of a conversation, in which the model may call tools.
 * The prompt is the JSON list of the messages so far, and the reply is the JSON list of the blocks.
 */
export type ChatForm = ReplyForm & { readonly tools: readonly ToolOffer[] };

export const chatForm = (name: string, tools: readonly ToolOffer[]): ChatForm => ({
  name,
  rich: z.unknown(),
  flat: z.unknown(),
  described: JSON.stringify(tools),
  tools,
});

export const isChatForm = (form: ReplyForm | null): form is ChatForm =>
  form !== null && form.tools !== undefined;

const count = z.int().min(0);

/** Token counts. `input` includes both cache counts, and `output` includes reasoning. */
const tokenUsage = z.object({
  input: count,
  /** The tokens that the provider read from its cache. */
  cachedInput: count,
  /** The tokens that the provider wrote to its cache. */
  cacheWrite: count,
  output: count,
  reasoning: count,
  /** True if the provider gave no valid counts. */
  estimated: z.boolean(),
});
export type TokenUsage = Readonly<z.infer<typeof tokenUsage>>;

export const NO_TOKENS: TokenUsage = {
  input: 0,
  cachedInput: 0,
  cacheWrite: 0,
  output: 0,
  reasoning: 0,
  estimated: false,
};

/** The faults after which a retry may succeed. */
const RETRIABLE = [
  "timeout",
  "connection",
  "rate_limited",
  "provider_error",
  "bad_reply",
  "empty",
] as const;

export const MODEL_FAULTS = [
  ...RETRIABLE,
  "unauthorized",
  "no_credit",
  "bad_request",
  "context_overflow",
  "refused",
  "reply_cut_off",
  "cancelled",
  "over_budget",
  "not_recorded",
] as const;
export type ModelFault = (typeof MODEL_FAULTS)[number];

const fault = z.object({
  fault: z.enum(MODEL_FAULTS),
  /** One line without secrets, at most 300 characters. */
  message: z.string(),
  retriable: z.boolean(),
  /** The wait that the provider requests, or null if it requests none. */
  retryAfterMs: z.number().min(0).nullable(),
});
export type Fault = Frozen<z.infer<typeof fault>>;

export const faultOf = (fault: ModelFault, message: string): Fault => ({
  fault,
  message,
  retriable: RETRIABLE.some((known) => known === fault),
  retryAfterMs: null,
});

/** One request to a provider. The request counts toward the provider's limits per minute. */
export const attempt = z.object({
  model: z.string(),
  key: count,
  /** The tokens that the provider counted, or an upper bound if they are unknown. */
  tokens: count,
  /** Wall-clock time in ms since 1970. */
  endedMs: z.number(),
});
export type Attempt = Readonly<z.infer<typeof attempt>>;

const served = z.object({
  /** The model of the last attempt. It may be a fallback model. */
  servedBy: z.string(),
  usage: tokenUsage,
  /** The duration of all attempts in whole ms, not counting time in queues. */
  latencyMs: z.number().min(0),
  /** The requests to providers, or absent if unknown. */
  attempts: z.array(attempt).exactOptional(),
});

/** `text` is the raw reply. The text is JSON if the model followed a requested form. */
const answer = z.object({ ok: z.literal(true), text: z.string(), ...served.shape });
const failure = z.object({ ok: z.literal(false), ...fault.shape, ...served.shape });
export type ModelFailure = Frozen<z.infer<typeof failure>>;

export const modelReply = z.discriminatedUnion("ok", [answer, failure]);
export type ModelReply = Frozen<z.infer<typeof modelReply>>;

/** Builds a failed reply. Omit the last argument if no request was sent. */
export const modelFailure = (
  servedBy: string,
  { fault, message, retriable, retryAfterMs }: Fault,
  { usage, latencyMs }: Pick<ModelFailure, "usage" | "latencyMs"> = {
    usage: NO_TOKENS,
    latencyMs: 0,
  },
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
  modelFailure(servedBy, faultOf("cancelled", "the call was cancelled"), {
    usage: NO_TOKENS,
    latencyMs,
  });

/**
 * A language model, or a wrapper around one, such as a limit, a budget or a recording.
 *
 * Contract: `ask` never throws or rejects. After `signal` is aborted, `ask` soon resolves with the
 * fault `cancelled`, even if the provider hangs.
 */
export type Model = { ask(request: ModelRequest, signal: AbortSignal): Promise<ModelReply> };

export type Frozen<T> = T extends object ? { readonly [K in keyof T]: Frozen<T[K]> } : T;
