import { invariant } from "./errors.ts";

/** Plain data. Agents, programs and the kernel exchange only plain data. */
export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json };

export type JsonObject = { readonly [key: string]: Json };

/** True if the value is an object, not a list or null. Narrows `Json` to `JsonObject`. */
export function isObject(value: Json | undefined): value is JsonObject;
export function isObject(value: unknown): value is Readonly<Record<string, unknown>>;
export function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isList(value: Json | undefined): value is readonly Json[];
export function isList(value: unknown): value is readonly unknown[];
export function isList(value: unknown): boolean {
  return Array.isArray(value);
}

/** Returns JSON text with keys sorted by UTF-16 code units. Throws if a number is not finite. */
export const canonical = (value: unknown): string => {
  if (typeof value === "number") invariant(Number.isFinite(value), "numbers must be finite");
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item ?? null)).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonical(item)}`).join(",")}}`;
};

/**
 * Returns why `value` is not plain data, or null if it is. Refuses nesting deeper than `depthMax`,
 * non-finite numbers, text with NUL or lone surrogates, and the key `__proto__`.
 */
export const jsonProblem = (value: unknown, depthMax: number): string | null => {
  switch (typeof value) {
    case "boolean":
      return null;
    case "number":
      return Number.isFinite(value) ? null : "numbers must be finite";
    case "string":
      return textProblem(value);
    case "object":
      if (value === null) return null;
      if (depthMax <= 0) return "it is nested too deeply";
      return Array.isArray(value) ? arrayProblem(value, depthMax) : objectProblem(value, depthMax);
    default:
      return `a ${typeof value} is not JSON`;
  }
};

const arrayProblem = (items: readonly unknown[], depthMax: number): string | null => {
  for (const item of items) {
    const problem = jsonProblem(item, depthMax - 1);
    if (problem !== null) return problem;
  }
  return null;
};

const objectProblem = (record: object, depthMax: number): string | null => {
  for (const [key, item] of Object.entries(record)) {
    if (key === "__proto__") return 'the key "__proto__" is not allowed';
    const problem = textProblem(key) ?? jsonProblem(item, depthMax - 1);
    if (problem !== null) return problem;
  }
  return null;
};

/** Returns why a text cannot be stored, shown or sent everywhere. Null if there is no problem. */
export const textProblem = (text: string): string | null => {
  if (text.includes("\u0000")) return "text must not contain the character NUL";
  return text.isWellFormed() ? null : "text must be well-formed Unicode (it has a lone surrogate)";
};

const BEYOND_ASCII = /[\u0080-\uffff]/;

export const byteLength = (text: string): number => {
  // Most text is ASCII. A test for ASCII is faster than counting bytes.
  if (!BEYOND_ASCII.test(text)) return text.length;
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) continue;
    if (unit < 0x800) bytes += 1;
    else {
      bytes += 2;
      if (isHigh(unit) && isLow(text.charCodeAt(i + 1))) i += 1;
    }
  }
  return bytes;
};

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;

/** Returns the first `max` UTF-16 units, or one unit less to keep a surrogate pair whole. */
export const cutText = (text: string, max: number): string => {
  if (text.length <= max) return text;
  return text.slice(0, isHigh(text.charCodeAt(max - 1)) ? max - 1 : max);
};

export const jsonIn = (text: string): Json | undefined => {
  try {
    const value: Json = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
};
