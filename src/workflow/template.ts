import { cutText, isObject, type Json } from "../kernel/index.ts";
import type { TextProblem } from "./expression.ts";

/** A placeholder for a value: `{name}` or `{name.field.0}`. */
export type Slot = { readonly name: string; readonly path: readonly string[] };
type TemplatePart = string | Slot;

type TemplateRead =
  | { readonly ok: true; readonly parts: readonly TemplatePart[] }
  | ({ readonly ok: false } & TextProblem);

const VALUE_CHARS_MAX = 6_000;
const FILLED_CHARS_MAX = 40_000;

const MARKS = /\{\{|\}\}|\{([^{}]*)\}|[{}]/g;
const SLOT = /^\s*([A-Za-z_]\w*)((?:\.\w+)*)\s*$/;
const BRACES = "for a literal brace, write it twice: `{{` or `}}`";

/** Parses a variable with its path, such as `review.decision`. Returns null for other texts. */
export const readSlot = (text: string): Slot | null => {
  const [, name, rest = ""] = SLOT.exec(text) ?? [];
  return name === undefined ? null : { name, path: rest.split(".").slice(1) };
};

/** Parses a text with slots such as `{name}`. `{{` stands for `{`, and `}}` stands for `}`. */
export const readTemplate = (text: string): TemplateRead => {
  const parts: TemplatePart[] = [];
  let end = 0;
  for (const match of text.matchAll(MARKS)) {
    const [mark, inside] = match;
    parts.push(text.slice(end, match.index));
    end = match.index + mark.length;
    if (mark === "{{" || mark === "}}") parts.push(mark.charAt(0));
    else if (inside === undefined) {
      const which = mark === "{" ? "opened and never closed" : "closed and was never opened";
      return {
        ok: false,
        problem: `a brace is ${which} near "${near(text, match.index)}"`,
        hint: BRACES,
      };
    } else {
      const slot = readSlot(inside);
      if (slot === null) {
        return { ok: false, problem: `"${cutText(mark, 40)}" names no variable`, hint: BRACES };
      }
      parts.push(slot);
    }
  }
  parts.push(text.slice(end));
  return { ok: true, parts: parts.filter((part) => part !== "") };
};

const near = (text: string, at: number): string =>
  text
    .slice(at, at + 20)
    .replace(/\s+/g, " ")
    .trim();

export const valueIn = (value: Json, path: readonly string[]): Json =>
  path.reduce<Json>((here, key) => {
    if (Array.isArray(here)) return /^\d+$/.test(key) ? (here[Number(key)] ?? null) : null;
    return isObject(here) && Object.hasOwn(here, key) ? (here[key] ?? null) : null;
  }, value);

/** Formats a prompt value: text as it is, null as `none`, the rest as JSON. Cuts long text. */
export const shownValue = (value: Json): string => {
  const text = typeof value === "string" ? value : value === null ? "none" : JSON.stringify(value);
  return cutMarked(text, VALUE_CHARS_MAX);
};

export const cutMarked = (text: string, charsMax: number): string =>
  text.length <= charsMax ? text : `${cutText(text, charsMax)} [cut]`;

export const fillTemplate = (
  parts: readonly TemplatePart[],
  shown: (slot: Slot) => string,
): string =>
  cutMarked(
    parts.map((part) => (typeof part === "string" ? part : shown(part))).join(""),
    FILLED_CHARS_MAX,
  );
