import type { ActionDecision } from "../action/events.ts";
import { accept, refuse } from "../core/decision.ts";
import { ID_RULE, type Id, parseId } from "../core/ids.ts";
import { isObject, type Json, type JsonObject } from "../core/json.ts";
import { stamp } from "../ledger/subject.ts";
import {
  type Mailbox,
  MESSENGER_ID,
  type Message,
  mailboxOf,
  OPERATOR,
} from "../messages/mailbox.ts";
import { decideSend, senderRefusal } from "../messages/send.ts";
import type { SearchTables } from "../search/query.ts";
import {
  AMOUNT_SCHEMA,
  countArg,
  EXAMPLES_AT_MS,
  ID_SCHEMA,
  type NativeArtifact,
  type NativeCall,
  named,
  takes,
  textArg,
} from "./native.ts";

const NUMBER_SCHEMA: JsonObject = { type: "integer", minimum: 1 };

const send = (state: SearchTables, { by, args, fees }: NativeCall): ActionDecision => {
  const to = parseId(args[0]);
  if (to === null) return refuse("invalid_argument", ID_RULE);
  const given = isObject(args[2]) ? args[2] : {};
  const number = (name: string): number | null => {
    const value = given[name];
    return typeof value === "number" ? value : null;
  };
  return decideSend(state, {
    by,
    to,
    text: textArg(args[1]),
    replyTo: number("reply_to"),
    forwards: number("forward"),
    scrip: number("attach") ?? 0,
    fees,
  });
};

/** A message as agents and seats read it. */
export type ShownMessage = {
  readonly message: number;
  readonly at_ms: number;
  readonly from: string;
  readonly to: string;
  readonly text: string;
  readonly thread: number;
  readonly reply_to: number | null;
  /** Absent unless the message hands another one on. */
  readonly forwards?: number;
  readonly path?: readonly string[];
  /** Absent if no scrip came with it. */
  readonly attached_scrip?: number;
};

export const shownMessage = (message: Message): ShownMessage => {
  const { number, atMs, from, to, text, replyTo, forwards, path, thread, scrip } = message;
  return {
    message: number,
    at_ms: atMs,
    from,
    to,
    text,
    thread,
    reply_to: replyTo,
    ...(forwards === null ? {} : { forwards, path }),
    ...(scrip === 0 ? {} : { attached_scrip: scrip }),
  };
};

/** The mailbox of the actor, or why it has none. */
const withMailbox = (
  state: SearchTables,
  { by }: NativeCall,
  answerOf: (mailbox: Mailbox) => ActionDecision,
): ActionDecision => senderRefusal(state, by.actor) ?? answerOf(mailboxOf(state, by.actor));

const received = (state: SearchTables, call: NativeCall): ActionDecision =>
  withMailbox(state, call, ({ unread, read }) => {
    const shown = (messages: readonly Message[], isRead: boolean): readonly Json[] =>
      messages
        .filter(({ reset }) => reset === null)
        .map((message) => ({ ...shownMessage(message), read: isRead }));
    return accept([], [...shown(read, true), ...shown(unread, false)]);
  });

const sent = (state: SearchTables, call: NativeCall): ActionDecision =>
  withMailbox(state, call, (mailbox) => accept([], mailbox.sent.map(shownMessage)));

const markRead = (state: SearchTables, call: NativeCall): ActionDecision =>
  withMailbox(state, call, ({ owner, unread }) => {
    const through = Number(call.args[0]);
    const count = unread.filter(({ number }) => number <= through).length;
    const read = { ...stamp(call.by), kind: "messages_read", owner, through } as const;
    return accept(count === 0 ? [] : [read], { read: count, unread: unread.length - count });
  });

/** The most senders that one mailbox can block. */
const BLOCKED_MAX = 100;

const senderArg = (call: NativeCall): Id | null => parseId(call.args[0]);

