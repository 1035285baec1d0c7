import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { type Command, InvalidArgumentError, Option } from "commander";
import { parseModelId } from "../../model/index.ts";
import type { ListenPlace } from "../../page/index.ts";
import {
  configFrom,
  type FlagValue,
  type OpenConfig,
  RUNS_FOLDER,
  type ScheduledSets,
  SHIPPED_CONFIG,
} from "../../run/index.ts";
import { parseRunPoint, parseTimeMs, type RunPoint } from "../../world/index.ts";
import { CliError } from "./exit.ts";

/** The folder of the experiments. */
export const RESULTS_FOLDER = "results";

export type OutFlags = { readonly out: string; readonly json?: boolean };

export const addOutFlags = (command: Command, json = "print one JSON document"): Command =>
  command
    .option("--out <dir>", "folder that holds all runs", path, RUNS_FOLDER)
    .option("--json", json);

export const RUN_HELP = "run id, a unique prefix of it, the path of the run, or latest";

export const addRunArgument = (command: Command): Command => command.argument("<run>", RUN_HELP);

export type ConfigFlags = { readonly config?: string; readonly set: readonly string[] };

/** Settings for later times: each `--at` with the values of `--set` after it. */
export type ScheduleFlags = { readonly at?: readonly ScheduledSets[] };

const FILE = "config.yaml";

export const addConfigFlags = (
  command: Command,
  otherwise = `${FILE} in this folder, else the shipped one`,
): Command =>
  addSetFlag(command.option("--config <file>", `configuration file (default: ${otherwise})`));

export const addSetFlag = (command: Command): Command =>
  command.addOption(
    new Option("--set <key=value>", "set one config value; may be repeated")
      .argParser<readonly string[]>((text, before) => [...before, text])
      .default([], "none"),
  );

const AT_HELP =
  "the run time, such as 300s or 5m, at which the --set options after it apply; may be repeated";

/** Adds `--at`. Each `--set` after an `--at` is kept with it, for its time. */
export const addScheduleFlags = (command: Command): Command => {
  const set = command.options.find(({ long }) => long === "--set");
  const atOnce = set?.parseArg;
  set?.argParser<readonly string[]>((text, before) => {
    const at: readonly ScheduledSets[] = command.getOptionValue("at") ?? [];
    const last = at.at(-1);
    if (last === undefined) return atOnce?.(text, before) ?? before;
    const longer = { ...last, sets: [...last.sets, text] };
    command.setOptionValue("at", [...at.slice(0, -1), longer]);
    return before;
  });
  return command.addOption(
    new Option("--at <time>", AT_HELP).argParser<readonly ScheduledSets[]>((text, before = []) => [
      ...before,
      { at: runTime(text), sets: [] },
    ]),
  );
};

/** The values of `--at`. @throws CliError if no `--set` follows one of them. */
export const scheduledSets = ({ at = [] }: ScheduleFlags): readonly ScheduledSets[] => {
  const empty = at.find(({ sets }) => sets.length === 0);
  if (empty === undefined) return at;
  throw new CliError(`--at ${empty.at}: add the --set key=value that applies at this time`);
};

/** @throws RunFailure that lists every problem of the configuration. */
export const openConfig = (
  flags: ConfigFlags,
  others: readonly FlagValue[] = [],
  scheduled: readonly ScheduledSets[] = [],
): OpenConfig => {
  const file = flags.config ?? configHere() ?? null;
  return { ...configFrom({ file, sets: flags.set, scheduled, flags: others }), file };
};

/** The path of the `config.yaml` in the current folder, unless it is the shipped one. */
export const configHere = (): string | undefined =>
  existsSync(FILE) && resolve(FILE) !== SHIPPED_CONFIG ? FILE : undefined;

export const addAgentsFlag = (command: Command, otherwise: string): Command =>
  command.addOption(
    new Option(
      "--agents <dir>",
      `folder of personas; may be repeated (default: ${otherwise})`,
    ).argParser<readonly string[] | undefined>((text, before = []) => [...before, path(text)]),
  );

// Parsers of flag values. Commander prints the name of the flag before a parser's error message.

const DIGITS = /^\d+$/;

