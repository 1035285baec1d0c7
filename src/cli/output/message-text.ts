import { OPERATOR } from "../../kernel/index.ts";
import type { RunMessage } from "../../read/index.ts";
import type { SimulationRunner } from "../../run/index.ts";
import { shortened } from "../../text/index.ts";
import { decodeEvent } from "../../world/index.ts";
import { type Output, oneLine } from "../core/output.ts";

type Shown = Omit<RunMessage, "seq">;

/** Prints a message. Its text is indented, so that no text looks like the head of a message. */
export const showMessage = (output: Output, message: Shown): void => {
  output.line(output.paint("bold", messageHead(message)));
  for (const line of message.text.split("\n")) output.line(`  ${line}`);
  output.line("");
};

/** Sender, addressee, thread and attachment of a message, without its text. */
const messageHead = (message: Shown): string => {
  const { id, at_ms, from, to, thread, reply_to, attached_scrip, read } = message;
  const facts = [
    ...(thread === id ? [] : [`thread ${thread}`]),
    ...(reply_to === null ? [] : [`answers message ${reply_to}`]),
    ...(attached_scrip === 0 ? [] : [`${attached_scrip} scrip attached`]),
    ...(read ? [] : ["not read"]),
  ];
  const about = facts.length === 0 ? "" : ` (${facts.join("; ")})`;
  return `${(at_ms / 1_000).toFixed(3)} s  message ${id} from ${from} to ${to}${about}`;
};

const TEXT_CHARS_MAX = 500;

/**
 * Prints each message to the operator as one line, after it is on disk. Returns a function that
 * ends the printing.
 */
export const printMessages = (output: Output, runner: SimulationRunner): (() => void) =>
  runner.follow((rows) => {
    for (const row of rows) {
      if (row.kind !== "message_sent") continue;
      const event = decodeEvent(row);
      if (event.kind !== "message_sent" || event.to !== OPERATOR) continue;
      const { number, at_ms, from, text } = event;
      const said = shortened(oneLine(text), TEXT_CHARS_MAX);
      output.note(`message ${number} from ${from} at ${at_ms / 1_000} s: ${said}`);
    }
  });
