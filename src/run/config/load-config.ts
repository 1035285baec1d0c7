import { readFileSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { isMap, isNode, isScalar, type Pair, parseDocument, stringify } from "yaml";
import { isObject, memoized } from "../../kernel/index.ts";
import { dotted, findingsOf, type KeyPath, notAMap, valueAt } from "../../mind/index.ts";
import { type Config, configSchema } from "./config-schema.ts";
import { gives, type Layer, leavesOf, merged, sourceOf, treeOf } from "./layer.ts";
import { taskProblems } from "./physics.ts";
import { byPlace, type Place, type Problem, problemOf, type Reading, refused } from "./problem.ts";
import { emptyIn, scheduleFindings } from "./scheduled-settings.ts";
import { withoutEffects } from "./setting-effects.ts";
import { SHIPPED, SHIPPED_CONFIG } from "./shipped.ts";
import { readText } from "./text-file.ts";
import { parseYaml, readYaml } from "./yaml-file.ts";

/** The saved configuration of a run. `origin` is its name in problems. */
type KeptConfig = {
  readonly origin: string;
  readonly text: string;
  /** True to leave out the settings that reach outside of the folder of the run. */
  readonly isForeign?: boolean;
};

export type ConfigSources = {
  /** The configuration of a resumed or forked run. Its values replace the shipped defaults. */
  readonly kept?: KeptConfig;
  /** The path of a `config.yaml`, or null for no file. The file may omit any key. */
  readonly file: string | null;
  readonly sets: readonly string[];
  /** Settings for later times, which follow the schedule of the files. */
  readonly scheduled?: readonly ScheduledSets[];
  readonly flags: readonly FlagValue[];
};

/** The values of `--set` after one `--at`. */
export type ScheduledSets = { readonly at: string; readonly sets: readonly string[] };

/** A configuration key that a flag sets. `value` is undefined if the flag is not given. */
export type FlagValue = { readonly key: string; readonly value: unknown; readonly origin: string };

export type LoadedConfig = {
  readonly config: Config;
  /** The source of each value, by dotted key: `default`, the path of a file, or a flag. */
  readonly origins: ReadonlyMap<string, string>;
  /** The location of a value in the file or the flag that sets it. */
  readonly placeOf: (path: KeyPath) => Place;
};

export type OpenConfig = LoadedConfig & {
  /** The path of the user's configuration file, or null if there is none. */
  readonly file: string | null;
};

export const besideFile = (file: string | null, path: string): string =>
  file === null || isAbsolute(path) ? path : join(dirname(file), path);

/** The folder of the programs of policies. A path in a configuration file is relative to it. */
export const programsFolder = ({ config, origins, file }: OpenConfig): string => {
  const { library } = config.policy;
  if (library === null) return SHIPPED.programs;
  return origins.get("policy.library") === file ? besideFile(file, library) : library;
};

/** The origin of the values of `--set`. */
const SET_FLAG = "--set";

type ConfigLoad = Reading<LoadedConfig>;

type Layered = Reading<{ readonly layer: Layer }>;

/** Merges the shipped file, the saved file, the user's file, `--set` and flags; later ones win. */
export const loadConfig = (sources: ConfigSources): ConfigLoad => {
  const { kept, file, sets, flags, scheduled = [] } = sources;
  const given = flags.filter(({ value }) => value !== undefined);
  const read: readonly Layered[] = [
    shippedLayer(),
    ...(kept === undefined ? [] : [keptLayer(kept)]),
    ...(file === null ? [] : [layerOf(file, readYaml(file))]),
    ...sets.map(layerOfSet),
    ...given.map(({ key, value, origin }) => layerOfFlag(treeOf(key, value), origin)),
  ];
  const later = scheduled.map(entryOf);
  const problems = [...read, ...later].flatMap((each) => (each.ok ? [] : each.problems));
  if (problems.length > 0) return { ok: false, problems };
  const layers = read.flatMap((each) => (each.ok ? [each.layer] : []));
  const entries = later.flatMap((each) => (each.ok ? [each.entry] : []));
  const typed = scheduled.map(({ at, sets }) =>
    [`--at ${at}`, ...sets.map((set) => `--set ${set}`)].join(" "),
  );
  return resolve(entries.length === 0 ? layers : withEntries(layers, { entries, typed }));
};

let shipped: { readonly text: string; readonly layer: Layered } | null = null;

/** The shipped file. It is parsed once, because a process can load many configurations. */
const shippedLayer = (): Layered => {
  const read = readText(SHIPPED_CONFIG);
  if (!read.ok) return read;
  const { text } = read;
  if (shipped?.text !== text) {
    shipped = { text, layer: layerOf("default", parseYaml(SHIPPED_CONFIG, text)) };
  }
  return shipped.layer;
};

const keptLayer = ({ origin, text, isForeign = false }: KeptConfig): Layered => {
  const read = layerOf(origin, parseYaml(origin, text));
  if (!read.ok || !isForeign) return read;
  return { ok: true, layer: { ...read.layer, value: withoutEffects(read.layer.value) } };
};

type FlagEntries = {
  readonly entries: readonly unknown[];
  /** The flags of each entry as the user typed them. */
  readonly typed: readonly string[];
};

/** Adds entries after the schedule that the layers have. Their places are the flags as typed. */
const withEntries = (
  layers: readonly Layer[],
  { entries, typed }: FlagEntries,
): readonly Layer[] => {
  const below = sourceOf(layers, ["schedule"]);
  const before = valueAt(below?.value, ["schedule"]);
  const given = Array.isArray(before) ? before : [];
  const all: Layer = {
    origin: below?.origin ?? SET_FLAG,
    value: { schedule: [...given, ...entries] },
    placeOf: (spot) => {
      const at = spot.path[1];
      const flags = typeof at === "number" ? typed[at - given.length] : undefined;
      if (flags !== undefined) return placeOfFlag(flags)();
      return below === undefined ? placeOfFlag(SET_FLAG)() : below.placeOf(spot);
    },
  };
  return [...layers, all];
};

const entryOf = ({ at, sets }: ScheduledSets): Reading<{ readonly entry: unknown }> => {
  const pairs = sets.map(pairOf);
  const problems = pairs.flatMap((each) => (each.ok ? [] : each.problems));
  if (problems.length > 0) return { ok: false, problems };
  const set = Object.fromEntries(pairs.flatMap((each) => (each.ok ? [each.pair] : [])));
  return { ok: true, entry: { at, set } };
};

const resolve = (layers: readonly Layer[]): ConfigLoad => {
  const { value, misplaced } = merged(layers);
  const result = configSchema.safeParse(value);
  if (!result.success || misplaced.length > 0) {
    // The layer with the wrong value can omit the key if another layer also sets the key.
    const canLack = (path: KeyPath): boolean =>
      layers.some((layer) => layer !== sourceOf(layers, path) && gives(layer, path));
    const subject = { schema: configSchema, value, canLack };
    const findings = result.success ? [] : findingsOf(result.error, subject);
    const problems = layers.flatMap((layer) =>
      [
        ...misplaced.filter((each) => each.layer === layer).map(notAMap),
        ...findings.filter(({ path }) => sourceOf(layers, path) === layer),
      ]
        .map(({ path, at, message, hint }) => ({
          ...layer.placeOf({ path, at }),
          message,
          hint: hint ?? (at === "key" ? "`sim config` lists the keys" : null),
        }))
        .toSorted(byPlace),
    );
    return { ok: false, problems };
  }
  const impossible = taskProblems(result.data).map(({ index, message }) => {
    const path = ["mint", "tasks", index];
    const said = { message: `\`mint.tasks[${index}]\`: ${message}`, hint: null };
    const place = sourceOf(layers, path)?.placeOf({ path, at: "value" });
    return place === undefined ? problemOf(SHIPPED_CONFIG, said.message) : { ...place, ...said };
  });
  const unplanned = scheduleFindings(result.data).map((finding): Problem => {
    const { path, at, entry, hint } = finding;
    const place = sourceOf(layers, path)?.placeOf({ path, at }) ?? problemOf(SHIPPED_CONFIG, "");
    // A flag names the entry itself.
    const named = place.file.startsWith("--at ") ? "" : `\`${dotted(entry)}\`: `;
    return { ...place, message: `${named}${finding.message}`, hint };
  });
  const wrong = [...impossible, ...unplanned, ...emptyProblems(layers, result.data)];
  if (wrong.length > 0) return { ok: false, problems: wrong };
  const origins = new Map(
    leavesOf(value).map((path) => [dotted(path), sourceOf(layers, path)?.origin ?? "default"]),
  );
  const placeOf = (path: KeyPath): Place =>
    sourceOf(layers, path)?.placeOf({ path, at: "value" }) ?? problemOf(SHIPPED_CONFIG, "");
  return { ok: true, config: result.data, origins, placeOf };
};

/** Finds values of `--set` without keys. A file can have a section without keys. */
const emptyProblems = (layers: readonly Layer[], config: Config): readonly Problem[] =>
  layers
    .filter(({ origin }) => origin === SET_FLAG)
    .flatMap((layer) => {
      const given = isObject(layer.value) ? emptyIn(config, layer.value) : [];
      return given.map(({ path, at, message, hint }) => ({
        ...layer.placeOf({ path, at }),
        message,
        hint: hint ?? null,
      }));
    });

const layerOf = (origin: string, parsed: ReturnType<typeof parseYaml>): Layered => {
  if (!parsed.ok) return parsed;
  const { placeOf } = parsed.yaml;
  const value = parsed.yaml.value ?? {};
  if (!isObject(value)) {
    const message = "must be a map of keys and values";
    return refused({ ...placeOf({ path: [], at: "value" }), message, hint: null });
  }
  return { ok: true, layer: { origin, value, placeOf } };
};

const layerOfSet = (text: string): Layered => {
  const read = pairOf(text);
  if (!read.ok) return read;
  const [key, value] = read.pair;
  return layerOfFlag(treeOf(key, value), SET_FLAG);
};

type Pairing = Reading<{ readonly pair: readonly [key: string, value: unknown] }>;

/** Reads `key=value`. The value is YAML. */
const pairOf = (text: string): Pairing => {
  const split = text.indexOf("=");
  if (split < 1) {
    const message = `\`${text}\` must have the form key=value`;
    return refused(problemOf(SET_FLAG, message, "as in --set run.seed=7"));
  }
  const key = text.slice(0, split).trim();
  const parsed = parseYaml(SET_FLAG, text.slice(split + 1));
  if (parsed.ok) return { ok: true, pair: [key, parsed.yaml.value] };
  const problems = parsed.problems.map(({ message }) =>
    problemOf(SET_FLAG, `\`${key}\`: ${message}`),
  );
  return { ok: false, problems };
};

const layerOfFlag = (value: unknown, origin: string): Layered => ({
  ok: true,
  layer: { origin, value, placeOf: placeOfFlag(origin) },
});

const placeOfFlag =
  (file: string): (() => Place) =>
  () => ({ file, line: null, column: null });

const HEAD =
  "# The configuration of this run with every value. Use it again with `sim run --config`.\n";

export const renderConfig = (config: Config): string =>
  `${HEAD}${stringify(config, { lineWidth: 0 })}`;

export type ShippedSetting = {
  readonly name: string;
  readonly value: unknown;
  /** The comment on the key in the file, or null if the key has no comment. */
  readonly comment: string | null;
};

/** Returns every setting of the shipped file, the only source of defaults, by dotted key. */
export const shippedSettings = (): ReadonlyMap<string, ShippedSetting> =>
  settingsOfFile(SHIPPED_CONFIG);

/** The shipped file stays the same while a process runs, and each persona may ask for it. */
const settingsOfFile = memoized((path: string): ReadonlyMap<string, ShippedSetting> => {
  const { contents } = parseDocument(readFileSync(path, "utf8"));
  return new Map(isMap(contents) ? contents.items.flatMap((pair) => settingsIn(pair, "")) : []);
});

const settingsIn = (pair: Pair, before: string): readonly [string, ShippedSetting][] => {
  const name = String(isScalar(pair.key) ? pair.key.value : pair.key);
  const { value } = pair;
  const setting = { name, value: isNode(value) ? value.toJSON() : null, comment: noteOf(pair) };
  const key = `${before}${name}`;
  const inner = isMap(value) ? value.items : [];
  return [[key, setting], ...inner.flatMap((each) => settingsIn(each, `${key}.`))];
};

/** Returns the comment after a value (for a map: after its key) or above the key. */
const noteOf = ({ key, value }: Pair): string | null => {
  const after = isNode(value) ? (value.comment ?? value.commentBefore) : null;
  const above = isNode(key) ? key.commentBefore : null;
  const text = (after ?? above ?? "").replaceAll(/\s+/g, " ").trim();
  return text === "" ? null : text;
};
