import { type HoldId, type Id, parseId } from "./ids.ts";
import { isList, isObject, type Json, type JsonObject } from "./json.ts";
import { isAmountOrZero } from "./money.ts";

/**
 * What plain data looks like, written once: `const MOVE = record({ to: id, amount })` checks a value
 * from a file that anyone may have written, and `Of<typeof MOVE>` is its type. A shape says what is
 * wrong with a value, after the place in it, as in `.to is not an id`; null if nothing is.
 */
export interface Shape<T> {
  (value: unknown): string | null;
  /** Never set. It holds the type of the values. */
  readonly type?: T;
}

export type Of<S> = S extends Shape<infer T> ? T : never;

const wrong = (what: string, value: unknown): string =>
  value === undefined ? " is missing" : ` is not ${what}`;

/** A shape with a check of its own. `what` ends the sentence "it is not". */
export const checked =
  <T>(what: string, holds: (value: unknown) => boolean): Shape<T> =>
  (value) =>
    holds(value) ? null : wrong(what, value);

export const text = checked<string>("text", (value) => typeof value === "string");
export const flag = checked<boolean>("true or false", (value) => typeof value === "boolean");
/** Counts, payments, and times in ms. */
export const amount = checked<number>("a whole number of 0 or more", isAmountOrZero);
/** Lifetime totals and scores. They need not be safe integers. */
export const finite = checked<number>("a finite number", Number.isFinite);
export const id = checked<Id>("an id", (value) => parseId(value) !== null);
export const holdId = checked<HoldId>("text", (value) => typeof value === "string");

export const oneOf = <const T extends string | boolean>(values: readonly T[]): Shape<T> =>
  checked(`one of ${values.join(", ")}`, (value) => values.some((known) => known === value));

export const nullable =
  <T>(inner: Shape<T>): Shape<T | null> =>
  (value) =>
    value === null ? null : inner(value);

/** The shape of a field that a record may lack. */
export const optional =
  <T>(inner: Shape<T>): Shape<T | undefined> =>
  (value) =>
    value === undefined ? null : inner(value);

export const either = <const S extends readonly Shape<unknown>[]>(
  what: string,
  options: S,
): Shape<Of<S[number]>> =>
  checked(what, (value) => options.some((option) => option(value) === null));

/** Stops at the first wrong item: a hostile list may have millions of items. */
export const list =
  <T>(item: Shape<T>): Shape<readonly T[]> =>
  (value) => {
    if (!isList(value)) return wrong("a list", value);
    for (let at = 0; at < value.length; at++) {
      const problem = item(value[at]);
      if (problem !== null) return `[${at}]${problem}`;
    }
    return null;
  };

/** A list of so many whole numbers, such as the state of a generator of random numbers. */
export const integers = (length: number): Shape<readonly number[]> => {
  const items = list(checked<number>("a whole number", Number.isSafeInteger));
  return (value) => {
    const problem = items(value);
    if (problem !== null || (isList(value) && value.length === length)) return problem;
    return ` has another length than ${length}`;
  };
};

type Fields = { readonly [name: string]: Shape<unknown> };

type Flat<T> = { readonly [K in keyof T]: T[K] };

export type RecordOf<F> = Flat<
  { [K in keyof F as undefined extends Of<F[K]> ? never : K]: Of<F[K]> } & {
    [K in keyof F as undefined extends Of<F[K]> ? K : never]?: Exclude<Of<F[K]>, undefined>;
  }
>;

/** A record with exactly these fields. */
export const record = <const F extends Fields>(fields: F): Shape<RecordOf<F>> => {
  const all = Object.entries(fields);
  return (value) => {
    if (!isObject(value)) return wrong("a record", value);
    let given = 0;
    for (const [name, field] of all) {
      const item = value[name];
      const problem = field(item);
      if (problem !== null) return `.${name}${problem}`;
      if (item !== undefined) given += 1;
    }
    const names = Object.keys(value);
    if (names.length === given) return null;
    const extra = names.find((name) => !Object.hasOwn(fields, name)) ?? "";
    return ` has a field ${quoted(extra)} too many`;
  };
};

/** One field for each key of `like`. */
export const fieldsLike = <T extends object, V>(
  like: T,
  field: Shape<V>,
): { readonly [K in keyof T]: Shape<V> } =>
  Object.fromEntries(Object.keys(like).map((name) => [name, field])) as never;

/** A record whose keys are ids. Stops at the first wrong entry. */
export const byName =
  <T>(item: Shape<T>): Shape<{ readonly [name: string]: T }> =>
  (value) => {
    if (!isObject(value)) return wrong("a record", value);
    for (const name in value) {
      if (parseId(name) === null || item(value[name]) !== null) {
        return ` has a wrong entry ${quoted(name)}`;
      }
    }
    return null;
  };

const PLAIN = "plain data: it has a field __proto__ or is nested too deeply";

/** The maximum nesting: more levels than any world allows, but few enough for recursion. */
const isPlainJson = (value: unknown): boolean => value !== undefined && isPlain(value, 400);

/** Whether parsed JSON has no field `__proto__` and at most `depthMax` levels. */
const isPlain = (value: unknown, depthMax: number): boolean => {
  if (typeof value !== "object" || value === null) return true;
  if (depthMax === 0) return false;
  if (Array.isArray(value)) return value.every((item) => isPlain(item, depthMax - 1));
  return Object.entries(value).every(
    ([name, item]) => name !== "__proto__" && isPlain(item, depthMax - 1),
  );
};

export const json = checked<Json>(PLAIN, isPlainJson);
export const jsonObject = checked<JsonObject>(
  `a record of ${PLAIN}`,
  (value) => isObject(value) && isPlainJson(value),
);

/** Quotes a key from an untrusted file, shortened to one line. */
export const quoted = (name: string): string => JSON.stringify(name.slice(0, 80));
