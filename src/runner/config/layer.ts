import { isObject } from "../../kernel/index.ts";
import { type Finding, type KeyPath, valueAt } from "./finding.ts";
import type { Place } from "./problem.ts";

export type Layer = {
  /** The source as `sim config` shows it: `default`, the path of a file, or a flag. */
  readonly origin: string;
  readonly value: unknown;
  readonly placeOf: (spot: Pick<Finding, "path" | "at">) => Place;
};

/** Merges maps key by key. A value that is not a map replaces the value of the previous layer. */
export const merged = (layers: readonly Layer[]): unknown =>
  layers.reduce<unknown>((below, { value }) => join(below, value), {});

const join = (below: unknown, above: unknown): unknown => {
  if (!isObject(below)) return above;
  // If all keys of a section are commented out, its value is null. `below` then remains.
  if (above === null) return below;
  if (!isObject(above)) return above;
  const joined = Object.entries(above).map(
    ([key, value]) => [key, Object.hasOwn(below, key) ? join(below[key], value) : value] as const,
  );
  return Object.fromEntries([...Object.entries(below), ...joined]);
};

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
