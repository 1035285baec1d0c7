import type { Id, Json, ThoughtUsage } from "../kernel/index.ts";
import type { Ask } from "../mind/index.ts";
import {
  blocksIn,
  type ChatBlock,
  type ModelFault,
  type ModelRequest,
  type ReplyDelta,
  type Retry,
} from "../model/index.ts";
import type { Conversation } from "./conversation/conversation.ts";

/** What an agent with tools does, while it does it. */
export type MindEvent = {
  readonly agent: Id;
  /** The session of the conversation: `main`, and after a reset `main-2` and so on. */
  readonly session: string;
} & Activity;

type Activity =
  /** `purpose`: `step`, `last_answer` or `summary`. `step` is 0 for a summary. */
  | { readonly kind: "llm_start"; readonly step: number; readonly purpose: string }
  | { readonly kind: "llm_stream"; readonly delta: StreamDelta }
  /** `usage` is that of the step so far. `problem` is null if the model has replied. */
  | {
      readonly kind: "llm_end";
      readonly step: number;
      readonly problem: string | null;
      readonly usage: ThoughtUsage;
    }
  | { readonly kind: "tool_start"; readonly tool: string; readonly callId: string }
  /** The result of an action in the world comes at the beginning of the next step. */
  | {
      readonly kind: "tool_end";
      readonly tool: string;
      readonly callId: string;
      readonly isError: boolean;
    }
  /** A failed attempt of a call is made again. What `llm_stream` has shown of it is void. */
  | {
      readonly kind: "retry";
      readonly attempt: number;
      readonly reason: ModelFault;
      readonly profile: { readonly model: string; readonly key: number };
    }
  /** The conversation became shorter. With equal counts, only results were cut. */
  | { readonly kind: "compaction"; readonly oldCount: number; readonly newCount: number }
  /** The action of the step sends a message, which the world may still refuse. */
  | { readonly kind: "message"; readonly to: string; readonly text: string }
  /** The turn ended. `usage` is that of its last step. `problem` is null if it did not fail. */
  | {
      readonly kind: "done";
      readonly text: string;
      readonly problem: string | null;
      readonly usage: ThoughtUsage;
    };

type StreamDelta =
  | { readonly type: "text_delta" | "thinking_delta"; readonly text: string }
  /** The model has written a call of a tool. The call is not done yet. */
  | { readonly type: "tool_call_end"; readonly tool: string; readonly args: Json };

/** Must not throw. */
export type MindListener = (event: MindEvent) => void;

/** Makes the blocks that a model means of those that it said. */
type Decode = (said: readonly ChatBlock[]) => readonly ChatBlock[];

type ToolCall = { readonly id: string; readonly name: string };

type FeedParts = {
  readonly agent: Id;
  readonly session: string;
  readonly listener: MindListener | null;
  /** False: a reply is shown when it is complete, because its raw text is not for readers. */
  readonly isStreamed: boolean;
  readonly usage: () => ThoughtUsage;
};

/** Tells a listener about one step of an agent. Without a listener, nothing is streamed. */
export class StepFeed {
  readonly #parts: FeedParts;
  /** The number of messages of the conversation. */
  #count = 0;

  constructor(parts: FeedParts) {
    this.#parts = parts;
  }

  /** What the calls of the step show while they are made. */
  get shown(): Pick<ModelRequest, "onDelta" | "onRetry"> {
    if (this.#parts.listener === null) return {};
    const onRetry = (retry: Retry): void => this.#tell({ kind: "retry", ...retry });
    return this.#parts.isStreamed
      ? { onRetry, onDelta: (delta) => this.#show(delta) }
      : { onRetry };
  }

  /** Shows a reply that is complete. Its raw text would not be for readers. */
  #showReply(text: string, decode: Decode): void {
    for (const { meta: _, ...block } of decode(blocksIn(text) ?? [])) this.#show(block);
  }

  #show(delta: ReplyDelta): void {
    this.#tell({ kind: "llm_stream", delta: streamDelta(delta) });
  }

  /** `told` is the kept conversation with the result of its pending action. */
  begin(kept: Conversation, told: Conversation): void {
    if (this.#parts.listener === null) return;
    this.#count = countOf(told);
    const acting = kept.turn?.pending?.acting;
    const last = Object.values(told.messages).at(-1);
    if (acting === undefined || last?.role !== "tool") return;
    const result = last.results.find(({ id }) => id === acting);
    if (result !== undefined) this.toolEnd(result, result.is_error);
    if (told.turn === null) this.done("");
  }

  /** `step` is the number of the step in its turn. */
  asking(ask: Ask, step: number, { decode }: { readonly decode: Decode }): Ask {
    const { listener, isStreamed } = this.#parts;
    if (listener === null) return ask;
    return async (question) => {
      this.#tell({ kind: "llm_start", step, purpose: question.purpose });
      const answer = await ask(question);
      const isReply = answer.ok && question.messages !== undefined;
      if (isReply && !isStreamed) this.#showReply(answer.text, decode);
      const problem = answer.ok ? null : answer.message;
      this.#tell({ kind: "llm_end", step, problem, usage: this.#parts.usage() });
      return answer;
    };
  }

  toolStart({ id, name }: ToolCall): void {
    this.#tell({ kind: "tool_start", tool: name, callId: id });
  }

  toolEnd({ id, name }: ToolCall, isError: boolean): void {
    this.#tell({ kind: "tool_end", tool: name, callId: id, isError });
  }

  /** Tells of a conversation that became shorter. */
  compacted(conversation: Conversation): void {
    const newCount = countOf(conversation);
    this.#tell({ kind: "compaction", oldCount: this.#count, newCount });
    this.#count = newCount;
  }

  /** Tells if the conversation has lost messages to fit in its window. */
  fitted(conversation: Conversation): void {
    if (this.#parts.listener === null) return;
    if (countOf(conversation) < this.#count) this.compacted(conversation);
    else this.#count = countOf(conversation);
  }

  message(to: string, text: string): void {
    this.#tell({ kind: "message", to, text });
  }

  done(text: string, problem: string | null = null): void {
    this.#tell({ kind: "done", text, problem, usage: this.#parts.usage() });
  }

  #tell(activity: Activity): void {
    const { agent, session, listener } = this.#parts;
    listener?.({ agent, session, ...activity });
  }
}

const countOf = ({ messages, summary }: Conversation): number =>
  Object.keys(messages).length + (summary === "" ? 0 : 1);

const streamDelta = (delta: ReplyDelta): StreamDelta => {
  switch (delta.type) {
    case "text":
      return { type: "text_delta", text: delta.text };
    case "reasoning":
      return { type: "thinking_delta", text: delta.text };
    case "tool_call":
      return { type: "tool_call_end", tool: delta.name, args: delta.args };
  }
};
