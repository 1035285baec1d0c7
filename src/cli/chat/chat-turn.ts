import { OPERATOR, type ThoughtUsage } from "../../kernel/index.ts";
import { counted } from "../../text/index.ts";
import type { MindEvent } from "../../tools/index.ts";
import type { Output } from "../core/output.ts";

const ARGS_CHARS = 120;

/**
 * Shows what an agent does in its turns: what it says to the person on stdout, everything else on
 * stderr. What it writes for its summaries, its helpers and its heartbeats is not for the person.
 */
export class ChatTurn {
  readonly #output: Output;
  readonly #json: boolean;
  #isInText = false;
  /** False while the agent writes a text that is not for the person. */
  #isForPerson = true;
  #hasAnswered = false;
  #steps = 0;
  #step = NOTHING;
  #spent = NOTHING;

  constructor(output: Output, json: boolean) {
    this.#output = output;
    this.#json = json;
  }

  show(event: MindEvent): void {
    if (this.#json) this.#output.jsonLine(JSON.stringify(event));
    else this.#showText(event);
    this.#count(event);
    if (event.kind !== "done" || this.#steps === 0) return;
    if (!this.#json) this.#output.note(this.#usageText());
    [this.#steps, this.#spent] = [0, NOTHING];
  }

  /** Whether a turn has ended well since the last call of this function. */
  takeAnswer(): boolean {
    const has = this.#hasAnswered;
    this.#hasAnswered = false;
    return has;
  }

  /** Ends the line of a text that arrived in pieces. */
  endText(): void {
    if (this.#isInText) this.#output.piece("\n");
    this.#isInText = false;
  }

  #showText(event: MindEvent): void {
    switch (event.kind) {
      case "llm_stream":
        if (event.delta.type === "text_delta") {
          if (!this.#isForPerson) return;
          this.#output.piece(event.delta.text);
          this.#isInText = true;
        } else if (event.delta.type === "tool_call_end") {
          const args = JSON.stringify(event.delta.args).slice(0, ARGS_CHARS);
          this.#aside(`-> ${event.delta.tool} ${args}`);
        }
        return;
      case "llm_end":
        this.endText();
        if (event.problem !== null) this.#aside(event.problem);
        return;
      case "tool_end":
        if (event.isError) this.#aside(`${event.tool} failed`);
        return;
      case "retry":
        this.#aside(`the reply is asked for again: ${event.reason}`);
        return;
      case "compaction":
        this.#aside(`the conversation has ${counted(event.newCount, "message")} now`);
        return;
      case "done":
        this.endText();
        if (event.problem !== null) this.#aside(`the turn failed: ${event.problem}`);
        return;
      case "message":
        if (event.to !== OPERATOR) this.#aside(`to ${event.to}: ${event.text}`);
        // What a heartbeat reports is not written in the conversation with the person.
        else if (!isMain(event.session)) {
          this.endText();
          this.#output.piece(`${event.text}\n`);
        }
        return;
      case "llm_start":
        this.#isForPerson = event.purpose !== "summary" && isMain(event.session);
        return;
      case "tool_start":
        return;
    }
  }

  #aside(text: string): void {
    this.endText();
    this.#output.note(text);
  }

  #count(event: MindEvent): void {
    if (event.kind === "llm_start") {
      this.#steps += 1;
      this.#spent = sumOf(this.#spent, this.#step);
      this.#step = NOTHING;
    }
    if (event.kind === "llm_end") this.#step = event.usage;
    if (event.kind === "done") {
      if (event.problem === null && isMain(event.session)) this.#hasAnswered = true;
      this.#spent = sumOf(this.#spent, this.#step);
      this.#step = NOTHING;
    }
  }

  #usageText(): string {
    const { input_tokens, output_tokens, cost_micros } = this.#spent;
    const cost = (cost_micros / 1_000_000).toFixed(4);
    const calls = counted(this.#steps, "call");
    return `[${calls} of the model, ${input_tokens} tokens in, ${output_tokens} out, ${cost} USD]`;
  }
}

/** The conversation of a helper has a name after a slash. */
const isMain = (session: string): boolean => !session.includes("/");

type Spent = Pick<ThoughtUsage, "input_tokens" | "output_tokens" | "cost_micros">;

const NOTHING: Spent = { input_tokens: 0, output_tokens: 0, cost_micros: 0 };

const sumOf = (one: Spent, other: Spent): Spent => ({
  input_tokens: one.input_tokens + other.input_tokens,
  output_tokens: one.output_tokens + other.output_tokens,
  cost_micros: one.cost_micros + other.cost_micros,
});
