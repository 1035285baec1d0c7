import { join } from "node:path";
import { isObject } from "../../kernel/index.ts";
import { type Config, configSchema } from "./config-schema.ts";
import { dotted, findingsOf, type Path } from "./finding.ts";
import { gives, type Layer, leavesOf, merged, sourceOf, treeOf } from "./layer.ts";
import { byPlace, type Problem, problemOf } from "./problem.ts";
import { readText } from "./text-file.ts";
import { taskProblems } from "./world-tasks.ts";
import { parseYaml } from "./yaml-file.ts";

/** The file that holds every default, at the top of the package; the depth is the same in dist/. */
export const SHIPPED_CONFIG = join(import.meta.dirname, "../../../config.yaml");

/** A configuration as a run has kept it. `origin` is what problems in it are told of. */
export type KeptConfig = { readonly origin: string; readonly text: string };

export type ConfigSources = {
  /** That of the run from which this one goes on, in place of the shipped defaults. */
  readonly kept?: KeptConfig;
  /** A `config.yaml`, which may leave out anything; null for none. */
  readonly file: string | null;
  /** `key=value`, each value in YAML. */
  readonly sets: readonly string[];
  /** Values of other flags; `origin` is the flag's name. */
  readonly flags: readonly {
    readonly key: string;
    readonly value: unknown;
    readonly origin: string;
  }[];
};

export type LoadedConfig = {
  readonly ok: true;
  readonly config: Config;
  /** Where each value comes from, by dotted key: `default`, the file as given, or the flag. */
  readonly origins: ReadonlyMap<string, string>;
};
export type ConfigLoad =
  | LoadedConfig
  | { readonly ok: false; readonly problems: readonly Problem[] };

type Layered =
  | { readonly ok: true; readonly layer: Layer }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** The configuration in force: the shipped file, the user's, `--set`, flags; the last one wins. */
export const loadConfig = ({ kept, file, sets, flags }: ConfigSources): ConfigLoad => {
  const read: readonly Layered[] = [
    layerOfFile(SHIPPED_CONFIG, "default"),
    ...(kept === undefined ? [] : [layerOfText(kept.origin, kept)]),
    ...(file === null ? [] : [layerOfFile(file, file)]),
    ...sets.map(layerOfSet),
    ...flags.map(({ key, value, origin }) => layerOfFlag(treeOf(key, value), origin)),
  ];
  const problems = read.flatMap((each) => (each.ok ? [] : each.problems));
  if (problems.length > 0) return { ok: false, problems };
  return resolve(read.flatMap((each) => (each.ok ? [each.layer] : [])));
};

const resolve = (layers: readonly Layer[]): ConfigLoad => {
  const value = merged(layers);
  const result = configSchema.safeParse(value);
  if (!result.success) {
    // What one layer leaves out, another below it gives.
    const canLack = (path: Path): boolean =>
      layers.some((layer) => layer !== sourceOf(layers, path) && gives(layer, path));
    const findings = findingsOf(result.error, { schema: configSchema, value, canLack });
    const problems = layers.flatMap((layer) =>
      findings
        .filter(({ path }) => sourceOf(layers, path) === layer)
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
  if (impossible.length > 0) return { ok: false, problems: impossible };
  const origins = new Map(
    leavesOf(value).map((path) => [dotted(path), sourceOf(layers, path)?.origin ?? "default"]),
  );
  return { ok: true, config: result.data, origins };
};

const layerOfFile = (file: string, origin: string): Layered => {
  const read = readText(file);
  return read.ok
    ? layerOfText(file, { origin, text: read.text })
    : { ok: false, problems: [read.problem] };
};

const layerOfText = (file: string, { origin, text }: KeptConfig): Layered => {
  const parsed = parseYaml(file, text);
  if (!parsed.ok) return parsed;
  const { placeOf } = parsed.yaml;
  const value = parsed.yaml.value ?? {};
  if (!isObject(value)) {
    const message = "must be a map of keys and values";
    return {
      ok: false,
      problems: [{ ...placeOf({ path: [], at: "value" }), message, hint: null }],
    };
  }
  return { ok: true, layer: { origin, value, placeOf } };
};

const layerOfSet = (text: string): Layered => {
  const split = text.indexOf("=");
  if (split < 1) {
    const message = `\`${text}\` must have the form key=value`;
    return { ok: false, problems: [problemOf("--set", message, "as in --set run.seed=7")] };
  }
  const key = text.slice(0, split).trim();
  const parsed = parseYaml("--set", text.slice(split + 1));
  if (parsed.ok) return layerOfFlag(treeOf(key, parsed.yaml.value), "--set");
  const problems = parsed.problems.map(({ message }) =>
    problemOf("--set", `\`${key}\`: ${message}`),
  );
  return { ok: false, problems };
};

const layerOfFlag = (value: unknown, origin: string): Layered => ({
  ok: true,
  layer: { origin, value, placeOf: () => ({ file: origin, line: null, column: null }) },
});
