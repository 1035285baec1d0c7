import { type Command, Option } from "commander";
import type { ListenPlace } from "../../page/index.ts";
import {
  addAgentsFlag,
  addConfigFlags,
  addLabel,
  addMetricsFlag,
  addOutFlags,
  type ConfigFlags,
  duration,
  model,
  names,
  notNegative,
  type OutFlags,
  port,
  wholeFrom,
} from "./flags.ts";

export type ExecutionFlags = OutFlags & {
  readonly trust?: boolean;
  readonly duration?: number;
  readonly stopAfter?: number;
  readonly maxActions?: number;
  readonly trace?: boolean;
  readonly metrics?: ListenPlace;
  /** The port, or true for the port in the configuration. */
  readonly dashboard?: number | true;
};

export type RunFlags = ConfigFlags &
  ExecutionFlags & {
    readonly agents?: readonly string[];
    readonly only?: string;
    readonly seed?: number;
    readonly clock?: string;
    readonly name?: string;
    readonly label?: readonly string[];
    readonly model?: string;
    readonly maxCost?: number;
    readonly estimate?: boolean;
  };

/** Help text of `--duration` for a world that is resumed. */
export const FURTHER_HELP =
  "simulated time to add, such as 600, 600s or 10m; " +
  "agents are told only if this extends their horizon";

export const addExecutionFlags = (command: Command, help: string): Command =>
  addOutFlags(
    addMetricsFlag(
      command
        .option("--duration <time>", help, duration)
        .option(
          "--stop-after <time>",
          "stop after this many simulated seconds; the horizon that agents know stays the same",
          duration,
        )
        .option(
          "--max-actions <number>",
          "stop after this many actions, counted from the start of the run",
          wholeFrom(1),
        )
        .option("--trace", "print each command and its events to stderr, one line each")
        .option(
          "--dashboard [port]",
          "watch and control the run in a browser (default port: any free port)",
          port,
        ),
    ),
  );

/** Flags about a world that somebody else may have made. */
export const addTrustFlags = (command: Command): Command =>
  command
    .option("--trust", "let a run of somebody else run its programs and reach its addresses")
    .option("--no-trust", "continue a run of somebody else without its programs and addresses");

export type RunDefaults = typeof OF_NEW_RUN & { readonly config?: string };

const OF_NEW_RUN = {
  duration:
    "simulated time to run, such as 600, 600s or 10m; " +
    "agents are told the end as their horizon (default: 600). " +
    `With --from: ${FURTHER_HELP} (default: run to the horizon)`,
  agents: "agents in this folder, else the shipped ones",
  seed: "1",
  clock: "auto",
};

export const addRunFlags = (command: Command, defaults: RunDefaults = OF_NEW_RUN): Command =>
  addAgentsFlag(
    addConfigFlags(addExecutionFlags(command, defaults.duration), defaults.config),
    defaults.agents,
  )
    .option("--only <ids>", "use only these personas, separated by commas", names)
    .option("--seed <number>", `random seed (default: ${defaults.seed})`, wholeFrom(0))
    .addOption(
      new Option(
        "--clock <clock>",
        "wall: real time; virtual: as fast as possible, reproducible from the seed; " +
          "auto: wall if an agent calls a provider or with --dashboard, else virtual " +
          `(default: ${defaults.clock})`,
      ).choices(["auto", "wall", "virtual"]),
    )
    .option("--name <id>", "run id (default: made from the date and time)")
    .addOption(
      new Option("--label <word>", "a word to find the run by in `sim runs`; may be repeated")
        .argParser(addLabel)
        .default([], "none"),
    )
    .option(
      "--max-cost <usd>",
      "stop before model calls cost more than this many US dollars",
      notNegative,
    )
    .option(
      "--model <id>",
      "default model for agents: provider/model, or mock for a built-in model without a key",
      model,
    )
    .option("--estimate", "print the estimated cost of model calls without starting a run");

/** The parts of a request that all verbs that make runs share. */
export const executionOf = (flags: ExecutionFlags) => ({
  out: flags.out,
  durationS: flags.duration,
  stopAfterS: flags.stopAfter,
  maxActions: flags.maxActions,
  isWatched: flags.dashboard !== undefined,
  trust: flags.trust,
});

/** The request for a run with these flags, without its start. */
export const requestOf = (flags: RunFlags) => ({
  ...executionOf(flags),
  name: flags.name,
  labels: flags.label,
  config: flags.config,
  sets: flags.set,
  agents: flags.agents,
  only: flags.only?.trim().split(/\s*,\s*/),
  seed: flags.seed,
  clock: flags.clock,
  model: flags.model,
  maxCostUsd: flags.maxCost,
});
