import { AGENT_ROW, type AgentTables } from "../agent/agent.ts";
import { asId, type Id } from "../core/ids.ts";
import * as is from "../core/shape.ts";
import type { Table } from "../core/tables.ts";

/** The address of the operator of the run. The operator is outside of the world. */
export const OPERATOR: Id = asId("operator");

/** The genesis artifact through which agents send messages. */
export const MESSENGER_ID: Id = asId("genesis_messenger");

export const RESETS = ["conversation", "conversation_and_files"] as const;

/** A private message. Its sender and its addressee are principals or the operator. */
const MESSAGE = is.record({
  /** Counted from 1 in each world, so a later message has a larger number. */
  number: is.amount,
  atMs: is.amount,
  from: is.id,
  to: is.id,
  text: is.text,
  /** The number of the message that this one answers, or null. */
  replyTo: is.nullable(is.amount),
  /** The number of the message that the sender hands on with this one, or null. */
  forwards: is.nullable(is.amount),
  /** Who asked before the sender, the first one first. Empty unless the message hands one on. */
  path: is.list(is.id),
  /** The number of the first message of the thread. */
  thread: is.amount,
  /** The scrip that came with the message. It is in the account of the addressee already. */
  scrip: is.amount,
  /** What the operator wants to reset. Null for a message to read. */
  reset: is.nullable(is.oneOf(RESETS)),
});
export type Message = is.Of<typeof MESSAGE>;

/** The messages of a principal or of the operator. Each list is sorted by number. */
export const MAILBOX = is.record({
  owner: is.id,
  /** The messages that the owner has not read. `unread_max` limits their number. */
  unread: is.list(MESSAGE),
  /** The newest messages that the owner has read. */
  read: is.list(MESSAGE),
  /** The newest messages that the owner has sent. */
  sent: is.list(MESSAGE),
  /** When the owner has sent its newest messages. As many as a window may have. */
  sentAtMs: is.list(is.amount),
  /** The senders whose messages are refused. */
  blocked: is.list(is.id),
});
export type Mailbox = is.Of<typeof MAILBOX>;

export const MESSAGE_ROW = { ...AGENT_ROW, messagesMade: is.amount };
export type MessageRow = is.RecordOf<typeof MESSAGE_ROW>;

export interface MessageTables extends AgentTables {
  readonly world: Table<"world", MessageRow>;
  /** The mailboxes of principals that have sent, received or blocked, and of the operator. */
  readonly mailboxes: Table<Id, Mailbox>;
}

export const mailboxOf = (state: MessageTables, owner: Id): Mailbox =>
  state.mailboxes.get(owner) ?? {
    owner,
    unread: [],
    read: [],
    sent: [],
    sentAtMs: [],
    blocked: [],
  };

/** The message with this number that the owner has received. Undefined if it is gone. */
export const receivedMessage = ({ unread, read }: Mailbox, number: number): Message | undefined =>
  [...unread, ...read].find((message) => message.number === number);

/** The owner's own question that a message answers. Null if it answers none, or it is gone. */
export const questionOf = ({ sent }: Mailbox, { replyTo }: Message): Message | null =>
  sent.find(({ number }) => number === replyTo) ?? null;

/**
 * The message that the owner must answer after reading `message`. An answer needs no answer, except
 * one of the operator, who is a person and may ask on in the thread. If it answers a question that
 * the owner handed on, the first asker still waits. Null: no one waits.
 */
export const owedFor = (mailbox: Mailbox, message: Message): Message | null => {
  if (message.reset !== null) return null;
  if (message.replyTo === null) return message;
  const handedOn = questionOf(mailbox, message)?.forwards ?? null;
  if (handedOn !== null) return receivedMessage(mailbox, handedOn) ?? null;
  return message.from === OPERATOR ? message : null;
};

/** Yields what is wrong with a mailbox. */
export function* mailboxProblems(
  state: MessageTables,
  mailbox: Mailbox,
  made: number,
): Iterable<string> {
  const { owner, unread, read, sent, sentAtMs } = mailbox;
  if (owner !== OPERATOR && !state.accounts.has(owner)) yield `${owner} has no account`;
  if (sentAtMs.some((atMs, at) => atMs < (sentAtMs[at - 1] ?? 0))) {
    yield `the times at which ${owner} sent messages are out of order`;
  }
  for (const [name, list] of Object.entries({ unread, read, sent })) {
    const numbers = list.map(({ number }) => number);
    if (numbers.some((number, at) => number <= (numbers[at - 1] ?? 0))) {
      yield `the ${name} messages of ${owner} are out of order`;
    }
    if (numbers.some((number) => number > made)) yield `${owner} has a message from the future`;
    const isOwn = list.every(({ from, to }) => (name === "sent" ? from : to) === owner);
    if (!isOwn) yield `the ${name} messages of ${owner} include one of another owner`;
  }
}
