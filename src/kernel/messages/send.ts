import { findAgent } from "../agent/agent.ts";
import { type AgentEvent, stateChange } from "../agent/events.ts";
import { accept, type Decision, type Refused, refuse } from "../core/decision.ts";
import type { Stamp } from "../core/event.ts";
import type { Id } from "../core/ids.ts";
import { textProblem } from "../core/json.ts";
import { overflows } from "../core/money.ts";
import { physicsOf, worldRow } from "../core/world.ts";
import { ALL } from "../ledger/account.ts";
import { accountRefusal, type Payment, paymentEvents, paymentRefusal } from "../ledger/payment.ts";
import { fundsOf, type Subject, stamp } from "../ledger/subject.ts";
import type { MessageDecision, MessageEvent, MessageSent } from "./events.ts";
import {
  type Message,
  type MessageTables,
  mailboxOf,
  OPERATOR,
  receivedMessage,
} from "./mailbox.ts";

/** Commands of the operator of a run. */
export type MessageCommands = {
  /** `contacts`: null for all addresses. */
  set_contacts: { at_ms: number; agent: Id; contacts: readonly Id[] | null };
  /** Sends a message of the operator of the run. It wakes an agent that sleeps. */
  send_message: {
    at_ms: number;
    to: Id;
    text: string;
    reset: Message["reset"];
    reply_to: number | null;
  };
};

/** A message that a principal asks to send. */
type OutgoingMessage = {
  readonly by: Subject;
  readonly to: Id;
  readonly text: string;
  readonly replyTo: number | null;
  readonly forwards: number | null;
  /** The scrip to attach. The fees of the call come on top. */
  readonly scrip: number;
  readonly fees: readonly Payment[];
};

/** The most characters of a message of the operator. */
const OPERATOR_TEXT_CHARS_MAX = 20_000;

/**
 * Sends a message of a principal. Checks, in this order: the sender, its contacts and who has
 * blocked it, the addressee, the text, the messages that it answers or hands on, the sender's rate,
 * the room in the mailbox, funds.
 */
export const decideSend = (state: MessageTables, outgoing: OutgoingMessage): MessageDecision => {
  const { by, to, text, replyTo, scrip } = outgoing;
  const limits = physicsOf(state).messages;
  const from = by.actor;
  const wrong =
    senderRefusal(state, from) ??
    unwantedRefusal(state, by, to) ??
    addresseeRefusal(state, from, to) ??
    textRefusal(text, limits.text_chars_max, "write an artifact and send its id") ??
    contextRefusal(state, outgoing) ??
    rateRefusal(state, by) ??
    roomRefusal(state, from, to);
  if (wrong !== null) return wrong;
  const payment: Payment = { from: fundsOf(state, by), to, amount: scrip, reason: "attached" };
  const payments = scrip === 0 ? [] : [payment];
  const poor =
    attachRefusal(state, outgoing) ?? paymentRefusal(state, by, [...payments, ...outgoing.fees]);
  if (poor !== null) return poor;
  const { path, thread } = contextOf(state, outgoing);
  const written = { from, to, text, reply_to: replyTo, forwards: outgoing.forwards };
  const sent = sentEvent(state, stamp(by), { ...written, path, thread, scrip, reset: null });
  const { number } = sent;
  return accept([...paymentEvents(by, payments), sent, ...waking(state, stamp(by), to)], {
    message: number,
    to,
    thread: sent.thread,
  });
};

/** Sends a message of the operator. Checks the addressee, the text, and the room in its mailbox. */
export const decideOperatorMessage = (
  state: MessageTables,
  { at_ms, to, text, reset, reply_to }: MessageCommands["send_message"],
): MessageDecision => {
  const by = { at_ms, principal: null };
  if (!state.agents.has(to)) return refuse("not_found", `there is no agent "${to}"`);
  const wrong =
    stoppedRefusal(state, to) ??
    (reset === null ? textRefusal(text, OPERATOR_TEXT_CHARS_MAX, "send it in parts") : null) ??
    unknownRefusal(state, OPERATOR, reply_to) ??
    misdirectedRefusal(state, OPERATOR, { to, number: reply_to }) ??
    roomRefusal(state, OPERATOR, to);
  if (wrong !== null) return wrong;
  const thread = receivedMessage(mailboxOf(state, OPERATOR), reply_to ?? 0)?.thread ?? null;
  const from = OPERATOR;
  const written = { from, to, text, reply_to, forwards: null, path: [], thread, scrip: 0, reset };
  const sent = sentEvent(state, by, written);
  return accept([sent, ...waking(state, by, to)], { message: sent.number });
};

