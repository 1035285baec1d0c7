import { Command } from "commander";
import { counted, packageVersion, printable } from "../text/index.ts";

import { CliError, exitFor } from "./core/exit.ts";
import { makeOutput, type Sink } from "./core/output.ts";
import { type Register, type Shell, withExamples } from "./core/shell.ts";

type Verb = readonly [
  name: string,
  summary: string,
  load: () => Promise<{ readonly register: Register }>,
];

/** All verbs by group, in the order of the help text. */
const GROUPS: { readonly [group: string]: readonly Verb[] } = {
  Run: [
    ["init", "create a folder with config.yaml and agents/", () => import("./verbs/init.ts")],
    ["run", "run a simulation", () => import("./verbs/run.ts")],
    ["resume", "continue a run after a stop or a crash", () => import("./verbs/resume.ts")],
  ],
  Look: [
    ["runs", "list runs", () => import("./verbs/runs.ts")],
    ["dashboard", "watch runs in a browser", () => import("./verbs/dashboard.ts")],
    ["report", "report on the economy: figures, tables, charts", () => import("./verbs/report.ts")],
    ["state", "print the world after an event, or one artifact", () => import("./verbs/state.ts")],
    ["events", "print the events of a run", () => import("./verbs/events.ts")],
    [
      "explain",
      "trace the money of an agent back to actions and thoughts",
      () => import("./verbs/explain.ts"),
    ],
    [
      "moments",
      "show the lives of agents: from thoughts to artifacts to money",
      () => import("./verbs/moments.ts"),
    ],
    [
      "transcript",
      "print the conversation of an agent with tools",
      () => import("./verbs/transcript.ts"),
    ],
    ["compare", "show where and how runs differ", () => import("./verbs/compare.ts")],
    [
      "export",
      "write tables for other programs: Parquet, CSV, JSON lines",
      () => import("./verbs/export.ts"),
    ],
    [
      "publish",
      "write a page of runs that anyone opens without a server",
      () => import("./verbs/publish.ts"),
    ],
  ],
  Change: [
    ["fork", "start a new run from a state of another run", () => import("./verbs/fork.ts")],
    ["checkpoint", "save a state of a run to a file", () => import("./verbs/checkpoint.ts")],
    ["agents", "list, check, preview and create personas", () => import("./verbs/agents.ts")],
    [
      "config",
      "print the configuration and where each value is set",
      () => import("./verbs/config.ts"),
    ],
  ],
  Experiment: [
    [
      "experiment",
      "run an experiment with several arms and seeds, and test the differences",
      () => import("./verbs/experiment.ts"),
    ],
    ["worker", "make runs that other machines submit", () => import("./verbs/worker.ts")],
  ],
  People: [
    [
      "messages",
      "print the messages to the operator or to an agent, or send one",
      () => import("./verbs/messages.ts"),
    ],
    ["review", "decide about actions before they happen", () => import("./verbs/review.ts")],
    ["seat", "take a seat of a live run in the terminal", () => import("./verbs/seat.ts")],
    ["mcp", "serve a seat of a live run to MCP clients", () => import("./verbs/mcp.ts")],
    ["chat", "talk with one agent with tools in the terminal", () => import("./verbs/chat.ts")],
    ["work", "let a coding agent do one task in a folder", () => import("./verbs/work.ts")],
  ],
  Administer: [
    [
      "verify",
      "check the hash chain, replay, commands and invariants of a run",
      () => import("./verbs/verify.ts"),
    ],
    [
      "doctor",
      "check this machine, or the memory store of a run",
      () => import("./verbs/doctor.ts"),
    ],
    ["rm", "remove runs with their checkpoints", () => import("./verbs/rm.ts")],
  ],
};

export const VERBS: readonly Verb[] = Object.values(GROUPS).flat();

/** A configuration with thousands of wrong entries must not fill the screen. */
const PROBLEMS_SHOWN = 20;

const EXAMPLES = ["sim run --duration 60 --clock virtual", "sim runs", "sim agents list"];

type CommandHost = Omit<Shell, "output"> & { readonly stdout: Sink; readonly stderr: Sink };

export type CommandLine = {
  /** Runs one command line. Never rejects: an error becomes a message and an exit code. */
  readonly run: (args: readonly string[]) => Promise<void>;
  /** Reports an uncaught error and sets its exit code. */
  readonly fail: (error: unknown) => void;
};

