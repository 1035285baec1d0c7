import { isObject } from "../../kernel/index.ts";
import { dotted, type Finding, type KeyPath, valueAt } from "../../mind/index.ts";
import type { Place } from "./problem.ts";

export type Layer = {
  /** The source as `sim config` shows it: `default`, the path of a file, or a flag. */
  readonly origin: string;
  readonly value: unknown;
  readonly placeOf: (spot: Pick<Finding, "path" | "at">) => Place;
};

/** A value where the layers before have a map. */
type Misplaced = { readonly layer: Layer; readonly path: KeyPath; readonly given: unknown };

/** Settings that are a map or a word. A later layer replaces them as a whole. */
const WHOLE: ReadonlySet<string> = new Set(["agents.defaults.review"]);

/**
 * Merges maps key by key. Any other value replaces the value of the previous layer, except that a
 * map that is not in `WHOLE` stays a map: a value in its place is left out of the result and listed
 * in `misplaced`.
 */
export const merged = (
  layers: readonly Layer[],
): { readonly value: unknown; readonly misplaced: readonly Misplaced[] } => {
  const misplaced: Misplaced[] = [];
  const join = (below: unknown, above: unknown, { layer, path }: Spot): unknown => {
    if (!isObject(below) || WHOLE.has(dotted(path))) return above;
    // If all keys of a section are commented out, its value is null. `below` then remains.
    if (above === null) return below;
    if (!isObject(above)) {
      misplaced.push({ layer, path, given: above });
      return below;
    }
    const joined = Object.entries(above).map(([key, value]) => {
      const inner = { layer, path: [...path, key] };
      return [key, Object.hasOwn(below, key) ? join(below[key], value, inner) : value] as const;
    });
    return Object.fromEntries([...Object.entries(below), ...joined]);
  };
  const value = layers.reduce<unknown>(
    (below, layer) => join(below, layer.value, { layer, path: [] }),
    {},
  );
  return { value, misplaced };
};

type Spot = { readonly layer: Layer; readonly path: KeyPath };

/** Returns the last layer that sets `path`. If none does, tries the parents, nearest first. */
export const sourceOf = (layers: readonly Layer[], path: KeyPath): Layer | undefined => {
  const inList = path.findIndex((segment) => typeof segment === "number");
  for (let length = inList < 0 ? path.length : inList; length > 0; length--) {
    const around = path.slice(0, length);
    const source = layers.findLast((layer) => gives(layer, around));
    if (source !== undefined) return source;
  }
  return layers.at(-1);
};

export const gives = ({ value }: Pick<Layer, "value">, path: KeyPath): boolean =>
  valueAt(value, path) !== undefined;

/** The paths of all values that are not maps, and of all empty maps. A list is one value. */
export const leavesOf = (value: unknown, path: readonly string[] = []): readonly string[][] => {
  const entries = isObject(value) ? Object.entries(value) : [];
  if (entries.length === 0) return [[...path]];
  return entries.flatMap(([key, inner]) => leavesOf(inner, [...path, key]));
};

export const treeOf = (key: string, value: unknown): unknown =>
  key.split(".").reduceRight<unknown>((inner, name) => Object.fromEntries([[name, inner]]), value);

export const textAt = (value: unknown, path: readonly string[]): string =>
  JSON.stringify(valueAt(value, path) ?? null);