type Written = Omit<MessageSent, "kind" | "number" | "thread" | keyof Stamp> & {
  /** Null: the message starts a thread. */
  readonly thread: number | null;
};

const sentEvent = (state: MessageTables, by: Stamp, written: Written): MessageSent => {
  const number = worldRow(state).messagesMade + 1;
  return { ...by, kind: "message_sent", number, ...written, thread: written.thread ?? number };
};

/** A message wakes an agent that sleeps. */
const waking = (state: MessageTables, by: Stamp, to: Id): readonly MessageEvent[] => {
  const agent = state.agents.get(to);
  if (agent?.state !== "sleeping") return [];
  const wakes = { to: "running", reason: "it got a message", due_at_ms: by.at_ms } as const;
  return [stateChange(by, agent, wakes)];
};

/** The refusals of a sender without a mailbox. */
export const senderRefusal = (state: MessageTables, from: Id): Refused | null =>
  accountRefusal(state, from, ", and only a principal has a mailbox; give it has_standing");

/** The most principals that a refusal names. */
const NAMED_MAX = 10;

const someOf = (state: MessageTables): string =>
  [...state.indexes.principals.keysOf(ALL, { max: NAMED_MAX })].join(", ");

const addresseeRefusal = (state: MessageTables, from: Id, to: Id): Refused | null => {
  if (to === from) return refuse("invalid_argument", "you cannot send a message to yourself");
  if (to === OPERATOR) return null;
  if (!state.accounts.has(to)) {
    const known = `there are ${someOf(state)}, and "${OPERATOR}"`;
    const cure = `${known}; genesis_store.list_principals() lists all`;
    return refuse("not_found", `"${to}" is not a principal; ${cure}`);
  }
  return stoppedRefusal(state, to);
};

const stoppedRefusal = (state: MessageTables, to: Id): Refused | null =>
  state.agents.get(to)?.state === "stopped"
    ? refuse("invalid_argument", `${to} has stopped for good`)
    : null;

/** `cure` says what to do with a text that is too long. */
const textRefusal = (text: string, charsMax: number, cure: string): Refused | null => {
  if (text.trim() === "") return refuse("invalid_argument", "a message must have a text");
  const wrong = textProblem(text);
  if (wrong !== null) return refuse("invalid_argument", wrong);
  if (text.length <= charsMax) return null;
  const rule = `a message has at most ${charsMax} characters, not ${text.length}`;
  return refuse("invalid_argument", `${rule}; ${cure}`);
};

/** Refuses a reply to a message, or to hand one on, that the sender has not received. */
const unknownRefusal = (state: MessageTables, owner: Id, number: number | null): Refused | null => {
  if (number === null || receivedMessage(mailboxOf(state, owner), number)) return null;
  const cure = owner === OPERATOR ? "`sim messages RUN` lists them" : RECEIVED;
  return refuse("not_found", `your mailbox has no message ${number}; ${cure}`);
};

const RECEIVED = "genesis_messenger.received() lists what it has";

/** Refuses an answer to another address than that of the message. */
const misdirectedRefusal = (
  state: MessageTables,
  owner: Id,
  { to, number }: { readonly to: Id; readonly number: number | null },
): Refused | null => {
  const answered = receivedMessage(mailboxOf(state, owner), number ?? 0);
  if (answered === undefined || answered.from === to) return null;
  const rule = `message ${answered.number} is from ${answered.from}, who gets its answer`;
  return refuse("invalid_argument", `${rule}, not ${to}; leave out reply_to`);
};

const contextRefusal = (
  state: MessageTables,
  { by, to, replyTo, forwards }: OutgoingMessage,
): Refused | null => {
  const from = by.actor;
  const unknown =
    unknownRefusal(state, from, replyTo) ??
    unknownRefusal(state, from, forwards) ??
    misdirectedRefusal(state, from, { to, number: replyTo });
  if (unknown !== null) return unknown;
  const handedOn = receivedMessage(mailboxOf(state, from), forwards ?? 0);
  if (handedOn === undefined) return null;
  const path = [...handedOn.path, handedOn.from];
  const { hops_max } = physicsOf(state).messages;
  const chain = [...path, from].join(" -> ");
  if (path.includes(to)) {
    const cure = `answer message ${handedOn.number} yourself`;
    return refuse("invalid_argument", `${to} is in the chain ${chain} already; ${cure}`);
  }
  if (path.length <= hops_max) return null;
  const most = `a message is handed on at most ${hops_max} times`;
  return refuse("invalid_argument", `${most}, and the chain is ${chain}`);
};