const block = (state: SearchTables, call: NativeCall): ActionDecision =>
  withMailbox(state, call, ({ owner, blocked }) => {
    const sender = senderArg(call);
    if (sender === null) return refuse("invalid_argument", ID_RULE);
    if (sender === OPERATOR) return refuse("invalid_argument", "you cannot block the operator");
    if (blocked.includes(sender)) return accept([], { blocked });
    if (!state.accounts.has(sender)) return refuse("not_found", `"${sender}" is not a principal`);
    if (blocked.length >= BLOCKED_MAX) {
      return refuse(
        "quota_exceeded",
        `a mailbox blocks at most ${BLOCKED_MAX} senders; unblock one first`,
      );
    }
    const event = { ...stamp(call.by), kind: "sender_blocked", owner, sender } as const;
    return accept([event], { blocked: [...blocked, sender] });
  });

const unblock = (state: SearchTables, call: NativeCall): ActionDecision =>
  withMailbox(state, call, ({ owner, blocked }) => {
    const sender = senderArg(call);
    if (sender === null) return refuse("invalid_argument", ID_RULE);
    if (!blocked.includes(sender)) return accept([], { blocked });
    const event = { ...stamp(call.by), kind: "sender_unblocked", owner, sender } as const;
    return accept([event], { blocked: blocked.filter((other) => other !== sender) });
  });

const QUESTION: JsonObject = {
  message: 1,
  at_ms: EXAMPLES_AT_MS,
  from: "alice",
  to: "bob",
  text: "What does your tool cost?",
  thread: 1,
  reply_to: null,
};

const ANSWER: JsonObject = {
  ...QUESTION,
  message: 2,
  from: "bob",
  to: "alice",
  text: "3 scrip. I return 2 of yours.",
  reply_to: 1,
  attached_scrip: 2,
};

export const MESSENGER: NativeArtifact = {
  id: MESSENGER_ID,
  description: "Private messages to other principals and to the operator of the run.",
  methods: named({
    send: {
      description:
        'Sends a message to a principal, or to "operator", and wakes an agent that sleeps. ' +
        "reply_to: the message that it answers. attach: scrip for the addressee. forward: the " +
        "message that you hand on with it; the answer then comes to you.",
      input_schema: takes(
        {
          to: ID_SCHEMA,
          text: { type: "string" },
          options: {
            type: "object",
            properties: { reply_to: NUMBER_SCHEMA, attach: AMOUNT_SCHEMA, forward: NUMBER_SCHEMA },
            additionalProperties: false,
          },
        },
        ["to", "text"],
      ),
      examples: () => [
        { args: ["bob", QUESTION.text ?? ""], result: { message: 1, to: "bob", thread: 1 } },
        {
          args: ["alice", ANSWER.text ?? "", { reply_to: 1, attach: 2 }],
          result: { message: 2, to: "alice", thread: 1 },
        },
        {
          args: ["carol", "Do you know a cheaper one?", { forward: 1 }],
          result: { message: 3, to: "carol", thread: 1 },
        },
      ],
      writes: true,
      scripCure: 'give { "attach": N } as its third argument',
      spends: ([, , options]) => (isObject(options) ? countArg(options.attach) : 0),
      decide: send,
    },
    received: {
      description:
        "The messages in your mailbox, oldest first. Only the newest read ones are kept.",
      input_schema: takes({}),
      examples: () => [
        { args: [], result: [{ ...QUESTION, read: false }] },
        { args: [], result: [{ ...ANSWER, read: false }] },
      ],
      decide: received,
    },
    sent: {
      description: "The newest messages that you sent, oldest first.",
      input_schema: takes({}),
      examples: () => [{ args: [], result: [QUESTION] }],
      decide: sent,
    },
    mark_read: {
      description:
        "Marks your messages up to this number as read. Those that your prompt has shown are " +
        "marked automatically.",
      input_schema: takes({ message: NUMBER_SCHEMA }),
      examples: () => [{ args: [2], result: { read: 1, unread: 0 } }],
      writes: true,
      decide: markRead,
    },
    block: {
      description: "Refuses all further messages of a principal, and texts of kernel.notify.",
      input_schema: takes({ sender: ID_SCHEMA }),
      examples: () => [{ args: ["alice"], result: { blocked: ["alice"] } }],
      writes: true,
      decide: block,
    },
    unblock: {
      description: "Accepts messages of a principal again.",
      input_schema: takes({ sender: ID_SCHEMA }),
      examples: () => [{ args: ["alice"], result: { blocked: [] } }],
      writes: true,
      decide: unblock,
    },
  }),
};
