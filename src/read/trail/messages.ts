import { countedFrom, eventsOf, stateCountedFrom } from "../../figures/index.ts";
import {
  asId,
  type EventOf,
  type Mailbox,
  type Message,
  mailboxOf,
  OPERATOR,
  type State,
} from "../../kernel/index.ts";
import type { JournalReader } from "../../world/index.ts";

/** A message as people see it: a line of `sim messages --json`. */
export type RunMessage = ReturnType<typeof shown> & {
  /** Whether its addressee has read it. The operator has, if it has written to the sender since. */
  readonly read: boolean;
};

type Span = {
  /** The state after event `upTo`. It shows what principals have read. */
  readonly state: State;
  readonly upTo: number;
  /** Only messages that were sent after this event are returned. By default all. */
  readonly after?: number;
  /** The state that a fork starts with. By default it is read from the journal. */
  readonly inherited?: State | undefined;
};

/**
 * The messages of a run up to event `upTo`, by number, also those that no mailbox keeps any more.
 * Leaves out resets. A fork has the messages that the mailboxes kept when it started.
 */
export const messagesIn = (
  journal: JournalReader,
  { state, upTo, after = 0, ...given }: Span,
): readonly RunMessage[] => {
  const base = countedFrom(journal);
  const isFork = after === 0 && base.seq > 0;
  const inherited = isFork ? (given.inherited ?? stateCountedFrom(journal, base)) : null;
  const readBefore = inherited === null ? [] : mailboxOf(inherited, OPERATOR).read;
  const found: ReturnType<typeof shown>[] = [];
  /** The number of the last message of the operator to each address, resets too. */
  const answered = new Map<string, number>();
  const collect = (message: Message, seq: number): void => {
    if (message.from === OPERATOR) answered.set(message.to, message.number);
    if (message.reset === null) found.push(shown(message, seq));
  };
  for (const message of keptIn(inherited)) collect(message, base.seq);
  const since = Math.max(after, base.seq);
  for (const event of eventsOf(journal, "message_sent", { after: since, upTo })) {
    collect(messageOf(event), event.seq);
  }
  const isRead = ({ id, from, to }: ReturnType<typeof shown>): boolean => {
    if (to !== OPERATOR) {
      return !mailboxOf(state, asId(to)).unread.some(({ number }) => number === id);
    }
    return (answered.get(from) ?? 0) > id || readBefore.some(({ number }) => number === id);
  };
  return found.map((message) => ({ ...message, read: isRead(message) }));
};

const messageOf = ({ at_ms, reply_to, ...event }: EventOf<"message_sent">): Message => {
  return { ...event, atMs: at_ms, replyTo: reply_to };
};

const shown = ({ number, atMs, from, to, text, replyTo, thread, scrip }: Message, seq: number) => ({
  /** The number of the message. */
  id: number,
  /** The event that sent it. A fork gives the messages of its past the event it starts after. */
  seq,
  at_ms: atMs,
  from: String(from),
  to: String(to),
  text,
  /** The number of the message that this one answers, or null. */
  reply_to: replyTo,
  /** The number of the first message of the thread. */
  thread,
  attached_scrip: scrip,
});

/** Every message that a mailbox keeps, once, by number. */
const keptIn = (state: State | null): readonly Message[] => {
  if (state === null) return [];
  const all = [...state.mailboxes.rows()].flatMap(({ unread, read, sent }: Mailbox) => {
    return [...unread, ...read, ...sent];
  });
  const byNumber = new Map(all.map((message) => [message.number, message]));
  return [...byNumber.values()].sort((a, b) => a.number - b.number);
};

export type MessageThreads = ReturnType<typeof threadsOf>;
/** The messages of a thread, oldest first. */
export type MessageThread = MessageThreads["threads"][number];

/**
 * Sorts messages into threads. `messages` are sorted by number. Only the threads in which the
 * principal `of` has sent or received a message. Null: all.
 */
export const threadsOf = (messages: readonly RunMessage[], of: string | null, limit: number) => {
  const byThread = Map.groupBy(messages, ({ thread }) => thread);
  const matching = [...byThread]
    .filter(([, each]) => of === null || each.some(({ from, to }) => from === of || to === of))
    .sort(([, a], [, b]) => (b.at(-1)?.id ?? 0) - (a.at(-1)?.id ?? 0));
  return {
    /** The number of all threads. `threads` has only the newest ones, the newest first. */
    total: matching.length,
    threads: matching.slice(0, limit).map(([thread, each]) => {
      const last = each.findLast(({ to }) => to === OPERATOR);
      return {
        /** The number of the first message of the thread. */
        thread,
        /** The number of all messages. `messages` has only the newest ones. */
        total: each.length,
        messages: each.slice(-100),
        /** The last message to the operator that its mailbox may still have, or null. */
        answerable: last === undefined ? null : { id: last.id, from: last.from },
      };
    }),
    /** All senders and addressees, sorted by id. */
    principals: [...new Set(messages.flatMap(({ from, to }) => [from, to]))].sort(),
    /** The messages to the operator that it has not read. */
    unread: messages.filter(({ to, read }) => to === OPERATOR && !read).length,
  };
};