const contextOf = (
  state: MessageTables,
  { by, replyTo, forwards }: OutgoingMessage,
): Pick<Written, "path" | "thread"> => {
  const mailbox = mailboxOf(state, by.actor);
  const handedOn = receivedMessage(mailbox, forwards ?? 0);
  const thread = receivedMessage(mailbox, replyTo ?? forwards ?? 0)?.thread ?? null;
  return { path: handedOn === undefined ? [] : [...handedOn.path, handedOn.from], thread };
};

/**
 * A message counts for its sender only. If the messages of a program counted for the agent that
 * runs it too, a program could use up the messages of all its callers.
 */
const rateRefusal = (state: MessageTables, { actor, atMs }: Subject): Refused | null => {
  const { messages, resources } = physicsOf(state);
  const most = messages.sent_per_window_max;
  const first = mailboxOf(state, actor).sentAtMs.at(-most) ?? Number.NEGATIVE_INFINITY;
  const next = first + resources.window_ms;
  if (next <= atMs) return null;
  const rule = `${actor} sends at most ${most} messages in ${resources.window_ms / 1_000} s`;
  return refuse("rate_limited", `${rule}; send the next one at ${next / 1_000} s`);
};

const roomRefusal = (state: MessageTables, from: Id, to: Id): Refused | null => {
  if (to === OPERATOR) return null;
  const { unread } = mailboxOf(state, to);
  const { unread_max, unread_per_sender_max } = physicsOf(state).messages;
  // No agent can keep the operator out by filling a mailbox.
  const most = from === OPERATOR ? unread_max * 2 : unread_max;
  if (unread.length >= most) {
    const full = `the mailbox of ${to} is full: it has ${unread.length} unread messages`;
    return refuse("quota_exceeded", `${full}; send this one later`);
  }
  // The programs and children of a sender have the same family.
  const familyOf = (id: Id): Id => state.families.get(id) ?? id;
  const own = unread.filter((message) => familyOf(message.from) === familyOf(from)).length;
  if (from === OPERATOR || own < unread_per_sender_max) return null;
  const waits = `${to} has not read the last ${own} messages of you and your family`;
  return refuse("quota_exceeded", `${waits}; send this one later`);
};

const attachRefusal = (state: MessageTables, { to, scrip }: OutgoingMessage): Refused | null => {
  if (scrip === 0) return null;
  if (to === OPERATOR) {
    return refuse("invalid_argument", "the operator has no account, so attach no scrip");
  }
  return overflows(state.accounts.get(to)?.scrip ?? 0, scrip)
    ? refuse("invalid_argument", `the balance of ${to} would be too large`)
    : null;
};

/** Replaces the addresses to which an agent may send messages. Its children keep theirs. */
export const decideContacts = (
  state: MessageTables,
  { at_ms, agent, contacts }: MessageCommands["set_contacts"],
): Decision<null, AgentEvent> => {
  const found = findAgent(state, agent);
  if (found.kind !== "accepted") return found;
  return accept([{ at_ms, principal: null, kind: "contacts_set", agent, contacts }], null);
};

/**
 * Refuses a private text, in a message or a notification, to a principal that is not a contact of
 * its writer or has blocked its writer.
 */
export const unwantedRefusal = (state: MessageTables, by: Subject, to: Id): Refused | null =>
  contactRefusal(state, by, to) ?? blockRefusal(state, by, to);

/**
 * An agent with contacts can write only to them, also by a program that it runs. The program can
 * write to this agent itself.
 */
const contactRefusal = (
  state: MessageTables,
  { actor, origin }: Subject,
  to: Id,
): Refused | null => {
  for (const id of [actor, origin]) {
    const contacts = state.agents.get(id)?.contacts ?? null;
    if (contacts === null || id === to || contacts.includes(to)) continue;
    const known = contacts.length === 0 ? "no one" : contacts.join(", ");
    return refuse("not_authorized", `${id} may send messages only to ${known}, not to ${to}`);
  }
  return null;
};

/** A block also applies to the programs that the sender owns or runs. */
const blockRefusal = (state: MessageTables, { actor, origin }: Subject, to: Id): Refused | null => {
  const { blocked } = mailboxOf(state, to);
  const owner = state.artifacts.get(actor)?.owner ?? actor;
  if (![actor, origin, owner].some((id) => blocked.includes(id))) return null;
  return refuse("not_authorized", `${to} has blocked your messages; write to another principal`);
};
