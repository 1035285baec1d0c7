import {
  type Document,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  visit,
  type YAMLError,
} from "yaml";
import type { z } from "zod";
import { type Finding, findingsOf, type KeyPath } from "../../mind/index.ts";
import { byPlace, type Place, type Problem, type Reading, refused } from "./problem.ts";
import { readPlainText, readText } from "./text-file.ts";

export type YamlFile = {
  /** The parsed value, or null if the file contains only comments. */
  readonly value: unknown;
  readonly placeOf: (spot: Pick<Finding, "path" | "at">) => Place;
};

type Parsed = Reading<{ readonly yaml: YamlFile }>;

export const readYaml = (file: string): Parsed => {
  const read = readText(file);
  return read.ok ? parseYaml(file, read.text) : read;
};

/** Reads a file of a folder that somebody else may have made. */
export const readPlainYaml = (file: string): Parsed => {
  const read = readPlainText(file);
  return read.ok ? parseYaml(file, read.text) : read;
};

/** Parses one YAML 1.2 document. Refuses aliases, because a few can expand to gigabytes. */
export const parseYaml = (file: string, text: string): Parsed => {
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    stringKeys: true,
    // `repeatedIn` checks duplicate keys, because the check of the library takes O(n²) time.
    uniqueKeys: false,
  });
  const placeAt = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { file, line: Math.max(1, line), column: Math.max(1, col) };
  };
  const faults: readonly Fault[] = [
    ...[...document.errors, ...document.warnings].map((error) => ({
      offset: error.pos[0],
      message: syntaxMessage(error),
      hint: syntaxHint(error),
    })),
    ...repeatedIn(document),
    ...aliasesIn(document),
  ];
  // Only the first error is reported, because this error usually causes the other errors.
  const [first] = faults;
  if (first !== undefined) {
    const { offset, message, hint = null } = first;
    return refused({ ...placeAt(offset), message, hint });
  }
  const value: unknown = document.toJS();
  const placeOf: YamlFile["placeOf"] = ({ path, at }) => placeAt(offsetOf(document, path, at));
  return { ok: true, yaml: { value, placeOf } };
};

/**
 * Returns the value if the schema accepts it. Otherwise, returns all problems with locations.
 * `hintFor` gives the hint of a finding, which otherwise keeps its own.
 */
export const checkYaml = <Schema extends z.ZodType>(
  yaml: YamlFile,
  schema: Schema,
  hintFor: (finding: Finding) => string | null = ({ hint }) => hint,
): Reading<{ readonly value: z.infer<Schema> }> => {
  const value = yaml.value ?? {};
  const result = schema.safeParse(value);
  if (result.success) return { ok: true, value: result.data };
  const problems = findingsOf(result.error, { schema, value }).map((finding): Problem => {
    const { path, at, message } = finding;
    return { ...yaml.placeOf({ path, at }), message, hint: hintFor(finding) };
  });
  return { ok: false, problems: problems.toSorted(byPlace) };
};

type Fault = { readonly offset: number; readonly message: string; readonly hint?: string | null };

const aliasesIn = (document: Document): readonly Fault[] => {
  const found: Fault[] = [];
  const message = "aliases (`*name`) are not allowed; write the value out";
  visit(document, {
    Alias: (_key, alias) => {
      found.push({ offset: alias.range?.[0] ?? 0, message });
    },
  });
  return found;
};

const repeatedIn = (document: Document): readonly Fault[] => {
  const found: Fault[] = [];
  visit(document, {
    Map: (_key, map) => {
      const seen = new Set<string>();
      for (const pair of map.items) {
        const key = nameOf(pair.key);
        const message = `the key \`${key}\` occurs twice; keep one`;
        if (seen.has(key)) found.push({ offset: startOf(pair.key) ?? 0, message });
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
      return "a second document starts here; only one is allowed";
    case "NON_STRING_KEY":
      return "a key must be text";
    default:
      return `not valid YAML: ${message.charAt(0).toLowerCase()}${message.slice(1)}`;
  }
};

const syntaxHint = ({ code, message }: YAMLError): string | null => {
  switch (code) {
    case "BLOCK_AS_IMPLICIT_KEY":
      return "put text with a colon in quotes, and indent the keys of a map equally";
    case "UNEXPECTED_TOKEN":
      return "check the quotes and the indentation";
    case "BAD_SCALAR_START":
      return "put the text in quotes";
    case "MISSING_CHAR":
      return message.startsWith("Implicit map keys") ? "write `key: value`" : null;
    default:
      return null;
  }
};

/** The offset of the value or key (see `at`) at `path`, else of the nearest part that exists. */
const offsetOf = (document: Document, path: KeyPath, at: Finding["at"]): number => {
  let node: unknown = document.contents;
  let offset = startOf(node) ?? 0;
  for (const [depth, segment] of path.entries()) {
    const isLast = depth === path.length - 1;
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => nameOf(key) === String(segment));
      if (pair === undefined) return offset;
      const own = isLast && at === "value" ? startOf(pair.value) : null;
      offset = own ?? startOf(pair.key) ?? offset;
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

/** The offset of a node, or null for a node without text, such as a missing value. */
const startOf = (node: unknown): number | null => {
  const [start, end] = (isNode(node) ? node.range : null) ?? [0, 0];
  return start === end ? null : start;
};
