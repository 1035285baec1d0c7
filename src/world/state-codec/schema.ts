import { z } from "zod";
import {
  type HoldId,
  type Id,
  isAmountOrZero,
  isList,
  isObject,
  type Json,
  type JsonObject,
  memoized,
  parseId,
} from "../../kernel/index.ts";

/*
 * Schemas for values in files that anyone may have written. Check a value with `fits`, then use the
 * value, not zod's output: zod reorders the fields, and programs and minds would see the new order.
 */

const wrong = (what: string) => ({
  error: ({ input }: { readonly input?: unknown }) =>
    input === undefined ? "is missing" : `is not ${what}`,
});

export const checked = <T>(holds: (value: unknown) => boolean, what: string): z.ZodType<T> =>
  z.custom<T>(holds, { ...wrong(what), abort: true });

export const text = z.string(wrong("text"));
export const flag = z.boolean(wrong("true or false"));
/** The schema of counts, payments, and times in ms. */
export const amount = checked<number>(isAmountOrZero, "a whole number of 0 or more");
export const integer = z.int(wrong("a whole number"));
export const finite = z.number(wrong("a finite number"));
export const id = checked<Id>((value) => parseId(value) !== null, "an id");
export const holdId = checked<HoldId>((value) => typeof value === "string", "text");

export const oneOf = <T extends string>(values: readonly T[]): z.ZodType<T> =>
  z.enum(values, wrong(`one of ${values.join(", ")}`));

export const either = <T>(what: string, options: readonly z.ZodType<T>[]): z.ZodType<T> =>
  z.union(options, wrong(what));

/** A list. The check stops at the first wrong item: a hostile list may have millions of items. */
export const list = <T>(item: z.ZodType<T>): z.ZodType<readonly T[]> =>
  checked<readonly T[]>(isList, "a list").superRefine((items, context) => {
    const at = items.findIndex((each) => !fits(item, each));
    if (at < 0) return;
    const { path, message } = firstIssue(item, items[at]);
    context.addIssue({ code: "custom", path: [at, ...path], message });
  });

/** One schema for each field of `T`, so that the compiler finds a field without a schema. */
export type FieldSchemas<T> = { readonly [K in keyof T]-?: z.ZodType<T[K]> };

export function amounts<Name extends string>(
  ...names: readonly Name[]
): { readonly [N in Name]: z.ZodType<number> };
export function amounts(...names: readonly string[]): Readonly<Record<string, z.ZodType>> {
  return Object.fromEntries(names.map((name) => [name, amount]));
}

export function record<T>(fields: FieldSchemas<T>): z.ZodType<T>;
export function record(fields: Readonly<Record<string, z.ZodType>>): z.ZodType {
  return z.strictObject(fields, {
    error: (issue) => {
      if (issue.code !== "unrecognized_keys") return wrong("a record").error(issue);
      return `has a field ${quoted(issue.keys[0] ?? "")} too many`;
    },
  });
}

/** A record whose keys are ids. The check stops at the first wrong entry. */
export const byName = <T>(item: z.ZodType<T>): z.ZodType<{ readonly [name: string]: T }> =>
  checked<{ readonly [name: string]: T }>(isObject, "a record").superRefine((entries, context) => {
    for (const name in entries) {
      if (parseId(name) !== null && fits(item, entries[name])) continue;
      context.addIssue({ code: "custom", message: `has a wrong entry ${quoted(name)}` });
      return;
    }
  });

/** The maximum nesting: more levels than any world allows, but few enough for recursion. */
const DEPTH_MAX = 400;

const PLAIN = "plain data: it has a field __proto__ or is nested too deeply";

export const json = checked<Json>(
  (value) => value !== undefined && isPlain(value, DEPTH_MAX),
  PLAIN,
);
export const jsonObject = checked<JsonObject>(
  (value) => isObject(value) && isPlain(value, DEPTH_MAX),
  `a record of ${PLAIN}`,
);

/** Whether parsed JSON has no field `__proto__` and at most `depthMax` levels. */
const isPlain = (value: unknown, depthMax: number): boolean => {
  if (typeof value !== "object" || value === null) return true;
  return (
    depthMax > 0 &&
    Object.entries(value).every(
      ([name, item]) => name !== "__proto__" && isPlain(item, depthMax - 1),
    )
  );
};

const SHOWN_CHARS = 80;
/** Quotes a key from an untrusted file, shortened to one line. */
export const quoted = (name: string): string => JSON.stringify(name.slice(0, SHOWN_CHARS));

/** Caches compiled schemas. Compiled, a schema is three times as fast (docs/dev/decisions/0021). */
const compiled = memoized((schema: z.ZodType): z.ZodType => z.compile(schema), new WeakMap());

export const fits = <T>(schema: z.ZodType<T>, value: unknown): value is T =>
  z.validate(compiled(schema), value);

type Issue = { readonly path: readonly PropertyKey[]; readonly message: string };

export const firstIssue = (schema: z.ZodType, value: unknown): Issue =>
  schema.safeParse(value).error?.issues[0] ?? { path: [], message: "is wrong" };
