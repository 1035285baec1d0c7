import { jsonIn } from "../../kernel/index.ts";

/** `text` is valid JSON. `end` is the place after it in the text that was read. */
type FoundJson = { readonly text: string; readonly end: number };

const ESCAPES: { readonly [character: string]: string } = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

const NEXT = /\s*([\]}])?/y;

/**
 * The JSON list or object that starts at `start`, or null if there is none. Corrects what models
 * write most often: line breaks and tabs within a text, and a comma after the last entry.
 */
export const jsonAt = (whole: string, start: number): FoundJson | null => {
  const end = endOfJson(whole, start);
  if (end === null) return null;
  const written = whole.slice(start, end);
  if (jsonIn(written) !== undefined) return { text: written, end };
  const text = corrected(written);
  return jsonIn(text) === undefined ? null : { text, end };
};

const endOfJson = (whole: string, start: number): number | null => {
  if (whole[start] !== "[" && whole[start] !== "{") return null;
  let depth = 0;
  for (let at = start; at < whole.length; at++) {
    const mark = whole[at];
    if (mark === '"') at = endOfText(whole, at);
    else if (mark === "[" || mark === "{") depth += 1;
    else if (mark === "]" || mark === "}") {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return null;
};

/** The place of the quote that ends the text whose first quote is at `start`. */
const endOfText = (whole: string, start: number): number => {
  let at = start + 1;
  while (at < whole.length && whole[at] !== '"') at += whole[at] === "\\" ? 2 : 1;
  return at;
};

const corrected = (written: string): string => {
  let text = "";
  for (let at = 0; at < written.length; at++) {
    const mark = written[at];
    if (mark === '"') {
      const end = endOfText(written, at);
      text += written.slice(at, end + 1).replaceAll(/[\n\r\t]/g, (found) => ESCAPES[found] ?? "");
      at = end;
    } else {
      NEXT.lastIndex = at + 1;
      const isExtra = mark === "," && NEXT.exec(written)?.[1] !== undefined;
      if (!isExtra) text += mark;
    }
  }
  return text;
};
