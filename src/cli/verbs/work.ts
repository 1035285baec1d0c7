import { resolve } from "node:path";
import { Option } from "commander";
import {
  type AgentProgram,
  type AgentProvider,
  PROVIDERS,
  type Segment,
  type StreamFormat,
  segmentLine,
  type TurnResult,
  type WorkTask,
  work,
} from "../../coding-agents/index.ts";
import { CODING_AGENTS, STREAM_FORMATS } from "../../mind/index.ts";
import { counted, shortened } from "../../text/index.ts";
import { CliError, EXIT } from "../core/exit.ts";
import { duration, names, path } from "../core/flags.ts";
import { type Output, oneLine } from "../core/output.ts";
import { type Register, type Shell, withExamples } from "../core/shell.ts";
import { listenForStop } from "../run/execute-run.ts";

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
    const task = {
      agent,
      prompt,
      program: programOf(flags, args),
      timeoutS: flags.timeout,
      folder: resolve(flags.dir),
      systemPromptFile: flags.systemPrompt ?? null,
      isFresh: flags.fresh === true,
      passed: (flags.env ?? "").split(",").flatMap((name) => name.trim() || []),
    };
    await workAndPrint(task, flags.json === true, shell);
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

const workAndPrint = async (task: WorkTask, json: boolean, shell: Shell): Promise<void> => {
  const { output, env, pid } = shell;
  const shows = !json && !output.isQuiet();
  const stopping = listenForStop(shell);
  const ending = new AbortController();
  stopping.onStop(() => ending.abort());
  const { result, ...others } = await work(task, {
    env,
    pid,
    note: (text) => output.note(`note: ${text}`),
    onSegment: (segment) => {
      if (shows) showSegment(output, segment);
    },
    signal: ending.signal,
  }).finally(() => stopping.end());
  if (json) output.json({ actor_id: task.agent, ...result, ...others });
  else if (output.isQuiet() && result.output !== "") output.block(result.output);
  if (result.not_found) throw new CliError(notFoundText(task.program), EXIT.couldNotRun);
  if (result.success) {
    if (!json) output.note(endLine(task.agent, result));
    return;
  }
  output.problem(endLine(task.agent, result));
  // A signal has set its own exit code.
  if (!result.aborted) shell.endWith(EXIT.failed);
};

const CHARS_SHOWN = 300;

/** Prints what an agent does, as it does it. Texts are whole, and the work with tools is cut. */
const showSegment = (output: Output, segment: Segment): void => {
  if (segment.kind === "text") output.block(segment.text);
  else if (segment.kind === "thinking") output.block(segmentLine(segment));
  else if (segment.kind !== "unknown") output.block(shortened(segmentLine(segment), CHARS_SHOWN));
  // Of parts that no one knows, only problems are for people.
  else if (segment.type === "error" || segment.type === "long_line") {
    output.note(`note: ${shortened(segment.text, CHARS_SHOWN)}`);
  }
};

/** One line about a turn that has ended, such as `ada completed its task (12.3 s, 3 calls)`. */
const endLine = (actor: string, result: TurnResult): string => {
  const { success, error, stderr, usage, attempts, duration_ms } = result;
  const { calls, input_tokens, output_tokens, cost_micros } = usage;
  const what = success ? "completed its task" : `did not complete its task: ${error}`;
  const said = stderr === "" ? "" : `; it printed: ${oneLine(stderr)}`;
  const again =
    attempts.length > 1
      ? "; the try that continued its session failed, so a second one started without it"
      : "";
  const tokens = `${input_tokens} input and ${output_tokens} output tokens`;
  const used = [
    `${(duration_ms / 1_000).toFixed(1)} s`,
    counted(calls, "call"),
    ...(input_tokens + output_tokens === 0 ? [] : [tokens]),
    ...(cost_micros === null ? [] : [`${(cost_micros / 1_000_000).toFixed(4)} USD`]),
  ];
  return `${actor} ${what}${again} (${used.join(", ")})${said}`;
};

const notFoundText = (program: AgentProgram): string => {
  if (program.provider === "command") {
    const [file] = program.argv;
    return /[/\\]/.test(file)
      ? `${file} does not exist; check the path of the command`
      : `${file} is not on the PATH; install it, or write its full path`;
  }
  const { executable, installPage } = PROVIDERS[program.provider];
  const name = program.executable ?? executable;
  return `${name} is not on the PATH; ${installPage} says how to install it`;
};
