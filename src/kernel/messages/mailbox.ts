import type { Id } from "../primitives/ids.ts";
import type { State } from "../state.ts";
import { type Mailbox, type Message, OPERATOR } from "./message.ts";

const EMPTY: Omit<Mailbox, "owner"> = { unread: [], read: [], sent: [], sentAtMs: [], blocked: [] };

export const mailboxOf = (state: State, owner: Id): Mailbox =>
  state.mailboxes.get(owner) ?? { owner, ...EMPTY };

/** The message with this number that the owner has received. Undefined if it is gone. */
export const receivedMessage = (
  { unread, read }: Pick<Mailbox, "unread" | "read">,
  number: number,
): Message | undefined => [...unread, ...read].find((message) => message.number === number);

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
export function* mailboxProblems(state: State, mailbox: Mailbox, made: number): Iterable<string> {
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
