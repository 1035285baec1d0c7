import { OPERATOR } from "../../kernel/index.ts";
import { messagesIn, type RunMessage } from "../../read/index.ts";
import { findRun, openRun, seqAt } from "../../run/index.ts";
import { meantOrAll } from "../../text/index.ts";
import { type Journal, type RunPoint, restore } from "../../world/index.ts";
import { CliError, EXIT } from "../core/exit.ts";
import {
  addOutFlags,
  addRunArgument,
  MOMENT_HELP,
  moment,
  type OutFlags,
  wholeFrom,
} from "../core/flags.ts";
import type { Output } from "../core/output.ts";
import { type Register, type Shell, withExamples } from "../core/shell.ts";
import { showMessage } from "../output/message-text.ts";
import { callLiveRun } from "../run/live-run.ts";
import { followRun, unlessDamaged } from "../run/open-run.ts";

type Flags = OutFlags & {
  readonly at?: RunPoint;
  readonly follow?: boolean;
  readonly replyTo?: number;
};

/** A text that is much longer than any message may be. Reading stops here. */
const INPUT_CHARS_MAX = 100_000;

export const register: Register = (command, shell) => {
  addOutFlags(
    addRunArgument(command)
      .argument("[principal]", "whose messages to print, or the agent to write to", OPERATOR)
      .argument("[text]", "a message to an agent of a live run, or - for the standard input")
      .option("--at <moment>", `the messages until ${MOMENT_HELP} (default: the end)`, moment)
      .option("--follow", "keep printing new messages until the run ends")
      .option(
        "--reply-to <number>",
        "the message of the agent that the text answers",
        wholeFrom(1),
      ),
    "print one JSON document per message; with a text: { id, delivered }",
  );
  withExamples(command, [
    "sim messages latest",
    "sim messages latest toolsmith --json",
    "sim messages latest --follow",
    'sim messages latest toolsmith "Which of your programs sells best?"',
    "sim messages latest toolsmith - < letter.txt",
    'sim messages latest toolsmith "Yes, please." --reply-to 3',
  ]);
  command.action(
    (run: string, principal: string, text: string | undefined, flags: Flags): Promise<void> =>
      text === undefined
        ? printMessages(run, principal, flags, shell)
        : send(run, principal, text, flags, shell),
  );
};

const send = async (
  run: string,
  agent: string,
  given: string,
  { out, json, replyTo, at, follow }: Flags,
  shell: Shell,
): Promise<void> => {
  if (at !== undefined || follow === true) {
    throw new CliError("--at and --follow print messages; omit them to send one");
  }
  const folder = findRun(run, out);
  const text = given === "-" ? await inputOf(shell) : given;
  if (text.trim() === "") throw new CliError("the message is empty; give a text");
  const answers = replyTo === undefined ? {} : { reply_to: replyTo };
  const command = { kind: "send_message", agent, text, ...answers } as const;
  const { ok, message, sent } = await callLiveRun(folder, "operate", command);
  if (!ok) throw new CliError(message, EXIT.failed);
  if (json === true) shell.output.json({ id: sent, delivered: true });
  else shell.output.line(`sent to ${agent} as message ${sent}`);
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

/** Prints what a principal has received. With `--follow`, the principal may join the run later. */
const printMessages = async (
  run: string,
  to: string,
  flags: Flags,
  shell: Shell,
): Promise<void> => {
  const { follow = false, json = false } = flags;
  if (flags.replyTo !== undefined) throw new CliError("--reply-to needs a text to send");
  if (follow && flags.at !== undefined) throw new CliError("use either --at or --follow, not both");
  const { journal, folder } = openRun(run, flags.out);
  const messagesTo = (span: Span) => {
    const { messages, seq } = received(journal, follow ? null : to, span);
    const own = messages.filter((message) => message.to === to);
    print(shell.output, own, json);
    return { count: own.length, seq };
  };
  if (!follow) {
    const { count } = messagesTo({ upTo: seqAt(journal, "--at", flags.at) });
    if (count === 0) shell.output.note(`${to} has no messages`);
    journal.close();
    return;
  }
  let after = 0;
  await followRun(folder, shell, () => {
    if (after === 0 || hasMessage(journal, after)) after = messagesTo({ after }).seq;
    return true;
  });
  journal.close();
};

type Span = { readonly upTo?: number | undefined; readonly after?: number };

/**
 * The messages of a span, and the last event of the span.
 * @throws CliError if the run has no principal `known`.
 */
const received = (journal: Journal, known: string | null, { upTo, after = 0 }: Span) =>
  unlessDamaged([journal], () => {
    const { state, seq } = restore(journal, { upTo });
    const ids = [OPERATOR, ...state.accounts.keys()];
    if (known !== null && !ids.some((id) => id === known)) {
      throw new CliError(`there is no principal "${known}" in this run; ${meantOrAll(known, ids)}`);
    }
    return { messages: messagesIn(journal, { state, upTo: seq, after }), seq };
  });

const print = (output: Output, messages: readonly RunMessage[], json: boolean): void => {
  for (const message of messages) {
    if (json) output.jsonLine(JSON.stringify(message));
    else showMessage(output, message);
  }
};

/** Whether any message was sent after an event. This is faster than to restore the state. */
const hasMessage = (journal: Journal, after: number): boolean =>
  !journal.events({ kind: "message_sent", after, limit: 1 }).next().done;
