import type { JsonObject } from "../../../kernel/index.ts";
import { contentText, countAt, jsonLine, objectAt, textAt, unknownPart } from "./json-line.ts";
import { type Fact, type Segment, segmentFact } from "./segment.ts";

/** Reads `gemini --output-format stream-json`. Its texts come in pieces. */
export const geminiStream = (): ((line: string) => readonly Fact[]) => (line) =>
  jsonLine(line, (type, message) => {
    switch (type) {
      case "init": {
        const id = textAt(message, "session_id");
        return id === "" ? [] : [{ kind: "session", id }];
      }
      case "message":
        return messageFacts(message);
      case "tool_use": {
        const { parameters = {} } = message;
        const [tool, id] = [textAt(message, "tool_name"), textAt(message, "tool_id")];
        return [segmentFact({ kind: type, id, tool, input: parameters })];
      }
      case "tool_result":
        return [segmentFact(toolResult(message))];
      case "error":
        // A warning, or an error after which the turn continues.
        return [segmentFact({ kind: "unknown", type, text: textAt(message, "message") })];
      case "result":
        return resultFacts(message);
      default:
        return [segmentFact(unknownPart(type, message))];
    }
  });

/** The first message repeats the prompt. */
const messageFacts = (message: JsonObject): readonly Fact[] => {
  const role = textAt(message, "role");
  if (role === "user") return [];
  const text = contentText(message.content);
  if (role !== "assistant") return [segmentFact(unknownPart("message", message))];
  return message.delta === true
    ? [{ kind: "piece", text }]
    : [{ kind: "break" }, segmentFact({ kind: "text", text })];
};

const toolResult = (message: JsonObject): Segment => {
  const problem = textAt(objectAt(message, "error"), "message");
  const text = problem === "" ? contentText(message.output) : problem;
  const is_error = textAt(message, "status") === "error";
  return { kind: "tool_result", id: textAt(message, "tool_id"), text, is_error };
};

const resultFacts = (message: JsonObject): readonly Fact[] => {
  const stats = objectAt(message, "stats");
  const tokens = {
    input_tokens: countAt(stats, "input_tokens"),
    output_tokens: countAt(stats, "output_tokens"),
  };
  const usage: Fact = { kind: "usage", tokens, cost_micros: null };
  if (textAt(message, "status") !== "error") return [usage];
  const said = textAt(objectAt(message, "error"), "message");
  return [usage, { kind: "failure", message: said === "" ? "the turn failed" : said }];
};
