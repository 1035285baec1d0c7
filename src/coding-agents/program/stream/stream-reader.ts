import { SESSION_ID, type STREAM_FORMATS } from "../../../mind/index.ts";
import { claudeStream } from "./claude-stream.ts";
import { codexStream } from "./codex-stream.ts";
import { geminiStream } from "./gemini-stream.ts";
import { type Line, Lines } from "./lines.ts";
import type { LineReader, Segment, Sink, TokenCounts } from "./segment.ts";

/** Plain text. A blank line ends a segment. */
const textStream =
  (sink: Sink): LineReader =>
  (line) =>
    line.trim() === "" ? sink.complete() : sink.piece(`${line}\n`);

const FORMATS: { readonly [format in StreamFormat]: (sink: Sink) => LineReader } = {
  claude: claudeStream,
  codex: codexStream,
  gemini: geminiStream,
  text: textStream,
};

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

/** A text in pieces is shown when it is complete, or this long. */
const PIECES_CHARS_MAX = 100_000;

/**
 * Reads the stream of a coding agent. The segments do not depend on how the bytes are divided into
 * chunks. Keeps at most one line and one text in memory.
 */
export class StreamReader {
  readonly #format: StreamFormat;
  readonly #read: LineReader;
  readonly #lines = new Lines();
  #segments: Segment[] = [];
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
    this.#read = FORMATS[format]({
      segment: (segment) => this.#add(segment),
      piece: (text) => this.#addPiece(text),
      complete: () => this.#complete(),
      session: (id) => {
        if (SESSION_ID.test(id)) this.#note({ session_id: id });
      },
      usage: (tokens, cost = null) =>
        this.#note({
          // A program can claim any numbers, and their sum must stay an exact integer.
          tokens: {
            input_tokens: Math.min(tokens.input_tokens, Number.MAX_SAFE_INTEGER),
            output_tokens: Math.min(tokens.output_tokens, Number.MAX_SAFE_INTEGER),
          },
          cost_micros: cost ?? this.#summary.cost_micros,
        }),
      result: (text) => this.#note({ result: text }),
      failure: (message) => this.#note({ failure: message || "the turn failed" }),
    });
  }

  get summary(): StreamSummary {
    return this.#summary;
  }

  push(chunk: Uint8Array): readonly Segment[] {
    for (const line of this.#lines.push(chunk)) this.#readLine(line);
    return this.#taken();
  }

  /** The stream has ended. Returns what was not complete. */
  end(): readonly Segment[] {
    for (const line of this.#lines.end()) this.#readLine(line);
    this.#complete();
    return this.#taken();
  }

  #readLine({ text, cutBytes }: Line): void {
    if (cutBytes === 0) return this.#read(text);
    const note = `${text}… (the line had ${cutBytes} bytes and is cut)`;
    if (this.#format === "text") this.#addPiece(`${note}\n`);
    else this.#add({ kind: "unknown", type: "long_line", text: note });
  }

  #add(segment: Segment): void {
    this.#complete();
    this.#count(segment);
  }

  #addPiece(text: string): void {
    this.#pieces += text;
    if (this.#pieces.length > PIECES_CHARS_MAX) this.#complete();
  }

  #complete(): void {
    const text = this.#pieces.trim();
    this.#pieces = "";
    if (text !== "") this.#count({ kind: "text", text });
  }

  #count(segment: Segment): void {
    this.#segments.push(segment);
    if (segment.kind === "tool_result") this.#isSpeaking = false;
    else if (segment.kind !== "unknown" && !this.#isSpeaking) {
      this.#isSpeaking = true;
      this.#note({ calls: this.#summary.calls + 1 });
    }
  }

  #note(said: Partial<StreamSummary>): void {
    this.#summary = { ...this.#summary, ...said };
  }

  #taken(): readonly Segment[] {
    const segments = this.#segments;
    this.#segments = [];
    return segments;
  }
}
