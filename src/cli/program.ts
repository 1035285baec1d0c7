import { Command } from "commander";
import { packageVersion } from "../package-root.ts";
import { exitFor } from "./exit.ts";
import { makeOutput, type Sink } from "./output/output.ts";
import { type Register, type Shell, withExamples } from "./shell.ts";

export type Verb = readonly [name: string, summary: string];

/** All verbs, in the order of the help text. `verbs/NAME.ts` registers a verb. */
export const VERBS: readonly Verb[] = [
  ["run", "run a simulation"],
  ["resume", "continue a run after a stop or a crash"],
  ["checkpoint", "save a state of a run to a file"],
  ["fork", "start a new run from a state of another run"],
  ["replay", "replay the journal of a run and print the state hash"],
  ["verify", "check the hash chain, replay, commands and invariants of a run"],
  ["events", "print the events of a run"],
  ["state", "print accounts, artifacts and agents after an event"],
  ["report", "report on the economy: figures, tables, charts"],
  ["explain", "trace the money of an agent back to actions and thoughts"],
  ["compare", "show where and how runs differ"],
  ["dashboard", "watch runs in a browser"],
  ["artifact", "print one artifact: content, versions, customers, revenue"],
  ["runs", "list runs"],
  ["agents", "list, check, preview and create personas"],
  ["config", "print the configuration and where each value is set"],
  ["init", "create a folder with config.yaml and agents/"],
  ["doctor", "check that this machine can run simulations"],
];

const EXAMPLES = ["sim run --duration 60 --clock virtual", "sim runs", "sim agents list"];

export type CommandHost = Omit<Shell, "output"> & {
  readonly stdout: Sink;
  readonly stderr: Sink;
};

export type CommandLine = {
  /** Runs one command line. Never rejects: an error becomes a message and an exit code. */
  readonly run: (args: readonly string[]) => Promise<void>;
  /** Reports an error that no caller could catch, and sets its exit code. */
  readonly fail: (error: unknown) => void;
};

export const makeCommandLine = ({ stdout, stderr, ...host }: CommandHost): CommandLine => {
  const program = makeProgram(stdout, stderr);
  const output = makeOutput({
    stdout,
    stderr,
    options: () => {
      const { quiet = false, color = true } = program.opts<{ quiet?: boolean; color?: boolean }>();
      return { quiet, colour: color && (host.env.NO_COLOR ?? "") === "" };
    },
  });
  const fail = (error: unknown): void => {
    const { lines, exitCode } = exitFor(error);
    for (const line of lines) output.problem(line);
    host.endWith(exitCode);
  };
  const run = async (args: readonly string[]): Promise<void> => {
    try {
      await addVerbs(program, args, { ...host, output });
      if (args.length === 0) program.outputHelp();
      else await program.parseAsync(args, { from: "user" });
    } catch (error) {
      fail(error);
    }
  };
  return { run, fail };
};

const makeProgram = (stdout: Sink, stderr: Sink): Command => {
  const program = new Command("sim")
    .description("An autonomous multi-agent economic simulation.")
    .helpOption("-h, --help", "show help")
    .helpCommand("help [command]", "show the help of a command")
    .option("--quiet", "print only results and errors")
    .option("--no-color", "no colors; the same as NO_COLOR=1 in the environment")
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      outputError: (text, write) => write(inOneLine(text)),
    })
    .exitOverride();
  return withExamples(program, EXAMPLES);
};

/** Adds all verbs by name, but loads only the one that is used, so that help is fast. */
const addVerbs = async (program: Command, args: readonly string[], shell: Shell): Promise<void> => {
  const words = args.filter((word) => !word.startsWith("-"));
  const used = words[0] === "help" ? words[1] : words[0];
  // Added only without a verb, because `sim artifact` has its own `--version`.
  if (used === undefined) program.version(packageVersion(), "--version", "print the version");
  for (const [name, summary] of VERBS) {
    const command = program.command(name).summary(summary).description(summary);
    if (name !== used) continue;
    const { register }: { readonly register: Register } = await import(`./verbs/${name}.ts`);
    register(command, shell);
  }
};

/** Rewrites `error: unknown option '--x'⏎(Did you mean --y?)` as one line in our style. */
const inOneLine = (text: string): string => {
  const [first = "", ...more] = text.trim().split("\n");
  const said = [first.replace(/^error: /, ""), ...more.map((line) => line.replace("Did", "did"))];
  return `sim: ${said.join(" ").replace(/\.$/, "")}; try --help\n`;
};
