import { dirname, join } from "node:path";
import {
  fit,
  type Interface,
  interfaceProblem,
  isObject,
  type Json,
  type JsonObject,
  schemaProblem,
} from "../../kernel/index.ts";
import { didYouMean } from "../../text/index.ts";
import {
  isPlain,
  type Problem,
  parseYaml,
  problemOf,
  type Reading,
  readText,
  refused,
  type YamlFile,
} from "../config/index.ts";

/** A program in a file. Its header says how it is called and what can be set. */
export type ProgramFile = {
  readonly file: string;
  /** The code of the included files, or "" if there are none. */
  readonly included: string;
  /** The code of the file itself. */
  readonly code: string;
  /** The line of the file at which `code` begins. */
  readonly codeLine: number;
  /** Null if the file has no header, or a header without methods. */
  readonly interface: Interface | null;
  /** The settings that the program reads, as a JSON Schema. Null if it reads none. */
  readonly settings: SettingsSchema | null;
};

const HEADER = /^\/\* ---\n([\s\S]*?)\n--- \*\/\n([\s\S]*)$/;
/** The line of a file at which the YAML of a header starts, minus one. */
const LINES_BEFORE = 1;
/** The lines of a header that are not YAML. */
const HEADER_LINES = 2;

/**
 * Reads a program. A file may begin with a header: a comment of YAML between `---` lines with
 * `description` and `methods` (the interface), `settings` (a JSON Schema) and `include` (files in
 * the same folder whose code comes first). Returns all problems of the header.
 */
export const readProgram = (file: string): Reading<{ readonly program: ProgramFile }> => {
  const read = readPlain(file);
  if (!read.ok) return read;
  const [, yaml, code] = HEADER.exec(read.text) ?? [];
  if (yaml === undefined || code === undefined) {
    return { ok: true, program: { ...NO_HEADER, file, code: read.text } };
  }
  const parsed = parseYaml(file, yaml);
  if (!parsed.ok) return { ok: false, problems: parsed.problems.map(lowered) };
  return readHeader(file, { yaml, code }, parsed.yaml);
};

const NO_HEADER = { included: "", codeLine: 1, interface: null, settings: null } as const;

/** Reads a file as text that an artifact can have. */
export const readPlain = (file: string): Reading<{ readonly text: string }> => {
  const read = readText(file);
  const nul = read.ok ? read.text.indexOf("\0") : -1;
  if (!read.ok || nul < 0) return read;
  const before = read.text.slice(0, nul).split("\n");
  const place = { file, line: before.length, column: (before.at(-1) ?? "").length + 1 };
  const message = "the text has a NUL character (U+0000), which no artifact can have";
  return refused({ ...place, message, hint: "remove it, or encode the file as Base64" });
};

const lowered = (problem: Problem): Problem =>
  problem.line === null ? problem : { ...problem, line: problem.line + LINES_BEFORE };

const readHeader = (
  file: string,
  { yaml, code }: { readonly yaml: string; readonly code: string },
  { value, placeOf }: YamlFile,
): Reading<{ readonly program: ProgramFile }> => {
  const problemAt = (key: string, message: string): Problem =>
    lowered({ ...placeOf({ path: [key], at: "value" }), message, hint: null });
  if (!isObject(value)) return refused(problemOf(file, "its header must be a map of keys"));
  const { description, methods, settings, include = [] } = value;
  const declared = { description, methods };
  const hasInterface = description !== undefined || methods !== undefined;
  const wrongInterface = hasInterface ? interfaceProblem(declared) : null;
  const wrongSettings = settings === undefined ? null : settingsProblem(settings);
  const problems: Problem[] = [
    ...(wrongInterface === null ? [] : [problemAt("methods", wrongInterface)]),
    ...(wrongSettings === null ? [] : [problemAt("settings", wrongSettings)]),
  ];
  const isList = Array.isArray(include) && include.every((name) => typeof name === "string");
  if (!isList) problems.push(problemAt("include", "`include` must be a list of file names"));
  const reads = isList ? include.map((name) => readPlain(join(dirname(file), name))) : [];
  problems.push(...reads.flatMap((read) => (read.ok ? [] : read.problems)));
  if (problems.length > 0) return { ok: false, problems };
  const parts = reads.flatMap((read) => (read.ok ? [read.text] : []));
  return {
    ok: true,
    program: {
      file,
      included: parts.map((part) => `${part.trim()}\n\n`).join(""),
      code: code.trimEnd(),
      codeLine: yaml.split("\n").length + HEADER_LINES + 1,
      interface: isInterface(declared) ? declared : null,
      settings: isSettings(settings) ? settings : null,
    },
  };
};

const isSettings = (given: unknown): given is SettingsSchema => isPlain(given) && isObject(given);

const isInterface = (given: unknown): given is Interface => interfaceProblem(given) === null;

/** The line of installed code at which the code of its file begins, and that line of the file. */
export type OwnLine = { readonly code: number; readonly file: number };

/** The code that is installed. Its first line has the settings, so that agents can read them. */
export const installedCode = (
  { included, code, codeLine, settings }: ProgramFile,
  values: JsonObject,
): { readonly code: string; readonly ownLine: OwnLine } => {
  const first = settings === null ? "" : `const settings = ${JSON.stringify(values)};\n\n`;
  const before = `${first}${included}`;
  const ownLine = { code: before.split("\n").length, file: codeLine };
  return { code: `${before}${code}`, ownLine };
};

/** A JSON Schema of an object. A property without a default is required. */
type SettingsSchema = JsonObject;

/** A wrong setting. `key` null: a required one is missing. */
type Misfit = {
  readonly key: string | null;
  readonly message: string;
  readonly hint: string | null;
};

type Fitted =
  | { readonly ok: true; readonly values: JsonObject }
  | { readonly ok: false; readonly misfits: readonly Misfit[] };

/** Why a header's `settings` is not a schema of settings, or null. */
const settingsProblem = (given: unknown): string | null => {
  const problem = schemaProblem(given, "settings");
  if (problem !== null) return problem;
  return isObject(given) && isObject(given.properties)
    ? null
    : "settings must be a JSON Schema with `properties`";
};

/** Checks settings against their schema, and adds the defaults. Null: the program has none. */
export const fitSettings = (
  schema: SettingsSchema | null,
  given: { readonly [name: string]: unknown },
): Fitted => {
  const properties = isObject(schema?.properties) ? schema.properties : {};
  const names = Object.keys(properties);
  const unknown = Object.keys(given).filter((key) => !names.includes(key));
  const misfits: Misfit[] = unknown.map((key) => ({
    key,
    message: `\`${key}\` is not a setting of this program`,
    hint:
      names.length === 0 ? "it has none" : (didYouMean(key, names) ?? `it has ${names.join(", ")}`),
  }));
  const values: Record<string, Json> = {};
  for (const [name, rule] of Object.entries(properties)) {
    const property = isObject(rule) ? rule : {};
    const value = given[name] ?? property.default;
    if (!isPlain(value)) {
      const hint = typeof property.description === "string" ? property.description : null;
      misfits.push({ key: null, message: `\`${name}\` is missing`, hint });
      continue;
    }
    const fitted = fit(value, property, `\`${name}\``);
    if (fitted.ok) values[name] = fitted.value;
    else misfits.push({ key: name, message: fitted.problem, hint: null });
  }
  return misfits.length === 0 ? { ok: true, values } : { ok: false, misfits };
};
