import { connectToRun } from "../../runner/index.ts";
import { CliError } from "../exit.ts";
import { addOutFlags, addRunArgument, type OutFlags } from "../flags.ts";
import { controlError } from "../run/control-error.ts";
import { findRun } from "../run/open-run.ts";
import { type Register, type Shell, withExamples } from "../shell.ts";

/** How long a run may take to answer. A run answers between two transactions. */
const ANSWER_MS_MAX = 10_000;
/** A text that is much longer than any message may be. Reading stops here. */
const INPUT_CHARS_MAX = 100_000;

type Arguments = [run: string, agent: string, text: string, flags: OutFlags];

export const register: Register = (command, shell) => {
  addOutFlags(
    addRunArgument(command)
      .argument("<agent>", "an agent of the run that reads messages")
      .argument("<text>", "the message, or - for the standard input"),
    "print one JSON document: { id, delivered }",
  );
  withExamples(command, [
    'sim send latest toolsmith "Which of your programs sells best?"',
    "sim send latest toolsmith - < letter.txt",
  ]);
  command.action(async (...[run, agent, given, { out, json }]: Arguments) => {
    const folder = findRun(run, out);
    const text = given === "-" ? await inputOf(shell) : given;
    if (text.trim() === "") throw new CliError("the message is empty; give a text");
    const connected = await connectToRun(folder);
    if (!connected.ok) throw controlError(connected);
    const { client } = connected;
    const signal = AbortSignal.timeout(ANSWER_MS_MAX);
    const answer = await client.call("send_message", { agent, text }, signal);
    client.close();
    if (!answer.ok) throw controlError(answer);
    if (json === true) shell.output.json(answer.value);
    else shell.output.line(`sent to ${agent} as message ${answer.value.id}`);
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
