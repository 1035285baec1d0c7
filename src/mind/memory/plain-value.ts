import { cutText } from "../../kernel/index.ts";

/** A value of data, small enough to be shown. */
export type Plain =
  | null
  | boolean
  | number
  | string
  | readonly Plain[]
  | { readonly [name: string]: Plain };

const DEPTH_MAX = 5;
const VALUES_MAX = 2_000;
const TEXT_UNITS_MAX = 100_000;
const LEFT_OUT = "…";

/**
 * A copy of any value as plain data of bounded depth and size. What goes beyond is left out, and
 * what is no data (a date, a function) becomes text. Never throws.
 */
export const bounded = (value: unknown): Plain => {
  let values = 0;
  const copy = (each: unknown, depth: number): Plain => {
    values += 1;
    if (values > VALUES_MAX) return LEFT_OUT;
    if (each === null || each === undefined) return null;
    if (typeof each === "string") return cutText(each, TEXT_UNITS_MAX).toWellFormed();
    if (typeof each === "number" || typeof each === "boolean") return each;
    if (typeof each !== "object") return String(each);
    if (each instanceof Date) return String(each);
    if (depth >= DEPTH_MAX) return LEFT_OUT;
    if (Array.isArray(each)) {
      return each.slice(0, VALUES_MAX).map((item) => copy(item, depth + 1));
    }
    const entries = Object.entries(each).slice(0, VALUES_MAX);
    return Object.fromEntries(entries.map(([name, item]) => [name, copy(item, depth + 1)]));
  };
  return copy(value, 0);
};
