import { type Command, Option } from "commander";
import { model, names, notNegative, port, positive, wholeFrom } from "./flag-values.ts";
import { addConfigFlags, CONFIG_DEFAULT, type ConfigFlags, type FlagValue } from "./open-config.ts";
import { RUNS_FOLDER } from "./run-record.ts";

export type RunFlags = ConfigFlags & {
  readonly duration?: number;
  readonly agents?: string;
  readonly only?: string;
  readonly seed?: number;
  readonly clock?: string;
  readonly name?: string;
  readonly out: string;
  readonly stopAfter?: number;
  readonly maxActions?: number;
  readonly model?: string;
  readonly maxCost?: number;
  readonly estimate?: boolean;
  readonly json?: boolean;
} & DashboardFlag;

/** The port, or true where the configuration says which. */
export type DashboardFlag = { readonly dashboard?: number | true };

export const MAX_ACTIONS_HELP =
  "stop when the run has had so many actions, those before a resume included";

export const STOP_AFTER_HELP =
  "stop so many simulated seconds from where this part begins, if that is earlier; agents hear " +
  "nothing of it";

export const DASHBOARD_HELP = "watch and control the run in a browser (default port: any free one)";

/** How far a world goes on. */
export const FURTHER_HELP =
  "further simulated seconds from where it goes on; agents hear of it only where that ends " +
  "beyond the horizon that they know";

/** What a run has where a flag is not given, in words. */
export type RunDefaults = {
  readonly [flag in "config" | "agents" | "seed" | "clock"]: string;
} & {
  /** What the flag means, its default included. */
  readonly duration: string;
};

const OF_NEW_RUN: RunDefaults = {
  duration:
    "simulated seconds; agents know this horizon (default: 600); with --from: " +
    `${FURTHER_HELP} (default: to that horizon)`,
  config: CONFIG_DEFAULT,
  agents: "agents here, else the shipped one",
  seed: "1",
  clock: "wall",
};

/** Those of `sim run` that other verbs which begin a run have as well. */
export const addRunFlags = (command: Command, defaults: RunDefaults = OF_NEW_RUN): Command =>
  addConfigFlags(
    command.option("--duration <seconds>", defaults.duration, positive),
    defaults.config,
  )
    .option("--agents <dir>", `a folder of personas (default: ${defaults.agents})`)
    .option("--only <ids>", "only these personas, separated by commas", names)
    .option(
      "--seed <number>",
      `the seed of everything that is left to chance (default: ${defaults.seed})`,
      wholeFrom(0),
    )
    .addOption(
      new Option(
        "--clock <clock>",
        `wall: real time; virtual: as fast as it computes, repeatable (default: ${defaults.clock})`,
      ).choices(["wall", "virtual"]),
    )
    .option("--name <id>", "the id of the run (default: made from the time)")
    .option("--out <dir>", "where runs are kept", RUNS_FOLDER)
    .option("--stop-after <seconds>", STOP_AFTER_HELP, positive)
    .option("--max-actions <number>", MAX_ACTIONS_HELP, wholeFrom(1))
    .option("--max-cost <usd>", "stop before calls of models cost more than this", notNegative)
    .option("--model <id>", "what agents ask that name no model, as provider/model", model)
    .option("--estimate", "say what the calls of models may cost, and run nothing")
    .option("--dashboard [port]", DASHBOARD_HELP, port)
    .option("--json", "print one JSON document");

/** What the flags say about the configuration. */
export const valuesOf = (flags: RunFlags): readonly FlagValue[] => [
  { key: "run.duration_s", value: flags.duration, origin: "--duration" },
  { key: "run.seed", value: flags.seed, origin: "--seed" },
  { key: "run.clock", value: flags.clock, origin: "--clock" },
  maxActionsOf(flags.maxActions),
  { key: "llm.default_model", value: flags.model, origin: "--model" },
  { key: "budget.max_api_cost_usd", value: flags.maxCost, origin: "--max-cost" },
  { key: "agents.dir", value: flags.agents, origin: "--agents" },
  { key: "agents.only", value: flags.only?.split(",").map(trimmed), origin: "--only" },
];

export const maxActionsOf = (value: number | undefined): FlagValue => ({
  key: "run.max_actions",
  value,
  origin: "--max-actions",
});

const trimmed = (text: string): string => text.trim();
