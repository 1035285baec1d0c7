import type { Json } from "../../../kernel/index.ts";

/** One complete part of what a coding agent says or does, in the order of its stream. */
export type Segment =
  | { readonly kind: "thinking"; readonly text: string }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "tool_use"; readonly id: string; readonly tool: string; readonly input: Json }
  | {
      readonly kind: "tool_result";
      /** The `id` of its `tool_use`. */
      readonly id: string;
      readonly text: string;
      readonly is_error: boolean;
    }
  /** A part that this version does not know, as the text of its JSON, or a note about a cut. */
  | { readonly kind: "unknown"; readonly type: string; readonly text: string };

/** Tokens that a stream reports. `input_tokens` includes those that came from a cache. */
export type TokenCounts = { readonly input_tokens: number; readonly output_tokens: number };

export const NO_TOKENS: TokenCounts = { input_tokens: 0, output_tokens: 0 };

export type TurnUsage = TokenCounts & {
  /** How often the model spoke: once at the start, and once after each round of tools. */
  readonly calls: number;
  /** Null if the stream names no cost. */
  readonly cost_micros: number | null;
};

export const NO_USAGE_YET: TurnUsage = { ...NO_TOKENS, calls: 0, cost_micros: null };

/** Takes what a stream says, in its order. */
export type Sink = {
  readonly segment: (segment: Segment) => void;
  /** A part of a text that the next line can continue. */
  readonly piece: (text: string) => void;
  /** The text of the pieces so far is complete. */
  readonly complete: () => void;
  readonly session: (id: string) => void;
  readonly usage: (tokens: TokenCounts, costMicros?: number | null) => void;
  /** The final text, which repeats what the segments said. */
  readonly result: (text: string) => void;
  /** The turn failed, as the stream says. */
  readonly failure: (message: string) => void;
};

/** Reads a stream line by line. */
export type LineReader = (line: string) => void;

/** A program can claim any number. A larger sum would not be exact. */
export const cappedSum = (a: number, b: number): number => Math.min(a + b, Number.MAX_SAFE_INTEGER);
