import {
  cutText,
  isList,
  isObject,
  type Json,
  type JsonObject,
  jsonIn,
} from "../../../kernel/index.ts";
import { withoutNul } from "./lines.ts";
import type { LineReader, Segment, Sink } from "./segment.ts";

const UNKNOWN_CHARS_MAX = 2_000;
const DEPTH_MAX = 64;
const TOO_DEEP = "(nested too deeply)";

/** Makes a text that the world accepts: without NUL, and without half of a character. */
const cleanText = (text: string): string => withoutNul(text.toWellFormed());

const clean = (value: Json, depth: number): Json => {
  if (typeof value === "string") return cleanText(value);
  if (value === null || typeof value !== "object") return value;
  if (depth === 0) return TOO_DEEP;
  if (isList(value)) return value.map((each) => clean(each, depth - 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [cleanText(key), clean(each, depth - 1)]),
  );
};

/**
 * Reads a stream of JSON. `read` gets each object with its type. A line that is not an object of
 * JSON is kept as a text, because programs print warnings between their messages.
 */
export const jsonLines =
  (sink: Sink, read: (type: string, message: JsonObject) => void): LineReader =>
  (line) => {
    if (line.trim() === "") return;
    const parsed = jsonIn(line);
    if (!isObject(parsed)) return sink.segment({ kind: "text", text: line });
    const message = clean(parsed, DEPTH_MAX);
    if (isObject(message)) read(textAt(message, "type"), message);
  };

export const unknownPart = (type: string, value: Json): Segment => ({
  kind: "unknown",
  type: type === "" ? "object" : type,
  text: cutText(typeof value === "string" ? value : JSON.stringify(value), UNKNOWN_CHARS_MAX),
});

export const textAt = (value: Json | undefined, key: string): string => {
  const found = isObject(value) ? value[key] : undefined;
  return typeof found === "string" ? found : "";
};

export const objectAt = (value: Json | undefined, key: string): JsonObject => {
  const found = isObject(value) ? value[key] : undefined;
  return isObject(found) ? found : {};
};

export const listAt = (value: Json | undefined, key: string): readonly Json[] => {
  const found = isObject(value) ? value[key] : undefined;
  return found !== undefined && isList(found) ? found : [];
};

/** A count of tokens; 0 for anything that is not one. */
export const countAt = (value: Json | undefined, key: string): number => {
  const found = isObject(value) ? value[key] : undefined;
  return typeof found === "number" && Number.isSafeInteger(found) && found > 0 ? found : 0;
};

/** The text of a list of content blocks, of a text, or of any other JSON. */
export const contentText = (content: Json | undefined): string => {
  if (content === undefined || content === null) return "";
  if (typeof content === "string") return content;
  if (!isList(content)) return JSON.stringify(content);
  return content
    .map((block) => (textAt(block, "type") === "text" ? textAt(block, "text") : contentText(block)))
    .join("\n");
};
