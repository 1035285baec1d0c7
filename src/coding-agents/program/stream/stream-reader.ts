import type { STREAM_FORMATS } from "../../../mind/index.ts";
import { claudeStream } from "./claude-stream.ts";
import { codexStream } from "./codex-stream.ts";
import { geminiStream } from "./gemini-stream.ts";
import { type Line, Lines } from "./lines.ts";
import { type Fact, type Segment, segmentFact, type TokenCounts } from "./segment.ts";

/** Plain text. A blank line ends a segment. */
const textStream =
  () =>
  (line: string): readonly Fact[] =>
    line.trim() === "" ? [{ kind: "break" }] : [{ kind: "piece", text: `${line}\n` }];

const FORMATS = {
  claude: claudeStream,
  codex: codexStream,
  gemini: geminiStream,
  text: textStream,
} as const satisfies { readonly [format in StreamFormat]: unknown };

export type StreamFormat = (typeof STREAM_FORMATS)[number];

export type StreamSummary = {
  readonly session_id: string | null;
  /** The last counts of the stream. A stream of Codex counts from the start of its session. */
  readonly tokens: TokenCounts | null;
  readonly cost_micros: number | null;
  /** How often the model spoke. */
  readonly calls: number;
  /** The final text, if the stream has one apart from its segments. */
  readonly result: string | null;
  /** Why the turn failed, as the stream says. Null if it does not say so. */
  readonly failure: string | null;
};

/** A program can claim any numbers, and their sum must stay an exact integer. */
const withinLimit = ({ input_tokens, output_tokens }: TokenCounts): TokenCounts => ({
  input_tokens: Math.min(input_tokens, Number.MAX_SAFE_INTEGER),
  output_tokens: Math.min(output_tokens, Number.MAX_SAFE_INTEGER),
});

/** A text in pieces is shown when it is complete, or this long. */
const PIECES_CHARS_MAX = 100_000;

/**
 * Reads the stream of a coding agent. The segments do not depend on how the bytes are divided into
 * chunks. Keeps at most one line and one text in memory.
 */
export class StreamReader {
  readonly #format: StreamFormat;
  readonly #read: (line: string) => readonly Fact[];
  readonly #lines = new Lines();
  #pieces = "";
  #isSpeaking = false;
  #summary: StreamSummary = {
    session_id: null,
    tokens: null,
    cost_micros: null,
    calls: 0,
    result: null,
    failure: null,
  };

  constructor(format: StreamFormat) {
    this.#format = format;
    this.#read = FORMATS[format]();
  }

  get summary(): StreamSummary {
    return this.#summary;
  }

  push(chunk: Uint8Array): readonly Segment[] {
    return this.#lines.push(chunk).flatMap((line) => this.#take(this.#factsOf(line)));
  }

  /** The stream has ended. Returns what was not complete. */
  end(): readonly Segment[] {
    const last = this.#lines.end().flatMap((line) => this.#take(this.#factsOf(line)));
    return [...last, ...this.#take([{ kind: "break" }])];
  }

  #factsOf({ text, cutBytes }: Line): readonly Fact[] {
    if (cutBytes === 0) return this.#read(text);
    const note = `${text}… (the line had ${cutBytes} bytes and is cut)`;
    return this.#format === "text"
      ? [{ kind: "piece", text: `${note}\n` }]
      : [segmentFact({ kind: "unknown", type: "long_line", text: note })];
  }

  #take(facts: readonly Fact[]): readonly Segment[] {
    return facts.flatMap((fact) => this.#segmentsOf(fact));
  }

  #segmentsOf(fact: Fact): readonly Segment[] {
    switch (fact.kind) {
      case "segment":
        return [...this.#complete(), this.#counted(fact.segment)];
      case "piece":
        this.#pieces += fact.text;
        return this.#pieces.length > PIECES_CHARS_MAX ? this.#complete() : [];
      case "break":
        return this.#complete();
      case "session":
        this.#summary = { ...this.#summary, session_id: fact.id };
        return [];
      case "usage":
        this.#summary = {
          ...this.#summary,
          tokens: withinLimit(fact.tokens),
          cost_micros: fact.cost_micros ?? this.#summary.cost_micros,
        };
        return [];
      case "result":
        this.#summary = { ...this.#summary, result: fact.text };
        return [];
      case "failure":
        this.#summary = { ...this.#summary, failure: fact.message };
        return [];
    }
  }

  #complete(): readonly Segment[] {
    const text = this.#pieces.trim();
    this.#pieces = "";
    return text === "" ? [] : [this.#counted({ kind: "text", text })];
  }

  #counted(segment: Segment): Segment {
    if (segment.kind === "tool_result") this.#isSpeaking = false;
    else if (segment.kind !== "unknown" && !this.#isSpeaking) {
      this.#isSpeaking = true;
      this.#summary = { ...this.#summary, calls: this.#summary.calls + 1 };
    }
    return segment;
  }
}
