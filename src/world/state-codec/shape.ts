import {
  type HoldId,
  type Id,
  isAmountOrZero,
  isList,
  isObject,
  type Json,
  type JsonObject,
  parseId,
} from "../../kernel/index.ts";

/**
 * Says what keeps a value from being a `T`, as the end of a path and the fault there, such as
 * `.due.atMs is no whole number`; null where nothing does. It never throws and changes nothing.
 */
export type Shape<T> = { (value: unknown): string | null; readonly of?: T };

export const fits = <T>(shape: Shape<T>, value: unknown): value is T => shape(value) === null;

export const leaf =
  <T>(holds: (value: unknown) => boolean, what: string): Shape<T> =>
  (value) =>
    holds(value) ? null : ` is no ${what}`;

export const text = leaf<string>((value) => typeof value === "string", "text");
export const flag = leaf<boolean>((value) => typeof value === "boolean", "true or false");
/** What is counted and paid, and times in ms. */
export const amount = leaf<number>(isAmountOrZero, "whole number of 0 or more");
export const integer = leaf<number>(Number.isSafeInteger, "whole number");
export const finite = leaf<number>(Number.isFinite, "finite number");
export const id = leaf<Id>((value) => parseId(value) !== null, "id");
export const holdId = leaf<HoldId>((value) => typeof value === "string", "text");

export const oneOf = <T extends string | number>(values: readonly T[]): Shape<T> => {
  const known: ReadonlySet<unknown> = new Set(values);
  return (value) => (known.has(value) ? null : ` is none of ${values.join(", ")}`);
};

export const nullable = <T>(shape: Shape<T>): Shape<T | null> => {
  return (value) => (value === null ? null : shape(value));
};

/** For a field that may be left out. */
export const optional = <T>(shape: Shape<T>): Shape<T | undefined> => {
  return (value) => (value === undefined ? null : shape(value));
};

/** A value that is one of several things. Where it is none, the fault is that of the last one. */
export const either = <T>(...shapes: readonly Shape<T>[]): Shape<T> => {
  return (value) => {
    let wrong: string | null = null;
    for (const shape of shapes) {
      wrong = shape(value);
      if (wrong === null) return null;
    }
    return wrong;
  };
};

export const list = <T>(shape: Shape<T>): Shape<readonly T[]> => {
  return (value) => {
    if (!isList(value)) return " is no list";
    for (let index = 0; index < value.length; index++) {
      const wrong = shape(value[index]);
      if (wrong !== null) return `[${index}]${wrong}`;
    }
    return null;
  };
};

/** A list of so many items. */
export const listOf = <T>(length: number, shape: Shape<T>): Shape<readonly T[]> => {
  const items = list(shape);
  return (value) =>
    isList(value) && value.length !== length ? ` has ${value.length} items` : items(value);
};

/** One shape for every field of `T`, so that none is forgotten when `T` gets another. */
export type FieldShapes<T> = { readonly [K in keyof T]-?: Shape<T[K]> };

/** A record of these fields and no others. */
export const record = <T>(fields: FieldShapes<T>): Shape<T> => {
  const names = Object.keys(fields);
  const inOrder = Object.values<Shape<unknown>>(fields);
  const shapes = new Map(Object.entries<Shape<unknown>>(fields));
  const missingIn = (value: object): string | null => {
    const missing = [...shapes].find(([name, shape]) => !(name in value) && shape(undefined));
    return missing === undefined ? null : `.${missing[0]} is missing`;
  };
  return (value) => {
    if (!isObject(value)) return " is no record";
    let found = 0;
    for (const name in value) {
      // Fields mostly stand in the order in which they are declared, and then none is looked up.
      const shape = names[found] === name ? inOrder[found] : shapes.get(name);
      if (shape === undefined) return ` has a field ${quoted(name)} too many`;
      const wrong = shape(value[name]);
      if (wrong !== null) return `.${name}${wrong}`;
      found += 1;
    }
    return found === shapes.size ? null : missingIn(value);
  };
};

/** A record of any names that are ids, or written like them. */
export const byName = <T>(shape: Shape<T>): Shape<{ readonly [name: string]: T }> => {
  return (value) => {
    if (!isObject(value)) return " is no record";
    for (const [name, item] of Object.entries(value)) {
      const wrong = id(name) === null ? shape(item) : " is no name";
      if (wrong !== null) return `[${quoted(name)}]${wrong}`;
    }
    return null;
  };
};

/** Deeper than any world allows (`artifacts.json_depth_max`), and shallow enough to walk. */
const DEPTH_MAX = 400;

/** What JSON text held, but for names that mean something to the engine and for the bottomless. */
export const json: Shape<Json> = (value) => plainFault(value, DEPTH_MAX);

export const jsonObject: Shape<JsonObject> = (value) =>
  isObject(value) ? json(value) : " is no record";

const plainFault = (value: unknown, depthMax: number): string | null => {
  if (typeof value !== "object" || value === null)
    return value === undefined ? " is missing" : null;
  if (depthMax === 0) return " is nested too deeply";
  for (const [name, item] of Object.entries(value)) {
    if (name === "__proto__") return ' has a field "__proto__"';
    const wrong = plainFault(item, depthMax - 1);
    if (wrong !== null) return wrong;
  }
  return null;
};

const SHOWN_CHARS = 80;
/** A name from a file that anybody may have written, in one line. */
export const quoted = (name: string): string => JSON.stringify(name.slice(0, SHOWN_CHARS));
