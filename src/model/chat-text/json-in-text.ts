import { isObject, type JsonObject, jsonIn } from "../../kernel/index.ts";

/** Only this many characters of a reply are searched for JSON. */
const SEARCHED_CHARS_MAX = 400_000;
const TRIES_MAX = 50;

/** Returns the first `wanted` JSON object in a text. If none is wanted, returns the first one. */
export const extractJson = (
  text: string,
  wanted: (found: JsonObject) => boolean = () => true,
): JsonObject | undefined => {
  let first: JsonObject | undefined;
  for (const found of objectsIn(text.slice(0, SEARCHED_CHARS_MAX))) {
    if (wanted(found)) return found;
    first ??= found;
  }
  return first;
};

/** Yields the valid JSON objects in a text, without nested ones. */
function* objectsIn(text: string): Generator<JsonObject> {
  const whole = objectIn(text.trim());
  if (whole !== undefined) {
    yield whole;
    return;
  }
  let at = text.indexOf("{");
  for (let tries = 0; at !== -1 && tries < TRIES_MAX; tries++) {
    const end = endOfObject(text, at);
    const found = end === null ? undefined : objectIn(text.slice(at, end));
    if (found !== undefined) yield found;
    at = text.indexOf("{", found === undefined || end === null ? at + 1 : end);
  }
}

/** Returns the index after the object that starts at `start`, or null if it is incomplete. */
export const endOfObject = (text: string, start: number): number | null => {
  let [depth, quoted] = [0, false];
  for (let at = start; at < text.length; at++) {
    const mark = text[at];
    if (quoted) {
      if (mark === "\\") at += 1;
      else if (mark === '"') quoted = false;
    } else if (mark === '"') quoted = true;
    else if (mark === "{") depth += 1;
    else if (mark === "}") {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return null;
};

const objectIn = (text: string): JsonObject | undefined => {
  const value = jsonIn(text);
  return isObject(value) ? value : undefined;
};
