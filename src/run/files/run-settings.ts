import { invariant, jsonIn, type Result } from "../../kernel/index.ts";
import { dotted } from "../../mind/index.ts";
import {
  type Config,
  leavesOf,
  loadConfig,
  readYaml,
  showProblem,
  textAt,
} from "../config/index.ts";
import { runPaths } from "./run-files.ts";

type Settings = ReadonlyMap<string, string>;

/** The configuration of a run, by dotted key, as JSON texts. */
export const runSettings = (folder: string): Result<{ readonly settings: Settings }> => {
  const parsed = readYaml(runPaths(folder).config);
  if (!parsed.ok) return { ok: false, problem: parsed.problems.map(showProblem).join("; ") };
  return { ok: true, settings: settingsIn(parsed.yaml.value) };
};

/** A setting of a run that differs from the shipped setting. The values are JSON text. */
export type ChangedSetting = {
  readonly key: string;
  readonly value: string;
  /** The shipped value, or null if the shipped configuration does not have the key. */
  readonly shipped: string | null;
};

/** Returns the settings that differ from the shipped ones, or null if a file cannot be read. */
export const changedSettings = (folder: string): readonly ChangedSetting[] | null => {
  const saved = runSettings(folder);
  return saved.ok ? changesIn(saved.settings) : null;
};

/** The values that differ from the shipped ones, by dotted key. */
export const changedFrom = (config: Config): { [key: string]: unknown } =>
  Object.fromEntries(changesIn(settingsIn(config)).map(({ key, value }) => [key, jsonIn(value)]));

const changesIn = (settings: Settings): readonly ChangedSetting[] => {
  const shipped = shippedValues();
  return [...settings]
    .map(([key, value]) => ({ key, value, shipped: shipped.get(key) ?? null }))
    .filter((setting) => setting.value !== setting.shipped);
};

let shippedOnce: Settings | null = null;

/** Reads the shipped configuration once per process, because this takes longer than a start. */
const shippedValues = (): Settings => {
  if (shippedOnce !== null) return shippedOnce;
  const loaded = loadConfig({ file: null, sets: [], flags: [] });
  invariant(loaded.ok, "the shipped configuration is valid");
  shippedOnce = settingsIn(loaded.config);
  return shippedOnce;
};

const settingsIn = (config: unknown): Settings =>
  new Map(leavesOf(config).map((path) => [dotted(path), textAt(config, path)] as const));

/**
 * Settings that are read only when an agent joins, when a world is created, or when personas are
 * loaded. Each entry includes all keys below its key. Other settings also apply to existing agents.
 */
const READ_ONCE: readonly (readonly [key: string, use: "agent" | "world" | "persona"])[] = [
  ["scrip.starting_amount", "agent"],
  ["resources.stock", "agent"],
  ["resources.windows", "agent"],
  ["genesis.disk_bytes", "world"],
  ["agents.dir", "persona"],
  ["agents.only", "persona"],
];

const EFFECTS = {
  agent: "applies only to agents added with --agents",
  world: "applies only to new worlds",
  persona: "applies only to personas loaded with --agents",
} as const;

/** Returns warnings about changed settings that have no effect on the agents of a resumed world. */
export const ineffectiveSettings = (
  before: Config,
  after: Config,
  { brings }: { readonly brings: boolean },
): readonly string[] =>
  leavesOf(after)
    .filter((path) => textAt(before, path) !== textAt(after, path))
    .map(dotted)
    .flatMap((key) => {
      const use = READ_ONCE.find(([once]) => key === once || key.startsWith(`${once}.`))?.[1];
      if (use === undefined || (use === "persona" && brings)) return [];
      return [`${key} ${EFFECTS[use]}; it changes nothing for existing agents`];
    });
