import { setTimeout as sleep } from "node:timers/promises";
import { OPERATOR } from "../../kernel/index.ts";
import { messagesIn, type RunMessage } from "../../read/index.ts";
import { type OpenRun, openRun, seqAt } from "../../run/index.ts";
import { meantOrAll } from "../../text/index.ts";
import { type Journal, type Moment, restore, runHolder } from "../../world/index.ts";
import { CliError, exitCodeOf } from "../core/exit.ts";
import { addOutFlags, addRunArgument, MOMENT_HELP, moment, type OutFlags } from "../core/flags.ts";
import type { Output } from "../core/output.ts";
import { type Register, type Shell, withExamples } from "../core/shell.ts";
import { showMessage } from "../output/message-text.ts";
import { unlessDamaged } from "../run/open-run.ts";

type Flags = OutFlags & { readonly of: string; readonly at?: Moment; readonly follow?: boolean };

const POLL_MS = 200;

export const register: Register = (command, shell) => {
  const at = `the messages until ${MOMENT_HELP} (default: the end)`;
  addOutFlags(
    addRunArgument(command)
      .option("--of <principal>", "an agent or another principal", OPERATOR)
      .option("--at <moment>", at, moment)
      .option("--follow", "keep printing new messages until the run ends"),
    "print one JSON document per message",
  );
  withExamples(command, [
    "sim inbox latest",
    "sim inbox latest --of toolsmith --json",
    "sim inbox latest --follow",
  ]);
  command.action(async (run: string, flags: Flags) => {
    if (flags.follow === true && flags.at !== undefined) {
      throw new CliError("use either --at or --follow, not both");
    }
    const { journal, folder } = openRun(run, flags.out);
    if (flags.follow === true) await follow(shell, { journal, folder, flags });
    else {
      const upTo = seqAt(journal, "--at", flags.at);
      const { messages } = received(journal, flags, { upTo });
      print(shell.output, messages, flags);
      if (messages.length === 0) shell.output.note(`${flags.of} has no messages`);
    }
    journal.close();
  });
};

type Span = { readonly upTo?: number | undefined; readonly after?: number };

/**
 * The messages of a span, and the last event of the span.
 * @throws CliError if the run has no such principal. With `--follow`, it may join later.
 */
const received = (journal: Journal, { of, follow }: Flags, { upTo, after = 0 }: Span) =>
  unlessDamaged([journal], () => {
    const { state, seq } = restore(journal, { upTo });
    const ids = [OPERATOR, ...state.accounts.keys()];
    if (follow !== true && !ids.some((id) => id === of)) {
      throw new CliError(`there is no principal "${of}" in this run; ${meantOrAll(of, ids)}`);
    }
    const messages = messagesIn(journal, { state, upTo: seq, after });
    return { messages: messages.filter(({ to }) => to === of), seq };
  });

const print = (output: Output, messages: readonly RunMessage[], { json }: Flags): void => {
  for (const message of messages) {
    if (json === true) output.jsonLine(JSON.stringify(message));
    else showMessage(output, message);
  }
};

const follow = async (
  shell: Shell,
  { journal, folder, flags }: OpenRun & { readonly flags: Flags },
): Promise<void> => {
  let stopped = false;
  const unlisten = shell.onSignal((signal) => {
    stopped = true;
    shell.endWith(exitCodeOf(signal));
  });
  let after = 0;
  for (;;) {
    const live = runHolder(folder) !== null;
    if (after === 0 || hasMessage(journal, after)) {
      const { messages, seq } = received(journal, flags, { after });
      print(shell.output, messages, flags);
      after = seq;
    }
    if (!live || stopped) break;
    await sleep(POLL_MS);
  }
  unlisten();
};

/** Whether any message was sent after an event. This is faster than to restore the state. */
const hasMessage = (journal: Journal, after: number): boolean =>
  !journal.events({ kind: "message_sent", after, limit: 1 }).next().done;
