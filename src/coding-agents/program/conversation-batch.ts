import { cutText } from "../../kernel/index.ts";
import type { Segment } from "./stream/segment.ts";

/** How much of a tool's result a turn of a conversation keeps. Thinking is kept whole. */
const RESULT_CHARS_MAX = 2_000;
const BATCH_SIZE = 5;
/** How much of a tool's result a summary shows. */
const SHOWN_RESULT_CHARS = 200;

/** One turn of a conversation that a coding agent has with its model and its tools. */
export type ConversationTurn = {
  readonly type: "thinking" | "text" | "tool_use" | "tool_result";
  /** The text, or the input of the tool as JSON. */
  readonly content: string;
  /** Empty unless it is a `tool_use`. */
  readonly tool_name: string;
};

/** The turns of a conversation. Parts that no one can read are left out. */
export const conversationTurns = (segments: readonly Segment[]): readonly ConversationTurn[] =>
  segments.map(turnOf).filter((turn) => turn !== null);

const turnOf = (segment: Segment): ConversationTurn | null => {
  switch (segment.kind) {
    case "thinking":
    case "text":
      return { type: segment.kind, content: segment.text, tool_name: "" };
    case "tool_use": {
      const content = JSON.stringify(segment.input);
      return { type: segment.kind, content, tool_name: segment.tool };
    }
    case "tool_result":
      return {
        type: segment.kind,
        content: cutText(segment.text, RESULT_CHARS_MAX),
        tool_name: "",
      };
    case "unknown":
      return null;
  }
};

export type ConversationBatch = {
  /** One line for each turn, marked by its kind. */
  readonly summary: string;
  readonly turn_count: number;
  /** In order, with repetitions. */
  readonly tools_used: readonly string[];
};

export const groupTurnsIntoBatches = (
  turns: readonly ConversationTurn[],
): readonly ConversationBatch[] =>
  Array.from({ length: Math.ceil(turns.length / BATCH_SIZE) }, (_, at) => {
    const own = turns.slice(at * BATCH_SIZE, (at + 1) * BATCH_SIZE);
    return {
      summary: own.map(turnLine).join("\n"),
      turn_count: own.length,
      tools_used: own.flatMap((turn) => (turn.type === "tool_use" ? [turn.tool_name] : [])),
    };
  });

/** The part of a conversation with the mark of its kind. Empty for a part that no one can read. */
export const segmentLine = (segment: Segment): string =>
  conversationTurns([segment]).map(turnLine).join("");

/** A turn with the mark of its kind. Only the results of tools are cut. */
export const turnLine = ({ type, content, tool_name }: ConversationTurn): string => {
  switch (type) {
    case "thinking":
      return `💭 ${content}`;
    case "text":
      return `📝 ${content}`;
    case "tool_use":
      return `🔧 ${tool_name}(${content})`;
    case "tool_result":
      return `→ ${cutText(content, SHOWN_RESULT_CHARS)}${content.length > SHOWN_RESULT_CHARS ? "..." : ""}`;
  }
};
