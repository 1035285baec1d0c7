import type { EventKind } from "../event.ts";
import type { Id } from "../primitives/ids.ts";
import type { MessagesPhysics } from "../setup/physics.ts";
import { type Changes, physicsOf, type State, worldRow } from "../state.ts";
import { mailboxOf } from "./mailbox.ts";
import { type Mailbox, type Message, OPERATOR } from "./message.ts";

export const MESSAGE_CHANGES = {
  message_sent: (state, { kind: _, principal: _origin, at_ms: atMs, ...event }) => {
    const { reply_to: replyTo, ...rest } = event;
    const message: Message = { ...rest, atMs, replyTo };
    const limits = physicsOf(state).messages;
    state.world.put("world", { ...worldRow(state), messagesMade: message.number });
    change(state, message.to, (mailbox) => received(mailbox, message, limits));
    change(state, message.from, (mailbox) => sent(mailbox, message, limits));
  },
  messages_read: (state, { owner, through }) => markRead(state, owner, through),
  sender_blocked: (state, { owner, sender }) =>
    change(state, owner, (mailbox) => ({ ...mailbox, blocked: [...mailbox.blocked, sender] })),
  sender_unblocked: (state, { owner, sender }) =>
    change(state, owner, (mailbox) => ({
      ...mailbox,
      blocked: mailbox.blocked.filter((other) => other !== sender),
    })),
} satisfies Partial<Changes<EventKind>>;

/** Marks the messages up to the number `through` as read. */
export const markRead = (state: State, owner: Id, through: number): void => {
  const { kept_max } = physicsOf(state).messages;
  change(state, owner, (mailbox) => withRead(mailbox, ({ number }) => number <= through, kept_max));
};

const change = (state: State, owner: Id, next: (mailbox: Mailbox) => Mailbox): void =>
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
