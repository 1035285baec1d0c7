import { type Mailbox, type Message, questionOf } from "../../../kernel/index.ts";
import { seconds } from "../../../model/index.ts";
import { counted } from "../../../text/index.ts";
import { oneLine } from "../fence.ts";
import { section } from "../prompt.ts";

/** The sender, the time, the thread and the attachment of a message, without its text. */
export const messageHeading = (message: Message, mailbox: Mailbox): string => {
  const { number, from, atMs, thread, replyTo, forwards, path, scrip } = message;
  const facts = [
    ...(thread === number ? [] : [`thread ${thread}`]),
    ...(replyTo === null ? [] : [`answers your message ${replyTo}`]),
    ...handedOnFor(message, mailbox),
    ...(forwards === null ? [] : [`hands on a question of ${[...path].join(" -> ")}`]),
    ...(scrip === 0 ? [] : [`${scrip} scrip attached`]),
  ];
  const about = facts.length === 0 ? "" : ` (${facts.join("; ")})`;
  return `Message ${number} from ${from} at ${seconds(atMs)}${about}`;
};

/** Whose question the owner handed on to the sender of this answer. */
const handedOnFor = (message: Message, mailbox: Mailbox): readonly string[] => {
  const asker = questionOf(mailbox, message)?.path.at(-1);
  return asker === undefined ? [] : [`which handed on a question of ${asker}`];
};

/** The number of messages that wait, or an empty text. */
export const waitingText = ({ unread }: Mailbox): string =>
  unread.length === 0 ? "" : `; ${counted(unread.length, "message")} for you`;

const TEXT_CHARS = 1_000;

export const messageSections = {
  messages: section(
    {
      title: "Messages to you (answer with genesis_messenger.send)",
      priority: 88,
      tokensMax: 600,
      foreign: true,
    },
    ({ view: { mailbox } }) =>
      mailbox.unread
        .filter(({ reset }) => reset === null)
        .map((message) => {
          const text = oneLine(message.text, TEXT_CHARS);
          return `- ${messageHeading(message, mailbox)}: ${text}`;
        }),
  ),
};
