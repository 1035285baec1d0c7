import { resolve } from "node:path";
import { Option } from "commander";
import type { AgentProgram, AgentProvider, StreamFormat } from "../../coding-agents/index.ts";
import { CODING_AGENTS, STREAM_FORMATS } from "../../mind/index.ts";
import { CliError } from "../exit.ts";
import { duration, names, path } from "../flags.ts";
import { type Register, withExamples } from "../shell.ts";
import { work } from "../work/work-task.ts";

const TIMEOUT_S = 300;

type Flags = {
  readonly dir: string;
  readonly provider: AgentProvider | "command";
  readonly model?: string;
  readonly stream?: StreamFormat;
  readonly timeout: number;
  readonly systemPrompt?: string;
  readonly env?: string;
  readonly fresh?: true;
  readonly unsafe?: true;
  readonly json?: true;
};

type Arguments = [agent: string, prompt: string, args: readonly string[], flags: Flags];

export const register: Register = (command, shell) => {
  command
    .argument("<agent>", "the agent, such as ada; its system prompt is in .mind/actors/ada")
    .argument("<prompt>", "the task")
    .argument("[args...]", "after --: more arguments of the program, or the whole command")
    .option("--dir <dir>", "the folder to work in", path, ".")
    .addOption(
      new Option("--provider <name>", "the coding agent")
        .choices([...CODING_AGENTS, "command"])
        .default("claude"),
    )
    .option("--model <name>", "the model, as the coding agent names it")
    .addOption(
      new Option("--stream <format>", "what a command prints (default: text)").choices(
        STREAM_FORMATS,
      ),
    )
    .option("--timeout <seconds>", "stop the task after this time", duration, TIMEOUT_S)
    .option("--system-prompt <file>", "the file of the system prompt", path)
    .option("--env <names>", "variables of the environment to pass on, such as KEY,OTHER", names)
    .option("--fresh", "start a new session, even if the last one can be continued")
    .option("--unsafe", "let the coding agent act without asking, and without its sandbox")
    .option("--json", "print one JSON document: the result of the turn");
  withExamples(command, [
    'sim work ada "Add a test for the parser." --dir my-project',
    'sim work ada "Now fix it." --dir my-project --provider codex --timeout 10m',
    'sim work ada "Say hello." --provider command -- my-agent --quiet',
  ]);
  command.action(async (...[agent, prompt, args, flags]: Arguments) => {
    if (!NAME.test(agent)) throw new CliError(`${agent}: ${NAME_RULE}`);
    if (prompt.trim() === "") throw new CliError("the task is empty; say what to do");
    await work(
      {
        ...{ agent, prompt, program: programOf(flags, args), timeoutS: flags.timeout },
        folder: resolve(flags.dir),
        systemPromptFile: flags.systemPrompt ?? null,
        isFresh: flags.fresh === true,
        passed: (flags.env ?? "").split(",").flatMap((name) => name.trim() || []),
        json: flags.json === true,
      },
      shell,
    );
  });
};

const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;
const NAME_RULE = "the name of an agent has letters, digits, _ and -, and at most 64 of them";

/** @throws CliError for flags that do not go together. */
const programOf = (flags: Flags, args: readonly string[]): AgentProgram => {
  const { provider, model = null, stream, unsafe = false } = flags;
  if (provider !== "command") {
    if (stream !== undefined) throw new CliError(`--stream is for --provider command`);
    return { provider, executable: null, args, model, unsafe };
  }
  const [file, ...others] = args;
  if (file === undefined) throw new CliError("write the command after --, such as -- my-agent");
  if (model !== null || unsafe) {
    throw new CliError("--model and --unsafe are not for a command; write its own flags after it");
  }
  return { provider, argv: [file, ...others], stream: stream ?? "text" };
};