export const makeCommandLine = ({ stdout, stderr, ...host }: CommandHost): CommandLine => {
  const program = makeProgram(stdout, stderr);
  const output = makeOutput({
    stdout,
    stderr,
    options: () => {
      const { quiet = false, color = true, tsv = false } = program.opts<GlobalFlags>();
      return { quiet, tsv, colour: color && (host.env.NO_COLOR ?? "") === "" };
    },
  });
  const fail = (error: unknown): void => {
    const { lines, exitCode } = exitFor(error);
    for (const line of lines.slice(0, PROBLEMS_SHOWN)) output.problem(line);
    const more = lines.length - PROBLEMS_SHOWN;
    if (more > 0) output.problem(`${counted(more, "more problem")} like these`);
    host.endWith(exitCode);
  };
  const run = async (args: readonly string[]): Promise<void> => {
    try {
      await addVerbs(program, args, { ...host, output });
      program.hook("postAction", async () => {
        // The verb has loaded this module; help and the version do not need it.
        const { isBareMoment } = await import("./core/flags.ts");
        for (const [flag, number] of momentFlags(args)) {
          if (!isBareMoment(number)) continue;
          output.note(`note: ${flag} ${number} is event ${number}; write ${number}s for a time`);
        }
      });
      if (args.length === 0) program.outputHelp();
      else await program.parseAsync(args, { from: "user" });
      if (output.isTsv() && !output.hasTable()) output.note("note: this command prints no table");
    } catch (error) {
      fail(error);
    }
  };
  return { run, fail };
};

const MOMENT_FLAGS: readonly string[] = ["--at", "--from", "--to", "--replay"];

/** The flags that take a moment, with their values. */
const momentFlags = (args: readonly string[]): readonly (readonly [string, string])[] =>
  args.flatMap((arg, place) => {
    const [flag = "", value = args[place + 1] ?? ""] = arg.split("=");
    return MOMENT_FLAGS.includes(flag) ? [[flag, value]] : [];
  });

/** The heading of a group of verbs in the help text. */
const heading = (group: string): string => `${group}:`;

type GlobalFlags = { readonly quiet?: boolean; readonly color?: boolean; readonly tsv?: boolean };

const makeProgram = (stdout: Sink, stderr: Sink): Command => {
  const program = new Command("sim")
    .description("An autonomous multi-agent economic simulation.")
    .helpOption("-h, --help", "show help")
    .commandsGroup(heading("Administer"))
    .helpCommand("help [command]", "show the help of a command")
    .option("--quiet", "print only results and errors")
    .option("--tsv", "print only tables, as tab-separated values with a line of names")
    .option("--no-color", "no colors; the same as NO_COLOR=1 in the environment")
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      outputError: (text, write) => write(inOneLine(text, program)),
    })
    .exitOverride()
    .hook("preAction", (_, command) => {
      const { tsv, json } = command.optsWithGlobals<{ tsv?: boolean; json?: boolean }>();
      if (tsv === true && json === true) throw new CliError("use either --tsv or --json, not both");
    });
  return withExamples(program, EXAMPLES);
};

/** Adds the names of all verbs, but loads only the verb in `args`, so that help is fast. */
const addVerbs = async (program: Command, args: readonly string[], shell: Shell): Promise<void> => {
  const words = args.filter((word) => !word.startsWith("-"));
  const used = words[0] === "help" ? words[1] : words[0];
  // With a verb, the program has no `--version`, because `sim state` has its own `--version`.
  if (used === undefined) program.version(packageVersion(), "--version", "print the version");
  for (const [group, verbs] of Object.entries(GROUPS)) {
    for (const [name, summary, load] of verbs) {
      const command = program.command(name).summary(summary).description(summary);
      command.helpGroup(heading(group));
      if (name === used) (await load()).register(command, shell);
    }
  }
  const isKnown = used === undefined || VERBS.some(([name]) => name === used);
  if (words[0] === "help" && !isKnown) program.error(`${UNKNOWN} '${used}'`);
};

/** The longest value of a flag that a message repeats in full. */
const VALUE_CHARS_MAX = 60;

const LONG_VALUE = new RegExp(`( argument '.{${VALUE_CHARS_MAX}})[^]+(' is invalid\\. )`, "u");

const UNKNOWN = "error: unknown command";

/** Rewrites `error: unknown option '--x'⏎(Did you mean --y?)` as one line after `sim:`. */
const inOneLine = (text: string, program: Command): string => {
  const [first = "", ...more] = text.trim().replace(LONG_VALUE, "$1…$2").split("\n");
  const start = /^error: (command-argument )?/;
  const said = [first.replace(start, ""), ...more.map((line) => line.replace("Did", "did"))];
  const fix = text.startsWith(UNKNOWN) ? `the commands are ${namesIn(program)}` : "try --help";
  return printable(`sim: ${said.join(" ").replace(/\.$/, "")}; ${fix}\n`);
};

/** The names of the verbs, or of the parts of the loaded verb, such as `sim agents list`. */
const namesIn = (program: Command): string => {
  const { commands } = program.commands.find((verb) => verb.commands.length > 0) ?? program;
  return commands.map((command) => command.name()).join(", ");
};
