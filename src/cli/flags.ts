import { existsSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import { type Command, InvalidArgumentError, Option } from "commander";
import { parseModelId } from "../mind/index.ts";
import {
  type LoadedConfig,
  loadConfig,
  SHIPPED,
  SHIPPED_CONFIG,
  SHIPPED_POPULATIONS,
  showProblem,
} from "../runner/index.ts";
import { CliError } from "./exit.ts";

/** Where runs are if `--out` is not given. */
export const RUNS_FOLDER = "runs";

export type OutFlags = { readonly out: string; readonly json?: boolean };

/** Adds `--out` and `--json`. */
export const addOutFlags = (command: Command, json = "print one JSON document"): Command =>
  command.option("--out <dir>", "folder that holds all runs", RUNS_FOLDER).option("--json", json);

/** Adds the argument `<run>`. */
export const addRunArgument = (command: Command): Command =>
  command.argument("<run>", "run id, unique prefix of one, path, or latest");

/** The flags of every verb that needs a configuration. */
export type ConfigFlags = { readonly config?: string; readonly set: readonly string[] };

/** The value of a flag for a key; undefined if the flag is not given. */
export type FlagValue = { readonly key: string; readonly value: unknown; readonly origin: string };

export type OpenConfig = LoadedConfig & {
  /** The path of the user's file; null if there is none. */
  readonly file: string | null;
};

const FILE = "config.yaml";
const AGENTS = "agents";

export const addConfigFlags = (
  command: Command,
  otherwise = `${FILE} in this folder, else the shipped one`,
): Command =>
  command
    .option("--config <file>", `configuration file (default: ${otherwise})`)
    .addOption(
      new Option("--set <key=value>", "set one config value; may be repeated")
        .argParser<readonly string[]>((text, before) => [...before, text])
        .default([], "none"),
    );

/** @throws CliError with every problem of the configuration. */
export const openConfig = (flags: ConfigFlags, others: readonly FlagValue[] = []): OpenConfig => {
  const file = flags.config ?? fileHere();
  const given = others.filter(({ value }) => value !== undefined);
  const loaded = loadConfig({ file, sets: flags.set, flags: given });
  if (!loaded.ok) throw new CliError(loaded.problems.map(showProblem));
  return { ...loaded, file };
};

/** In a checkout the file in this folder is the shipped one, which holds the defaults. */
const fileHere = (): string | null =>
  existsSync(FILE) && resolve(FILE) !== SHIPPED_CONFIG ? FILE : null;

/**
 * The folder of the personas. `agents.dir` is relative to its file, and `--agents` to this folder.
 * The default is `agents` next to the file, then `agents` here, then the shipped one. The name of a
 * shipped population stands for it if there is no such folder.
 */
export const agentsFolder = ({ config, origins, file }: OpenConfig): string => {
  const { dir } = config.agents;
  const origin = origins.get("agents.dir");
  if (origin === "default") {
    const nextToFile = file === null ? [] : [join(dirname(file), AGENTS)];
    return [...nextToFile, AGENTS].find((folder) => existsSync(folder)) ?? SHIPPED.agents;
  }
  const isInFile = origin === file && file !== null && !isAbsolute(dir);
  const folder = isInFile ? join(dirname(file), dir) : dir;
  if (existsSync(folder) || isAbsolute(dir)) return folder;
  return SHIPPED_POPULATIONS.get(relative("", dir)) ?? folder;
};

// Parsers of flag values. Commander prints what they throw, with the name of the flag.

export const positive = (text: string): number => {
  const value = Number(text);
  if (text.trim() !== "" && Number.isFinite(value) && value > 0) return value;
  throw new InvalidArgumentError("It must be a number above 0.");
};

export const notNegative = (text: string): number => {
  const value = Number(text);
  if (text.trim() !== "" && Number.isFinite(value) && value >= 0) return value;
  throw new InvalidArgumentError("It must be a number, 0 or more.");
};

export const wholeFrom =
  (least: number) =>
  (text: string): number => {
    const value = Number(text);
    if (text.trim() !== "" && Number.isSafeInteger(value) && value >= least) return value;
    throw new InvalidArgumentError(`It must be a whole number, ${least} or more.`);
  };

const PORT_MAX = 65_535;

/** A port to listen on; 0: any free port. */
export const port = (text: string): number => {
  const value = Number(text);
  if (/^\d+$/.test(text) && value <= PORT_MAX) return value;
  throw new InvalidArgumentError(`It must be a port, 0 to ${PORT_MAX}.`);
};

export const path = (text: string): string => {
  if (text !== "") return text;
  throw new InvalidArgumentError("It must be a path.");
};

/** A language model as `provider/model`. Only the provider can tell whether it exists. */
export const model = (text: string): string => {
  const read = parseModelId(text);
  if (read.ok) return text;
  throw new InvalidArgumentError(`${read.problem}, as in gemini/gemini-3-flash-preview.`);
};

export const names = (text: string): string => {
  if (text.split(",").every((name) => name.trim() !== "")) return text;
  throw new InvalidArgumentError("It must be names, separated by commas, as in ada,fermi.");
};
