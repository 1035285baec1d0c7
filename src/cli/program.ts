import { Command } from "commander";
import type { Sink } from "./output.ts";
import { type Shell, withExamples } from "./shell.ts";
import { shippedVersion } from "./shipped.ts";
import { VERBS } from "./verbs.ts";

const EXAMPLES = ["sim run --duration 60 --clock virtual", "sim runs", "sim agents list"];

/** The command line as commander knows it, with every verb named but none loaded. */
export const makeProgram = (stdout: Sink, stderr: Sink): Command => {
  const program = new Command("sim")
    .description("An autonomous multi-agent economic simulation.")
    .helpOption("-h, --help", "show help")
    .option("--quiet", "say nothing but the answer and what is wrong")
    .option("--no-color", "no colours (as does NO_COLOR in the environment)")
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      outputError: (text, write) => write(inOneLine(text)),
    })
    .exitOverride();
  return withExamples(program, EXAMPLES);
};

/** Adds all verbs by name, and what the one that is asked for can do. */
export const addVerbs = async (
  program: Command,
  args: readonly string[],
  shell: Shell,
): Promise<void> => {
  const words = args.filter((word) => !word.startsWith("-"));
  const asked = words[0] === "help" ? words[1] : words[0];
  // Only without a verb: `sim artifact --version 2` means something else.
  if (asked === undefined) program.version(shippedVersion(), "--version", "print the version");
  for (const verb of VERBS) {
    const command = program.command(verb.name).summary(verb.summary).description(verb.summary);
    if (verb.name !== asked) continue;
    const { register } = await verb.load();
    register(command, shell);
  }
};

/** `error: unknown option '--x'⏎(Did you mean --y?)` in one line, in our words. */
const inOneLine = (text: string): string => {
  const [first = "", ...more] = text.trim().split("\n");
  const said = [first.replace(/^error: /, ""), ...more.map((line) => line.replace("Did", "did"))];
  return `sim: ${said.join(" ").replace(/\.$/, "")}; try --help\n`;
};
