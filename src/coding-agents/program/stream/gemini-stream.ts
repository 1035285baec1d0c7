import type { JsonObject } from "../../../kernel/index.ts";
import { contentText, countAt, jsonLines, objectAt, textAt, unknownPart } from "./json-line.ts";
import type { LineReader, Sink } from "./segment.ts";

/** Reads `gemini --output-format stream-json`. Its texts come in pieces. */
export const geminiStream = (sink: Sink): LineReader =>
  jsonLines(sink, (type, message) => {
    switch (type) {
      case "init":
        return sink.session(textAt(message, "session_id"));
      case "message":
        return readMessage(message, sink);
      case "tool_use": {
        const { parameters: input = {} } = message;
        const [tool, id] = [textAt(message, "tool_name"), textAt(message, "tool_id")];
        return sink.segment({ kind: type, id, tool, input });
      }
      case "tool_result": {
        const problem = textAt(objectAt(message, "error"), "message");
        const text = problem === "" ? contentText(message.output) : problem;
        const is_error = textAt(message, "status") === "error";
        return sink.segment({ kind: type, id: textAt(message, "tool_id"), text, is_error });
      }
      case "error":
        // A warning, or an error after which the turn continues.
        return sink.segment({ kind: "unknown", type, text: textAt(message, "message") });
      case "result": {
        const stats = objectAt(message, "stats");
        sink.usage({
          input_tokens: countAt(stats, "input_tokens"),
          output_tokens: countAt(stats, "output_tokens"),
        });
        if (textAt(message, "status") !== "error") return;
        return sink.failure(textAt(objectAt(message, "error"), "message"));
      }
      default:
        return sink.segment(unknownPart(type, message));
    }
  });

const readMessage = (message: JsonObject, sink: Sink): void => {
  const role = textAt(message, "role");
  // The first message repeats the prompt.
  if (role === "user") return;
  const text = contentText(message.content);
  if (role !== "assistant") return sink.segment(unknownPart("message", message));
  if (message.delta === true) return sink.piece(text);
  sink.segment({ kind: "text", text });
};
