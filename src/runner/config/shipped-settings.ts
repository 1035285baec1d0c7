import { readFileSync } from "node:fs";
import { isMap, isNode, isScalar, type Pair, parseDocument } from "yaml";
import { SHIPPED_CONFIG } from "./load-config.ts";

/** One key of the shipped configuration. */
export type ShippedSetting = {
  /** The key behind that of its section. */
  readonly name: string;
  readonly value: unknown;
  /** What the comment beside it says; null where there is none. */
  readonly says: string | null;
};

/**
 * Every key of the shipped configuration, by dotted key, in the order of the file. Its values are
 * the defaults and its comments what is said of them, so that neither is written down twice.
 */
export const shippedSettings = (): ReadonlyMap<string, ShippedSetting> => {
  const { contents } = parseDocument(readFileSync(SHIPPED_CONFIG, "utf8"));
  return new Map(isMap(contents) ? contents.items.flatMap((pair) => settingsIn(pair, "")) : []);
};

const settingsIn = (pair: Pair, before: string): readonly [string, ShippedSetting][] => {
  const name = String(isScalar(pair.key) ? pair.key.value : pair.key);
  const { value } = pair;
  const setting = { name, value: isNode(value) ? value.toJSON() : null, says: noteOf(pair) };
  const key = `${before}${name}`;
  const inner = isMap(value) ? value.items : [];
  return [[key, setting], ...inner.flatMap((each) => settingsIn(each, `${key}.`))];
};

/** The comment behind a value or above its key; that of a map stands before its first key. */
const noteOf = ({ key, value }: Pair): string | null => {
  const beside = isNode(value) ? (value.comment ?? value.commentBefore) : null;
  const above = isNode(key) ? key.commentBefore : null;
  const text = (beside ?? above ?? "").replaceAll(/\s+/g, " ").trim();
  return text === "" ? null : text;
};
