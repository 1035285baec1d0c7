import { invariant } from "./errors.ts";
import { isList, isObject, type Json, type JsonObject } from "./json.ts";

/**
 * A change of plain data. `to` replaces the whole value. `in` changes fields of an object and adds
 * new fields at its end. `without` removes fields. A field in both `in` and `without` moves to the
 * end. Lists are replaced as a whole. If the old value is not an object, `in` applies to {}.
 */
export type Patch =
  | { readonly to: Json }
  | { readonly in: { readonly [key: string]: Patch }; readonly without?: readonly string[] };

const NO_CHANGE: Patch = { in: {} };

/** The maximum share of moved fields. If more fields move, replacing the whole value is shorter. */
const MOVED_SHARE_MAX = 0.5;

const SHAPE = "a change must be {to} or {in, without}";

/** Returns the patch that changes `earlier` into `later`, including the order of fields. */
export const patchOf = (earlier: Json, later: Json): Patch => changeOf(earlier, later) ?? NO_CHANGE;

/** Returns the patched value. Unchanged parts are the same objects as before. */
export const patched = (value: Json, patch: Patch): Json => {
  invariant(isObject(patch), SHAPE);
  if ("to" in patch) return patch.to;
  const { in: fields, without: gone = [] } = patch;
  invariant(isObject(fields) && isList(gone), SHAPE);
  const changing = Object.keys(fields);
  if (changing.length === 0 && gone.length === 0) return value;
  const before = isObject(value) ? value : {};
  const after = { ...without(before, gone) };
  for (const key of changing) {
    const change = fields[key];
    if (change !== undefined) setField(after, key, patched(fieldOf(before, key), change));
  }
  return after;
};

/** Sets a field. Defines `__proto__`, because an assignment to `__proto__` sets the prototype. */
const setField = (fields: { [key: string]: Json }, key: string, value: Json): void => {
  if (key !== "__proto__") fields[key] = value;
  else
    Object.defineProperty(fields, key, {
      value,
      enumerable: true,
      writable: true,
      configurable: true,
    });
};

const changeOf = (earlier: Json, later: Json): Patch | null => {
  if (earlier === later) return null;
  if (isObject(earlier) && isObject(later)) return fieldChanges(earlier, later);
  if (isList(earlier) && isList(later) && areSame(earlier, later)) return null;
  return { to: later };
};

const areSame = (earlier: readonly Json[], later: readonly Json[]): boolean =>
  earlier.length === later.length &&
  earlier.every((item, i) => changeOf(item, later[i] ?? null) === null);

const fieldChanges = (earlier: JsonObject, later: JsonObject): Patch | null => {
  const before = Object.keys(earlier);
  const after = Object.keys(later);
  const gone: string[] = [];
  let kept = 0;
  for (const key of before) {
    if (key === after[kept]) kept += 1;
    else gone.push(key);
  }
  // Programs and minds see the order of fields. So a patch removes a moved field and adds it again.
  const moved = gone.filter((key) => Object.hasOwn(later, key));
  if (moved.length > MOVED_SHARE_MAX * before.length) return { to: later };
  const changes: [string, Patch][] = [];
  for (const [place, key] of after.entries()) {
    const value = later[key] ?? null;
    // The first `kept` fields are in both. Most of a large object is the same values as before.
    if (place < kept && earlier[key] === value) continue;
    const change = Object.hasOwn(earlier, key)
      ? changeOf(earlier[key] ?? null, value)
      : { to: value };
    if (change !== null) changes.push([key, change]);
    else if (place >= kept) changes.push([key, NO_CHANGE]);
  }
  if (changes.length === 0 && gone.length === 0) return null;
  return { in: Object.fromEntries(changes), ...(gone.length === 0 ? {} : { without: gone }) };
};

const fieldOf = (fields: JsonObject, key: string): Json =>
  Object.hasOwn(fields, key) ? (fields[key] ?? null) : null;

const without = (fields: JsonObject, gone: readonly string[]): JsonObject => {
  if (gone.length === 0) return fields;
  const leaving = new Set(gone);
  return Object.fromEntries(Object.entries(fields).filter(([key]) => !leaving.has(key)));
};
