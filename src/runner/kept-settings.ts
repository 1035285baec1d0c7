import { isObject } from "../kernel/index.ts";
import { dotted, leavesOf, type Problem, parseYaml, readText } from "./config/index.ts";
import { runPaths } from "./run-paths.ts";

export type KeptSettings =
  | { readonly ok: true; readonly settings: ReadonlyMap<string, string> }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** The configuration that a run has kept, each value as JSON text by its dotted key. */
export const keptSettings = (folder: string): KeptSettings => {
  const file = runPaths(folder).config;
  const read = readText(file);
  if (!read.ok) return { ok: false, problems: [read.problem] };
  const parsed = parseYaml(file, read.text);
  if (!parsed.ok) return parsed;
  const { value } = parsed.yaml;
  const settings = leavesOf(value).map((path) => [dotted(path), textAt(value, path)] as const);
  return { ok: true, settings: new Map(settings) };
};

const textAt = (value: unknown, path: readonly string[]): string =>
  JSON.stringify(
    path.reduce<unknown>((here, key) => (isObject(here) ? here[key] : undefined), value) ?? null,
  );
