import { isList, isObject, type Json, type JsonObject } from "../../../kernel/index.ts";
import {
  contentText,
  countAt,
  jsonLine,
  listAt,
  objectAt,
  textAt,
  unknownPart,
} from "./json-line.ts";
import { type Fact, NO_TOKENS, segmentFact, type TokenCounts } from "./segment.ts";

/** Reads `claude -p --output-format stream-json --verbose`. */
export const claudeStream = (): ((line: string) => readonly Fact[]) => {
  // Tokens of complete messages, and of the last one, which comes once for each of its blocks.
  let before = NO_TOKENS;
  let last = { id: "", tokens: NO_TOKENS };
  const usageSoFar = (message: JsonObject): Fact => {
    const { id = null, usage } = objectAt(message, "message");
    if (id !== last.id) before = sumOf(before, last.tokens);
    last = { id: String(id), tokens: tokensIn(usage) };
    return { kind: "usage", tokens: sumOf(before, last.tokens), cost_micros: null };
  };
  return (line) =>
    jsonLine(line, (type, message) => {
      switch (type) {
        case "system":
          return systemFacts(message);
        case "assistant":
          // A turn that is stopped has no result, so its tokens are counted on the way.
          return [
            usageSoFar(message),
            ...blocksOf(message).map((block) => segmentFact(spoken(block))),
          ];
        case "user":
          return blocksOf(message).map((block) => segmentFact(answered(block)));
        case "result":
          return resultFacts(message);
        default:
          return [segmentFact(unknownPart(type, message))];
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

/** Only the message at the start names the session. Others can name ids that do not resume. */
const systemFacts = (message: JsonObject): readonly Fact[] => {
  const id = textAt(message, "session_id");
  const isInit = textAt(message, "subtype") === "init" && id !== "";
  return isInit ? [{ kind: "session", id }] : [segmentFact(unknownPart("system", message))];
};

const blocksOf = (message: JsonObject): readonly Json[] => {
  const content = objectAt(message, "message").content;
  return typeof content === "string" ? [{ type: "text", text: content }] : listOf(content);
};

const listOf = (content: Json | undefined): readonly Json[] =>
  content !== undefined && isList(content) ? content : [];

const spoken = (block: Json) => {
  const type = textAt(block, "type");
  if (type === "thinking") return { kind: "thinking", text: textAt(block, "thinking") } as const;
  if (type === "text") return { kind: "text", text: textAt(block, "text") } as const;
  if (type !== "tool_use") return unknownPart(type, block);
  const input = isObject(block) ? (block.input ?? {}) : {};
  return { kind: type, id: textAt(block, "id"), tool: textAt(block, "name"), input } as const;
};

const answered = (block: Json) => {
  const type = textAt(block, "type");
  // A text here is what a person or a program told the model, such as the task of a helper.
  if (type !== "tool_result" || !isObject(block)) return unknownPart(`user_${type}`, block);
  const text = contentText(block.content);
  const is_error = block.is_error === true;
  return { kind: type, id: textAt(block, "tool_use_id"), text, is_error } as const;
};

const MICROS = 1_000_000;

const resultFacts = (message: JsonObject): readonly Fact[] => {
  const { result, is_error, total_cost_usd: cost } = message;
  const tokens = tokensIn(message.usage);
  // A cost without sense is a large one: it must not be free.
  const cost_micros =
    typeof cost === "number" && cost >= 0
      ? Math.min(Math.round(cost * MICROS), Number.MAX_SAFE_INTEGER)
      : null;
  const text = typeof result === "string" ? result : "";
  const reason = [text, ...listAt(message, "errors").map(contentText), textAt(message, "subtype")];
  const failure = reason.find((each) => each.trim() !== "") ?? "the turn failed";
  return [
    { kind: "usage", tokens, cost_micros },
    ...(text === "" ? [] : [{ kind: "result", text } as const]),
    ...(is_error === true ? [{ kind: "failure", message: failure } as const] : []),
  ];
};
