import { cutText } from "../../kernel/index.ts";
import type { Segment } from "./stream/segment.ts";

/** How much of a turn is kept. What is older is replaced by a note. */
const TURN_CHARS_MAX = 4_000_000;
const TURN_SEGMENTS_MAX = 20_000;
const ANSWER_CHARS_MAX = 1_000_000;
const TOOLS_AT_ONCE_MAX = 1_000;

export type AgentStatus =
  /** The program has not said anything yet, or has ended. */
  | { readonly kind: "waiting" }
  | { readonly kind: "thinking" }
  | { readonly kind: "tool"; readonly tool: string };

export type TurnListener = {
  readonly onSegment: (segment: Segment) => void;
  readonly onStatus: (status: AgentStatus) => void;
};

/** Keeps what a coding agent says in one turn, within limits, and tells the listeners live. */
export class TurnLog {
  readonly #listener: TurnListener;
  /** The segments from `#first` are kept. Those before it are removed many at a time. */
  #segments: Segment[] = [];
  #first = 0;
  /** The tools that work, by the id of their use. */
  readonly #working = new Map<string, string>();
  #chars = 0;
  #cut = 0;
  #status = "";
  #answer: string[] = [];
  #answerChars = 0;

  constructor(listener: TurnListener) {
    this.#listener = listener;
  }

  get count(): number {
    return this.#cut + this.#segments.length - this.#first;
  }

  /** The segments that are kept. A note in front of them says how many are not. */
  get segments(): readonly Segment[] {
    const text = `${this.#cut} earlier parts of the turn are cut`;
    const note: readonly Segment[] =
      this.#cut === 0 ? [] : [{ kind: "unknown", type: "cut", text }];
    return [...note, ...this.#segments.slice(this.#first)];
  }

  /** The texts after the last use of a tool: the answer of the attempt. */
  get answer(): string {
    return cutText(this.#answer.join("\n\n"), ANSWER_CHARS_MAX);
  }

  /** A new attempt has no answer yet. */
  begin(): void {
    this.#clearAnswer();
    this.wait();
  }

  add(segment: Segment): void {
    this.#segments.push(segment);
    this.#chars += charsIn(segment);
    const isOver = (): boolean =>
      this.#chars > TURN_CHARS_MAX || this.#segments.length - this.#first > TURN_SEGMENTS_MAX;
    while (isOver()) {
      const oldest = this.#segments[this.#first];
      if (oldest === undefined) break;
      this.#chars -= charsIn(oldest);
      this.#first += 1;
      this.#cut += 1;
    }
    if (this.#first > TURN_SEGMENTS_MAX) {
      this.#segments = this.#segments.slice(this.#first);
      this.#first = 0;
    }
    this.#listener.onSegment(segment);
    this.#follow(segment);
  }

  wait(): void {
    this.#working.clear();
    this.#tell({ kind: "waiting" });
  }

  #follow(segment: Segment): void {
    if (segment.kind === "tool_use") {
      // A program that never reports the end of its tools must not make this list long.
      if (this.#working.size < TOOLS_AT_ONCE_MAX) this.#working.set(segment.id, segment.tool);
      this.#clearAnswer();
      this.#tell({ kind: "tool", tool: segment.tool });
      return;
    }
    if (segment.kind === "tool_result") {
      this.#working.delete(segment.id);
      this.#clearAnswer();
    }
    if (segment.kind === "text" && this.#answerChars < ANSWER_CHARS_MAX) {
      this.#answer.push(segment.text);
      this.#answerChars += segment.text.length;
    }
    if (segment.kind !== "tool_result" && this.#working.size > 0) return;
    const tool = [...this.#working.values()].at(-1);
    this.#tell(tool === undefined ? { kind: "thinking" } : { kind: "tool", tool });
  }

  #clearAnswer(): void {
    this.#answer = [];
    this.#answerChars = 0;
  }

  #tell(status: AgentStatus): void {
    const key = status.kind === "tool" ? `tool ${status.tool}` : status.kind;
    if (key === this.#status) return;
    this.#status = key;
    this.#listener.onStatus(status);
  }
}

const charsIn = (segment: Segment): number =>
  segment.kind === "tool_use"
    ? JSON.stringify(segment.input).length + segment.tool.length
    : segment.text.length;
