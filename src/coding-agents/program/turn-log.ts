import { cutText } from "../../kernel/index.ts";
import type { Segment } from "./stream/segment.ts";

/** How much of a turn is kept. What is older is replaced by a note. */
const TURN_CHARS_MAX = 4_000_000;
const TURN_SEGMENTS_MAX = 20_000;
const ANSWER_CHARS_MAX = 1_000_000;

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
  readonly #segments: Segment[] = [];
  /** The tools that work, by the id of their use. */
  readonly #working = new Map<string, string>();
  #chars = 0;
  #cut = 0;
  #status = "";
  #answer = "";

  constructor(listener: TurnListener) {
    this.#listener = listener;
  }

  get count(): number {
    return this.#cut + this.#segments.length;
  }

  /** The segments that are kept. A note in front of them says how many are not. */
  get segments(): readonly Segment[] {
    const text = `${this.#cut} earlier parts of the turn are cut`;
    const note: readonly Segment[] =
      this.#cut === 0 ? [] : [{ kind: "unknown", type: "cut", text }];
    return [...note, ...this.#segments];
  }

  /** The texts after the last use of a tool: the answer of the attempt. */
  get answer(): string {
    return this.#answer;
  }

  /** A new attempt has no answer yet. */
  begin(): void {
    this.#answer = "";
    this.wait();
  }

  add(segment: Segment): void {
    this.#segments.push(segment);
    this.#chars += charsIn(segment);
    let extra = 0;
    while (this.#chars > TURN_CHARS_MAX || this.#segments.length - extra > TURN_SEGMENTS_MAX) {
      const oldest = this.#segments[extra];
      if (oldest === undefined) break;
      this.#chars -= charsIn(oldest);
      extra += 1;
    }
    this.#segments.splice(0, extra);
    this.#cut += extra;
    this.#listener.onSegment(segment);
    this.#follow(segment);
  }

  wait(): void {
    this.#working.clear();
    this.#tell({ kind: "waiting" });
  }

  #follow(segment: Segment): void {
    if (segment.kind === "tool_use") this.#working.set(segment.id, segment.tool);
    else if (segment.kind === "tool_result") this.#working.delete(segment.id);
    if (segment.kind === "tool_use" || segment.kind === "tool_result") this.#answer = "";
    if (segment.kind === "text") {
      const before = this.#answer === "" ? "" : `${this.#answer}\n\n`;
      this.#answer = cutText(before + segment.text, ANSWER_CHARS_MAX);
    }
    const tool = [...this.#working.values()].at(-1);
    this.#tell(tool === undefined ? { kind: "thinking" } : { kind: "tool", tool });
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
