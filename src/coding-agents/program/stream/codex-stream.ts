import { isObject, type Json, type JsonObject } from "../../../kernel/index.ts";
import { contentText, countAt, jsonLines, objectAt, textAt, unknownPart } from "./json-line.ts";
import type { LineReader, Segment, Sink } from "./segment.ts";

/** How many items can be in progress at once. The oldest is then shown again when it ends. */
const OPEN_ITEMS_MAX = 1_000;

/** Reads `codex exec --json`. A tool is shown when it starts, and its result when it ends. */
export const codexStream = (sink: Sink): LineReader => {
  const open = new Set<string>();
  const begin = (item: JsonObject): void => {
    const use = toolUse(item);
    if (use === null) return;
    open.add(use.id);
    const [oldest] = open;
    if (open.size > OPEN_ITEMS_MAX && oldest !== undefined) open.delete(oldest);
    sink.segment(use);
  };
  const complete = (item: JsonObject): void => {
    const use = toolUse(item);
    if (use === null) return sink.segment(saidBy(item));
    if (!open.delete(use.id)) sink.segment(use);
    sink.segment(toolResult(use.id, item));
  };
  return jsonLines(sink, (type, message) => {
    switch (type) {
      case "thread.started":
        return sink.session(textAt(message, "thread_id"));
      case "turn.started":
      case "item.updated":
        return;
      case "item.started":
        return begin(objectAt(message, "item"));
      case "item.completed":
        return complete(objectAt(message, "item"));
      case "turn.completed": {
        const usage = objectAt(message, "usage");
        return sink.usage({
          input_tokens: countAt(usage, "input_tokens"),
          output_tokens: countAt(usage, "output_tokens"),
        });
      }
      case "turn.failed":
        return sink.failure(textAt(objectAt(message, "error"), "message"));
      // The top-level `error` is here too: Codex reports connections that it tries again with it.
      default:
        return sink.segment(unknownPart(type, message));
    }
  });
};

const saidBy = (item: JsonObject): Segment => {
  const type = textAt(item, "type");
  switch (type) {
    case "agent_message":
    case "assistant_message":
      return { kind: "text", text: textAt(item, "text") };
    case "reasoning":
      return { kind: "thinking", text: textAt(item, "text") };
    case "error":
      return { kind: "unknown", type, text: textAt(item, "message") };
    default:
      return unknownPart(type, item);
  }
};

type ToolUse = Extract<Segment, { readonly kind: "tool_use" }>;

/** An item that is work with a tool. Null for any other item. */
const toolUse = (item: JsonObject): ToolUse | null => {
  const [type, id] = [textAt(item, "type"), textAt(item, "id")];
  const use = (tool: string, input: Json): ToolUse => ({ kind: "tool_use", id, tool, input });
  switch (type) {
    case "command_execution":
      return use(type, { command: textAt(item, "command") });
    case "file_change":
      return use(type, { changes: item.changes ?? [] });
    case "web_search":
      return use(type, { query: textAt(item, "query") });
    case "mcp_tool_call":
      return use(`mcp__${textAt(item, "server")}__${textAt(item, "tool")}`, item.arguments ?? {});
    default:
      return null;
  }
};

const toolResult = (id: string, item: JsonObject): Segment => {
  const { status, exit_code, error, result } = item;
  const problem = isObject(error) ? textAt(error, "message") : "";
  const content = isObject(result) ? (result.content ?? null) : null;
  const texts = [problem, textAt(item, "aggregated_output"), contentText(content)];
  const text = texts.find((each) => each !== "") ?? (typeof status === "string" ? status : "");
  const failed = status === "failed" || status === "declined" || problem !== "";
  const is_error = failed || (typeof exit_code === "number" && exit_code !== 0);
  return { kind: "tool_result", id, text, is_error };
};