const numberThat =
  (isValid: (value: number) => boolean, rule: string, form = /\S/) =>
  (text: string): number => {
    const value = Number(text);
    if (form.test(text) && isValid(value)) return value;
    throw new InvalidArgumentError(`It must be ${rule}.`);
  };

export const notNegative = numberThat(
  (value) => Number.isFinite(value) && value >= 0,
  "a number, 0 or more",
);

export const wholeFrom = (least: number) => {
  const read = numberThat((value) => value >= least, `a whole number, ${least} or more`, DIGITS);
  return (text: string): number => {
    const value = read(text);
    if (Number.isSafeInteger(value)) return value;
    throw new InvalidArgumentError(`It must be at most ${Number.MAX_SAFE_INTEGER}.`);
  };
};

export const MOMENT_HELP = "a run time such as 300s or 5m, or after an event such as event:500";

/** A moment without a unit is an event. Many people mean seconds by it. */
export const isBareMoment = (text: string): boolean => /^\d+$/.test(text);

/** A moment of a run: a time such as `300s` or `5m`, or an event such as `event:500` or `500`. */
export const moment = (text: string): RunPoint => {
  const read = parseRunPoint(text);
  if (read !== null) return read;
  throw new InvalidArgumentError(
    "It must be a time such as 300s or 5m, or an event such as event:500.",
  );
};

/** A run time such as `300s` or `5m`, as text. */
const runTime = (text: string): string => {
  if (parseTimeMs(text) !== null) return text;
  throw new InvalidArgumentError("It must be a time such as 300s or 5m.");
};

/** A number of simulated seconds: a number above 0, or a time such as `90s`, `10m` or `2h`. */
export const duration = (text: string): number => {
  const seconds = (parseTimeMs(text) ?? Number.NaN) / 1_000;
  if (seconds > 0) return seconds;
  if (/\S/.test(text) && Number.isFinite(Number(text)) && Number(text) > 0) return Number(text);
  throw new InvalidArgumentError("It must be a number of seconds above 0, or a time such as 10m.");
};

const PORT_MAX = 65_535;

/** A port number. 0 means any free port. */
export const port = numberThat(
  (value) => value <= PORT_MAX,
  `a port number from 0 to ${PORT_MAX}`,
  DIGITS,
);

const LOOPBACK = "127.0.0.1";

/** `PORT` or `HOST:PORT`. Without a host, only this machine can connect. */
export const listenPlace = (text: string): ListenPlace => {
  const [, bracketed, name, digits] = /^(?:\[([^\]]+)\]:|([^\s:/[\]]+):)?(\d+)$/.exec(text) ?? [];
  if (digits === undefined) {
    throw new InvalidArgumentError("It must be PORT or HOST:PORT, as in 9464 or 0.0.0.0:9464.");
  }
  return { host: bracketed ?? name ?? LOOPBACK, port: port(digits) };
};

const METRICS_HELP =
  "serve /metrics for Prometheus, /healthz and /readyz at [HOST:]PORT; " +
  `other machines can connect only if HOST allows it (default host: ${LOOPBACK})`;

export const addMetricsFlag = (command: Command): Command =>
  command.option("--metrics <place>", METRICS_HELP, listenPlace);

export const path = (text: string): string => {
  if (text !== "") return text;
  throw new InvalidArgumentError("It must be a path.");
};

/** A language model: `provider/model` or `mock`. Does not check that the provider has the model. */
export const model = (text: string): string => {
  const read = parseModelId(text);
  if (read.ok) return text;
  throw new InvalidArgumentError(`${read.problem}, as in gemini/gemini-3-flash-preview.`);
};

const LABEL = /^[^\s,](?:[^\p{Cc}\u2028\u2029,]{0,62}[^\s,])?$/u;

/** Adds a label to the labels `before`, unless they have it. */
export const addLabel = (text: string, before: readonly string[]): readonly string[] => {
  if (LABEL.test(text)) return [...new Set([...before, text])];
  throw new InvalidArgumentError("It must have 1 to 64 characters on one line, without commas.");
};

export const names = (text: string): string => {
  if (text.split(",").every((name) => name.trim() !== "")) return text;
  throw new InvalidArgumentError("It must be names, separated by commas, as in ada,fermi.");
};
