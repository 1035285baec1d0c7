import {
  type Document,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  type Pair,
  parseDocument,
  visit,
  type YAMLError,
} from "yaml";
import type { z } from "zod";
import { type Finding, findingsOf, type Path } from "./finding.ts";
import { byPlace, type Place, type Problem } from "./problem.ts";

/** YAML that a person wrote, as plain values, with the place of each. */
export type YamlFile = {
  readonly file: string;
  /** null when there is nothing but comments. */
  readonly value: unknown;
  readonly placeOf: (spot: Pick<Finding, "path" | "at">) => Place;
};

export type Parsed =
  | { readonly ok: true; readonly yaml: YamlFile }
  | { readonly ok: false; readonly problems: readonly Problem[] };

export type Checked<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/**
 * Reads one document of YAML 1.2. `file` is what problems call it. Aliases are refused: what they
 * would save is less than what they can cost in memory and in understanding.
 */
export const parseYaml = (file: string, text: string): Parsed => {
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    stringKeys: true,
    // Its own search takes time by the square of the number of keys.
    uniqueKeys: false,
  });
  const placeAt = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { file, line: Math.max(1, line), column: Math.max(1, col) };
  };
  const problems: readonly Problem[] = [
    ...[...document.errors, ...document.warnings].map((error) => ({
      ...placeAt(error.pos[0]),
      message: syntaxMessage(error),
      hint: null,
    })),
    ...repeatedIn(document).map(({ offset, key }) => ({
      ...placeAt(offset),
      message: `the key \`${key}\` is here a second time; keep one`,
      hint: null,
    })),
    ...aliasesIn(document).map((offset) => ({
      ...placeAt(offset),
      message: "aliases (`*name`) are not allowed; write the value out",
      hint: null,
    })),
  ];
  // What follows a first error of syntax is mostly its echo.
  const first = problems.slice(0, 1);
  if (first.length > 0) return { ok: false, problems: first };
  const value: unknown = document.toJS();
  const placeOf: YamlFile["placeOf"] = ({ path, at }) => placeAt(offsetOf(document, path, at));
  return { ok: true, yaml: { file, value, placeOf } };
};

/** The value of a file if the schema accepts it, else every problem at its place. */
export const checkYaml = <Schema extends z.ZodType>(
  yaml: YamlFile,
  schema: Schema,
): Checked<z.infer<Schema>> => {
  const value = yaml.value ?? {};
  const result = schema.safeParse(value);
  if (result.success) return { ok: true, value: result.data };
  const findings = findingsOf(result.error, { schema, value });
  const problems = findings.map((finding) => ({
    ...yaml.placeOf(finding),
    message: finding.message,
    hint: finding.hint,
  }));
  return { ok: false, problems: problems.toSorted(byPlace) };
};

const aliasesIn = (document: Document): readonly number[] => {
  const offsets: number[] = [];
  visit(document, {
    Alias: (_key, alias) => {
      offsets.push(alias.range?.[0] ?? 0);
    },
  });
  return offsets;
};

/** Keys that a map has already, where they stand again. */
const repeatedIn = (document: Document): readonly { offset: number; key: string }[] => {
  const found: { offset: number; key: string }[] = [];
  visit(document, {
    Map: (_key, map) => {
      const seen = new Set<string>();
      for (const pair of map.items) {
        const key = nameOf(pair.key);
        if (seen.has(key)) found.push({ offset: keyOf(pair) ?? 0, key });
        seen.add(key);
      }
    },
  });
  return found;
};

const syntaxMessage = ({ code, message }: YAMLError): string => {
  switch (code) {
    case "TAB_AS_INDENT":
      return "indent with spaces, not with tabs";
    case "MULTIPLE_DOCS":
      return "a second document begins here; a file holds one";
    case "NON_STRING_KEY":
      return "a key must be text";
    default:
      return `not valid YAML: ${message.charAt(0).toLowerCase()}${message.slice(1)}`;
  }
};

/** Where the value at `path` begins, or its key, or the innermost thing around it that is there. */
const offsetOf = (document: Document, path: Path, at: Finding["at"]): number => {
  let node: unknown = document.contents;
  let offset = startOf(node) ?? 0;
  for (const [depth, segment] of path.entries()) {
    const isLast = depth === path.length - 1;
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => nameOf(key) === String(segment));
      if (pair === undefined) return offset;
      offset = (isLast && at === "value" ? startOf(pair.value) : null) ?? keyOf(pair) ?? offset;
      node = pair.value;
    } else if (isSeq(node)) {
      const item = node.items[Number(segment)];
      if (item === undefined) return offset;
      offset = startOf(item) ?? offset;
      node = item;
    } else return offset;
  }
  return offset;
};

const nameOf = (key: unknown): string => String(isScalar(key) ? key.value : key);

/** Null for what has no text of its own, as the value of a key with nothing behind it. */
const startOf = (node: unknown): number | null => {
  const [start, end] = (isNode(node) ? node.range : null) ?? [0, 0];
  return start === end ? null : start;
};

const keyOf = ({ key }: Pair): number | null => startOf(key);
