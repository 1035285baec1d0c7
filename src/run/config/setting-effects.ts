import { isAbsolute } from "node:path";
import { isObject, type Json } from "../../kernel/index.ts";
import { dotted, type KeyPath, valueAt } from "../../mind/index.ts";
import type { Config } from "./config-schema.ts";

/**
 * A setting that makes a run reach outside of its folder. `effect` says what its value causes, as
 * the end of a sentence that begins with "it". Null: nothing. `*` in a key stands for every name.
 */
type SettingEffect = {
  readonly key: string;
  readonly effect: (value: unknown, name: string) => string | null;
};

const LOOPBACK: ReadonlySet<unknown> = new Set(["127.0.0.1", "localhost", "::1"]);

/** The variables that providers read without any configuration, as in the shipped file. */
const USUAL_VARIABLES: Readonly<Record<string, string>> = {
  google: "GOOGLE_GENERATIVE_AI_API_KEY",
  anthropic: "ANTHROPIC_API_KEY",
  openai: "OPENAI_API_KEY",
  "openai-compatible": "OPENAI_COMPATIBLE_API_KEY",
};

/** The budget of a run that nobody has set, in US dollars. */
const USUAL_USD = 0.5;

const text = (value: unknown): string | null => (typeof value === "string" ? value : null);

const toAddress =
  (what: string) =>
  (value: unknown): string | null =>
    text(value) === null ? null : `sends ${what} to ${value}`;

/**
 * All settings that reach outside of the folder of a run: addresses, variables of the environment,
 * code of the host, paths and money. A new setting of these kinds must be in this list.
 */
const SETTING_EFFECTS: readonly SettingEffect[] = [
  {
    key: "tools.python",
    effect: (value) =>
      value === true ? "runs the Python of agents on this machine, outside of the sandbox" : null,
  },
  {
    key: "llm.providers.*.base_url",
    effect: (value, name) => toAddress(`the model calls of ${name}, with your key,`)(value),
  },
  {
    key: "llm.providers.*.api_key_env",
    effect: (value, name) =>
      value === USUAL_VARIABLES[name] || text(value) === null
        ? null
        : `sends the variable ${value} to ${name} as its key`,
  },
  { key: "llm.limits.shared", effect: toAddress("the use of your keys") },
  { key: "llm.telemetry.otlp", effect: toAddress("the spans of model calls") },
  { key: "memory.qdrant.url", effect: toAddress("the memories of agents") },
  {
    key: "memory.qdrant.api_key_env",
    effect: (value) =>
      value === "QDRANT_API_KEY" || text(value) === null
        ? null
        : `sends the variable ${value} to Qdrant as its key`,
  },
  {
    key: "checkpoint.dir",
    effect: (value) => {
      const dir = text(value) ?? "";
      const leaves = isAbsolute(dir) || dir.split(/[/\\]/).includes("..");
      return leaves ? `writes checkpoints to ${dir}` : null;
    },
  },
  {
    key: "dashboard.host",
    effect: (value) =>
      LOOPBACK.has(value) || text(value) === null
        ? null
        : `lets other machines open the dashboard, at ${value}`,
  },
  {
    key: "budget.max_api_cost_usd",
    effect: (value) =>
      typeof value === "number" && value > USUAL_USD
        ? `spends up to ${value} USD on model calls`
        : null,
  },
];

type Found = { readonly path: KeyPath; readonly effect: string };

const effectsIn = (settings: unknown): readonly Found[] =>
  SETTING_EFFECTS.flatMap(({ key, effect }) =>
    pathsOf(settings, key.split(".")).flatMap((path) => {
      const found = effect(valueAt(settings, path), String(path.at(-2)));
      return found === null ? [] : [{ path, effect: found }];
    }),
  );

const pathsOf = (
  settings: unknown,
  [key = "", ...rest]: readonly string[],
): readonly string[][] => {
  if (!isObject(settings)) return [];
  const keys = key === "*" ? Object.keys(settings) : key in settings ? [key] : [];
  return keys.flatMap((each) =>
    rest.length === 0 ? [[each]] : pathsOf(settings[each], rest).map((path) => [each, ...path]),
  );
};

/** What the settings of a run cause. `isCounted` says of which settings, by dotted key. */
export const settingEffects = (
  config: Config,
  isCounted: (key: string) => boolean = () => true,
): readonly string[] =>
  effectsIn(config).flatMap(({ path, effect }) => (isCounted(dotted(path)) ? [effect] : []));

/** The settings of a file without those that reach outside of the folder of the run. */
export const withoutEffects = (settings: unknown): unknown => {
  const copy = structuredClone(settings);
  for (const { path } of effectsIn(settings)) {
    const holder = valueAt(copy, path.slice(0, -1)) as Record<string, Json>;
    delete holder[String(path.at(-1))];
  }
  return copy;
};
