import { isList, isObject, type Json, type JsonObject } from "../../../kernel/index.ts";
import {
  contentText,
  countAt,
  jsonLines,
  listAt,
  objectAt,
  textAt,
  unknownPart,
} from "./json-line.ts";
import {
  type LineReader,
  NO_TOKENS,
  type Segment,
  type Sink,
  type TokenCounts,
} from "./segment.ts";

/** Reads `claude -p --output-format stream-json --verbose`. */
export const claudeStream = (sink: Sink): LineReader => {
  // Tokens of complete messages, and of the last one, which comes once for each of its blocks.
  let before = NO_TOKENS;
  let last = { id: "", tokens: NO_TOKENS };
  const countSoFar = (message: JsonObject): void => {
    const { id = null, usage } = objectAt(message, "message");
    if (id !== last.id) before = sumOf(before, last.tokens);
    last = { id: String(id), tokens: tokensIn(usage) };
    sink.usage(sumOf(before, last.tokens));
  };
  return jsonLines(sink, (type, message) => {
    switch (type) {
      case "system": {
        // Only the message at the start names the session. Others can name ids that do not resume.
        const id = textAt(message, "session_id");
        if (textAt(message, "subtype") === "init" && id !== "") return sink.session(id);
        return sink.segment(unknownPart(type, message));
      }
      case "assistant":
        // A turn that is stopped has no result, so its tokens are counted on the way.
        countSoFar(message);
        for (const block of blocksOf(message)) sink.segment(spoken(block));
        return;
      case "user":
        for (const block of blocksOf(message)) sink.segment(answered(block));
        return;
      case "result":
        return readResult(message, sink);
      default:
        return sink.segment(unknownPart(type, message));
    }
  });
};

const INPUT_COUNTS = [
  "input_tokens",
  "cache_creation_input_tokens",
  "cache_read_input_tokens",
] as const;

const tokensIn = (usage: Json | undefined): TokenCounts => ({
  input_tokens: INPUT_COUNTS.reduce((sum, name) => sum + countAt(usage, name), 0),
  output_tokens: countAt(usage, "output_tokens"),
});

const sumOf = (a: TokenCounts, b: TokenCounts): TokenCounts => ({
  input_tokens: a.input_tokens + b.input_tokens,
  output_tokens: a.output_tokens + b.output_tokens,
});

const blocksOf = (message: JsonObject): readonly Json[] => {
  const { content } = objectAt(message, "message");
  if (typeof content === "string") return [{ type: "text", text: content }];
  return content !== undefined && isList(content) ? content : [];
};

const spoken = (block: Json): Segment => {
  const type = textAt(block, "type");
  if (type === "thinking") return { kind: "thinking", text: textAt(block, "thinking") };
  if (type === "text") return { kind: "text", text: textAt(block, "text") };
  if (type !== "tool_use") return unknownPart(type, block);
  const input = isObject(block) ? (block.input ?? {}) : {};
  return { kind: type, id: textAt(block, "id"), tool: textAt(block, "name"), input };
};

const answered = (block: Json): Segment => {
  const type = textAt(block, "type");
  // A text here is what a person or a program told the model, such as the task of a helper.
  if (type !== "tool_result" || !isObject(block)) return unknownPart(`user_${type}`, block);
  const text = contentText(block.content);
  const is_error = block.is_error === true;
  return { kind: type, id: textAt(block, "tool_use_id"), text, is_error };
};

const readResult = (message: JsonObject, sink: Sink): void => {
  const { result, is_error, total_cost_usd: cost } = message;
  // A cost without sense is a large one: it must not be free.
  const costMicros =
    typeof cost === "number" && cost >= 0
      ? Math.min(Math.round(cost * 1_000_000), Number.MAX_SAFE_INTEGER)
      : null;
  sink.usage(tokensIn(message.usage), costMicros);
  const text = typeof result === "string" ? result : "";
  if (text !== "") sink.result(text);
  if (is_error !== true) return;
  const reason = [text, ...listAt(message, "errors").map(contentText), textAt(message, "subtype")];
  sink.failure(reason.find((each) => each.trim() !== "") ?? "");
};
