import { existsSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import type { Command } from "commander";
import { type LoadedConfig, loadConfig, SHIPPED_CONFIG, showProblem } from "../runner/index.ts";
import { SHIPPED, SHIPPED_POPULATIONS } from "./shipped.ts";
import { UsageProblem } from "./usage-problem.ts";

/** The flags of every verb that needs a configuration, as commander hands them over. */
export type ConfigFlags = { readonly config?: string; readonly set: readonly string[] };

/** A value that another flag gives; undefined when the flag was not given. */
export type FlagValue = { readonly key: string; readonly value: unknown; readonly origin: string };

export type OpenConfig = LoadedConfig & {
  /** The user's file, as given; null when there is none. */
  readonly file: string | null;
};

const FILE = "config.yaml";
const AGENTS = "agents";

/** Which configuration a new run has. */
export const CONFIG_DEFAULT = `${FILE} here, else the shipped one`;

export const addConfigFlags = (command: Command, otherwise: string = CONFIG_DEFAULT): Command =>
  command
    .option("--config <file>", `configuration (default: ${otherwise})`)
    .option("--set <key=value>", "change one value, as often as needed", collected, []);

const collected = (text: string, before: readonly string[]): readonly string[] => [...before, text];

/** The configuration in force. Throws a UsageProblem with every problem there is. */
export const openConfig = (flags: ConfigFlags, others: readonly FlagValue[] = []): OpenConfig => {
  const file = flags.config ?? fileHere();
  const given = others.filter(({ value }) => value !== undefined);
  const loaded = loadConfig({ file, sets: flags.set, flags: given });
  if (!loaded.ok) throw new UsageProblem(loaded.problems.map(showProblem));
  return { ...loaded, file };
};

/** The user's own file. In a checkout the shipped one lies here; its values are the defaults. */
const fileHere = (): string | null =>
  existsSync(FILE) && resolve(FILE) !== SHIPPED_CONFIG ? FILE : null;

/**
 * The folder of the personas. A file's `agents.dir` is seen from the file, a flag's from here;
 * without either it is the `agents` beside the file, the one here, or the shipped one. A folder
 * that is not there and is called as a shipped population is that one.
 */
export const agentsFolder = ({ config, origins, file }: OpenConfig): string => {
  const { dir } = config.agents;
  const origin = origins.get("agents.dir");
  if (origin === "default") {
    const beside = file === null ? [] : [join(dirname(file), AGENTS)];
    return [...beside, AGENTS].find((folder) => existsSync(folder)) ?? SHIPPED.agents;
  }
  const isSeenFromFile = origin === file && file !== null && !isAbsolute(dir);
  const asked = isSeenFromFile ? join(dirname(file), dir) : dir;
  if (existsSync(asked) || isAbsolute(dir)) return asked;
  return SHIPPED_POPULATIONS.get(relative("", dir)) ?? asked;
};
