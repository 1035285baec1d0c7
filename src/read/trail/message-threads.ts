import { OPERATOR } from "../../kernel/index.ts";
import type { RunMessage } from "./run-messages.ts";

/** The messages of a thread, oldest first. */
export type MessageThread = {
  /** The number of the first message of the thread. */
  readonly thread: number;
  /** The number of all messages. `messages` has only the newest ones. */
  readonly total: number;
  readonly messages: readonly RunMessage[];
  /** The last message to the operator that the mailbox of the operator may still have, or null. */
  readonly answerable: { readonly id: number; readonly from: string } | null;
};

export type MessageThreads = {
  /** The number of all threads. `threads` has only the newest ones, the newest first. */
  readonly total: number;
  readonly threads: readonly MessageThread[];
  /** All senders and addressees, sorted by id. */
  readonly principals: readonly string[];
  /** The messages to the operator that it has not read. */
  readonly unread: number;
};

type Wanted = {
  /** Only threads in which this principal has sent or received a message. Null: all. */
  readonly of: string | null;
  readonly limit: number;
};

const MESSAGES_SHOWN = 100;

/** Sorts messages into threads. `messages` are sorted by number. */
export const threadsOf = (
  messages: readonly RunMessage[],
  { of, limit }: Wanted,
): MessageThreads => {
  const byThread = Map.groupBy(messages, ({ thread }) => thread);
  const matching = [...byThread]
    .filter(([, each]) => of === null || each.some(({ from, to }) => from === of || to === of))
    .sort(([, a], [, b]) => (b.at(-1)?.id ?? 0) - (a.at(-1)?.id ?? 0));
  return {
    total: matching.length,
    threads: matching.slice(0, limit).map(([thread, each]) => {
      const last = each.findLast(({ to }) => to === OPERATOR);
      return {
        thread,
        total: each.length,
        messages: each.slice(-MESSAGES_SHOWN),
        answerable: last === undefined ? null : { id: last.id, from: last.from },
      };
    }),
    principals: [...new Set(messages.flatMap(({ from, to }) => [from, to]))].sort(),
    unread: messages.filter(({ to, read }) => to === OPERATOR && !read).length,
  };
};
