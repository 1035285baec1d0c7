import {
  isList,
  isObject,
  type JsonObject,
  type Mailbox,
  MESSENGER_ID,
  type Message,
  OPERATOR,
  owedFor,
  questionOf,
  type View,
} from "../../kernel/index.ts";
import { seconds, soundText } from "../../model/index.ts";
import { counted } from "../../text/index.ts";
import { fenced, oneLine } from "./fence.ts";
import { section } from "./prompt.ts";

/** The sender, the time, the thread and the attachment of a message, without its text. */
const messageHeading = (message: Message, mailbox: Mailbox): string => {
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

/** The answer of a turn that ends without a text. */
const NO_ANSWER = "I have read your message and have nothing to add.";

/** The text that starts a turn: the message. Only the operator's own words are not data. */
export const messageText = (message: Message, { mailbox }: View): string => {
  const text = soundText(message.text);
  if (message.from === OPERATOR) return text;
  return `${messageHeading(message, mailbox)}:\n${fenced(text)}`;
};

/** The message that a turn must answer, and to whom. Null: none. */
type Owed = { readonly message: number; readonly to: string } | null;

/** What a turn that this message begins owes. */
export const owedAnswer = (message: Message, view: View): Owed => {
  const owed = owedFor(view.mailbox, message);
  return owed === null ? null : { message: owed.number, to: owed.from };
};

/**
 * The action that answers the message that a turn owes an answer to. Null if it owes none, if the
 * turn has sent a message to this address already, or if it has handed the message on.
 */
export const answerFor = (
  { owes, sent_before }: { readonly owes: Owed; readonly sent_before: number },
  text: string,
  view: View,
): JsonObject | null => {
  if (owes === null || !hasMessenger(view)) return null;
  const { message: reply_to, to } = owes;
  const sent = sentIn(view, sent_before);
  if (sent.some((message) => message.to === to || message.forwards === reply_to)) return null;
  const said = text.trim() === "" ? NO_ANSWER : text.slice(0, view.messageCharsMax).toWellFormed();
  return sendAction(to, said, { reply_to });
};

/** The messages that the agent has sent after the one with this number. */
export const sentIn = ({ mailbox }: View, sent_before: number): readonly Message[] =>
  mailbox.sent.filter(({ number }) => number > sent_before);

export const hasMessenger = ({ genesis }: View): boolean => genesis.includes(MESSENGER_ID);

/** The message that an action sends, or null. */
export const messageOf = (action: JsonObject): { to: string; text: string } | null => {
  const call = action.invoke_artifact;
  if (!isObject(call) || call.artifact_id !== MESSENGER_ID || call.method !== "send") return null;
  const [to, text] = isList(call.args) ? call.args : [];
  return typeof to === "string" && typeof text === "string" ? { to, text } : null;
};

export const sendAction = (to: string, text: string, options: JsonObject): JsonObject => ({
  invoke_artifact: {
    artifact_id: MESSENGER_ID,
    method: "send",
    args: Object.keys(options).length === 0 ? [to, text] : [to, text, options],
  },
});
