import { isObject, type JsonObject, jsonIn } from "../../kernel/index.ts";

/** Longer replies are not searched: nobody's action is that long. */
const SEARCHED_CHARS_MAX = 400_000;
/** So many places where an object could begin are tried. */
const TRIES_MAX = 50;

/**
 * The JSON object in a reply: the whole text, what stands in a fence, or an object in the prose
 * around it, the first that is `wanted` before the first of all. Undefined where there is none.
 */
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

/** The objects that can be read in a text, none within another. */
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

/** Where the object that begins at `start` ends; null when it never does. */
const endOfObject = (text: string, start: number): number | null => {
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
