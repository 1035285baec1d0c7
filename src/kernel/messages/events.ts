import type { AgentEvent } from "../agent/events.ts";
import type { Decision } from "../core/decision.ts";
import { type EventIn, rowsOf } from "../core/event.ts";
import type { Id } from "../core/ids.ts";
import type { Json } from "../core/json.ts";
import type { MessagesPhysics } from "../core/physics.ts";
import { changeWorld, physicsOf } from "../core/world.ts";
import { type Mailbox, type Message, type MessageTables, mailboxOf, OPERATOR } from "./mailbox.ts";

const row = rowsOf<MessageTables>();

/** Events of mailboxes. All are private. */
export const MESSAGE_EVENTS = {
  /** `principal` is null if the operator of the run is the sender. */
  message_sent: row<{
    number: number;
    from: Id;
    to: Id;
    text: string;
    reply_to: number | null;
    forwards: number | null;
    path: readonly Id[];
    thread: number;
    scrip: number;
    reset: Message["reset"];
  }>({
    about:
      "a message was delivered; `operator` is the operator of the run, who can also reset the " +
      "conversation of an agent",
    evolve: (state, event) => {
      const { number, from, to, text, forwards, path, thread, scrip, reset } = event;
      const about = { number, from, to, text, forwards, path, thread, scrip, reset };
      const message: Message = { ...about, atMs: event.at_ms, replyTo: event.reply_to };
      const limits = physicsOf(state).messages;
      changeWorld(state, { messagesMade: number });
      change(state, to, (mailbox) => received(mailbox, message, limits));
      change(state, from, (mailbox) => sent(mailbox, message, limits));
    },
  }),

  messages_read: row<{ owner: Id; through: number }>({
    about:
      "a principal marked messages as read; a completed thought also marks those that it was shown",
    evolve: (state, { owner, through }) => markRead(state, owner, through),
  }),

  sender_blocked: row<{ owner: Id; sender: Id }>({
    about: "a principal refuses all further messages of a sender",
    evolve: (state, { owner, sender }) =>
      change(state, owner, (mailbox) => ({ ...mailbox, blocked: [...mailbox.blocked, sender] })),
  }),

  sender_unblocked: row<{ owner: Id; sender: Id }>({
    about: "a principal accepts messages of a sender again",
    evolve: (state, { owner, sender }) =>
      change(state, owner, (mailbox) => ({
        ...mailbox,
        blocked: mailbox.blocked.filter((other) => other !== sender),
      })),
  }),
};

export type MessageSent = EventIn<typeof MESSAGE_EVENTS, "message_sent">;
/** The events that the rooms up to this one can cause. */
export type MessageEvent = AgentEvent | EventIn<typeof MESSAGE_EVENTS>;
export type MessageDecision<Answer = Json> = Decision<Answer, MessageEvent>;

/** Marks the messages up to the number `through` as read. */
export const markRead = (state: MessageTables, owner: Id, through: number): void => {
  const { kept_max } = physicsOf(state).messages;
  change(state, owner, (mailbox) => withRead(mailbox, ({ number }) => number <= through, kept_max));
};

const change = (state: MessageTables, owner: Id, next: (mailbox: Mailbox) => Mailbox): void =>
  state.mailboxes.put(owner, next(mailboxOf(state, owner)));

/** The operator never refuses a message: the oldest one counts as read if too many wait. */
const received = (mailbox: Mailbox, message: Message, limits: MessagesPhysics): Mailbox => {
  const unread = [...mailbox.unread, message];
  const [oldest] = unread;
  const isFull = unread.length > limits.unread_max && mailbox.owner === OPERATOR;
  const next = { ...mailbox, unread };
  return isFull ? withRead(next, (each) => each === oldest, limits.kept_max) : next;
};

/**
 * Keeps the time of a message, except of the operator, who has no limit. An operator who writes to
 * an agent has read what this agent wrote.
 */
const sent = (mailbox: Mailbox, message: Message, limits: MessagesPhysics): Mailbox => {
  const next = { ...mailbox, sent: [...mailbox.sent, message].slice(-limits.kept_max) };
  if (mailbox.owner === OPERATOR) {
    return withRead(next, ({ from }) => from === message.to, limits.kept_max);
  }
  const sentAtMs = [...mailbox.sentAtMs, message.atMs].slice(-limits.sent_per_window_max);
  return { ...next, sentAtMs };
};

const withRead = (
  mailbox: Mailbox,
  isRead: (message: Message) => boolean,
  keptMax: number,
): Mailbox => {
  const done = mailbox.unread.filter(isRead);
  if (done.length === 0) return mailbox;
  const kept = [...mailbox.read, ...done.filter(({ reset }) => reset === null)];
  return {
    ...mailbox,
    unread: mailbox.unread.filter((message) => !isRead(message)),
    read: kept.sort((a, b) => a.number - b.number).slice(Math.max(0, kept.length - keptMax)),
  };
};
