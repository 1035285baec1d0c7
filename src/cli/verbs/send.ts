import { findRun } from "../../run/index.ts";
import { CliError, EXIT } from "../core/exit.ts";
import { addOutFlags, addRunArgument, type OutFlags, wholeFrom } from "../core/flags.ts";
import { type Register, type Shell, withExamples } from "../core/shell.ts";
import { callLiveRun } from "../run/live-run.ts";

/** A text that is much longer than any message may be. Reading stops here. */
const INPUT_CHARS_MAX = 100_000;

type Flags = OutFlags & { readonly replyTo?: number };
type Arguments = [run: string, agent: string, text: string, flags: Flags];

export const register: Register = (command, shell) => {
  addOutFlags(
    addRunArgument(command)
      .argument("<agent>", "an agent of the run")
      .argument("<text>", "the message, or - for the standard input")
      .option("--reply-to <number>", "the message of the agent that this answers", wholeFrom(1)),
    "print one JSON document: { id, delivered }",
  );
  withExamples(command, [
    'sim send latest toolsmith "Which of your programs sells best?"',
    "sim send latest toolsmith - < letter.txt",
    'sim send latest toolsmith "Yes, please." --reply-to 3',
  ]);
  command.action(async (...[run, agent, given, { out, json, replyTo }]: Arguments) => {
    const folder = findRun(run, out);
    const text = given === "-" ? await inputOf(shell) : given;
    if (text.trim() === "") throw new CliError("the message is empty; give a text");
    const answers = replyTo === undefined ? {} : { reply_to: replyTo };
    const command = { kind: "send_message", agent, text, ...answers } as const;
    const { ok, message, sent } = await callLiveRun(folder, "operate", command);
    if (!ok) throw new CliError(message, EXIT.failed);
    if (json === true) shell.output.json({ id: sent, delivered: true });
    else shell.output.line(`sent to ${agent} as message ${sent}`);
  });
};

const inputOf = async ({ lines }: Shell): Promise<string> => {
  const read: string[] = [];
  let chars = 0;
  for await (const line of lines("> ", new AbortController().signal)) {
    read.push(line);
    chars += line.length + 1;
    if (chars > INPUT_CHARS_MAX) break;
  }
  return read.join("\n");
};
