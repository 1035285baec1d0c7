/** Token counts in a reply. `input` includes both cache counts, `output` includes `reasoning`. */
export type ServedUsage = {
  readonly input: number;
  readonly output: number;
  readonly cached?: number;
  /** The tokens written to the cache. Only Anthropic and OpenAI report them. */
  readonly cacheWrite?: number;
  readonly reasoning?: number;
};

/** How a reply ends, in no provider's words. */
export type Ending = "stop" | "length" | "filter" | "error" | "unknown" | "missing";

export type Reply = {
  readonly text: string;
  /** Ten tokens each where it is left out; `none`: not reported; `strings`: numbers as text. */
  readonly usage?: ServedUsage | "none" | "strings";
  readonly ending?: Ending;
};

/** A reply with an error status, in the provider's own form for errors. */
export type Refusal = {
  readonly status: number;
  readonly message?: string;
  /** The provider's own word for it, such as `insufficient_quota`. */
  readonly code?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Entries of Google's `error.details`. */
  readonly details?: readonly unknown[];
};

/** A reply of which every byte is given. */
export type RawReply = {
  readonly raw: string;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
};

/** A whole reply in the provider's own form. It is streamed if the request asks for a stream. */
export type WholeReply = { readonly whole: unknown };

/** A stream of which every event is given, and how it ends. */
export type RawStream = { readonly events: readonly unknown[]; readonly ends?: "reset" | "hang" };

/** Failures below the protocol, and replies without an answer. */
export type Breakdown = {
  readonly broken: /** Takes the request and never answers. */
    | "hang"
    /** Sends the beginning of a reply and never the rest. */
    | "hang_mid_body"
    | "reset"
    | "reset_mid_body"
    /** Bytes that are not HTTP. */
    | "not_http"
    /** A well-formed reply without any answer in it. */
    | "no_answer"
    /** The refusal of a model, as the provider tells it. */
    | "refusal"
    /** An error of the provider's that comes with status 200. */
    | "error_in_200";
  readonly message?: string;
  readonly code?: string;
};

export type Answer = Reply | Refusal | RawReply | WholeReply | RawStream | Breakdown;
