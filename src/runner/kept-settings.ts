import {
  dotted,
  leavesOf,
  loadConfig,
  type Problem,
  parseYaml,
  readText,
  textAt,
} from "./config/index.ts";
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
  return { ok: true, settings: settingsIn(parsed.yaml.value) };
};

/** A setting of a run that is not as it is shipped, with its values as JSON text. */
export type ChangedSetting = {
  readonly key: string;
  readonly value: string;
  /** Null for a key that the shipped configuration does not name. */
  readonly shipped: string | null;
};

/**
 * What of the configuration that a run has kept is not as this version ships it, in the order of
 * the file; null where it cannot be said, because one of the two cannot be read.
 */
export const changedSettings = (folder: string): readonly ChangedSetting[] | null => {
  const kept = keptSettings(folder);
  const loaded = loadConfig({ file: null, sets: [], flags: [] });
  if (!kept.ok || !loaded.ok) return null;
  const shipped = settingsIn(loaded.config);
  return [...kept.settings]
    .map(([key, value]) => ({ key, value, shipped: shipped.get(key) ?? null }))
    .filter((setting) => setting.value !== setting.shipped);
};

const settingsIn = (config: unknown): ReadonlyMap<string, string> =>
  new Map(leavesOf(config).map((path) => [dotted(path), textAt(config, path)] as const));
