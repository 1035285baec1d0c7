import { z } from "zod";
import {
  cutText,
  isObject,
  type Json,
  type JsonObject,
  memoized,
  memoizedFold,
  type Wake,
} from "../../kernel/index.ts";
import { readMemory, recordOf } from "../../mind/index.ts";
import {
  type ChatBlock,
  type ChatMessage,
  chatMessage,
  estimateTokens,
  type Frozen,
  messageJson,
  resultsText,
  type ToolResult,
  toolResult,
} from "../../model/index.ts";
import { type AddedText, type AddedTexts, addedText, withTexts } from "./added-texts.ts";

/** The text of a result that was lost, for example because the agent was changed meanwhile. */
export const RESULT_MISSING = "[Tool result missing — session was interrupted]";

const count = z.int().min(0);

const toolCall = z.object({ id: z.string(), name: z.string() });

/** A step whose action is not done yet. `actions`: how many actions the agent took before it. */
const pendingStep = z.object({
  calls: z.array(toolCall),
  /** The results so far. For `acting`, what a script printed and returned before its action. */
  results: z.array(toolResult),
  acting: z.string(),
  actions: count,
});
export type PendingStep = Frozen<z.infer<typeof pendingStep>>;

const turnState = z.object({
  /** Why the turn began. */
  trigger: z.enum(["autonomous", "message", "heartbeat", "task"]),
  /** The message that the turn must answer, and its sender. Null if no one waits. */
  owes: z.object({ message: count, to: z.string() }).nullable(),
  /** The number of the last message that the agent had sent before the turn. 0: none. */
  sent_before: count,
  /** How many times the model was asked in this turn. */
  step: count,
  pending: pendingStep.nullable(),
  /** The last calls with their results, as text, and how often they came in a row. */
  same: z.object({ text: z.string(), times: count }).nullable(),
  /** Whether the next step comes only when a helper has ended. */
  awaits: z.boolean(),
});
export type TurnState = Frozen<z.infer<typeof turnState>>;

/** The messages of a conversation, and its turn in progress. */
const conversationBody = {
  messages: recordOf<ChatMessage>(chatMessage),
  /** The number of the next message. */
  next: count,
  /** How many calls of steps the model has had. Texts of plugins are kept for some calls. */
  calls: count,
  added: recordOf<readonly AddedText[]>(z.array(addedText)),
  /** What the turns before the first message were about. Empty if there were none. */
  summary: z.string(),
  turn: turnState.nullable(),
};

type ConversationBody = {
  readonly messages: { readonly [number: string]: ChatMessage };
  readonly next: number;
  readonly calls: number;
  readonly added: AddedTexts;
  readonly summary: string;
  readonly turn: TurnState | null;
};

/** A conversation next to the main one, with one turn. Its turn is null when it has ended. */
type Side = ConversationBody;

/**
 * What a mind with tools remembers: its conversation and the turn in progress. Messages are kept by
 * number, so that a step adds its own messages to the journal and no others.
 */
const conversationSchema = z.object({
  /** How often the conversation was reset, plus 1. */
  session: z.int().min(1),
  /** The number of the last message in the mailbox that was read. */
  read_through: count,
  ...conversationBody,
  /** What each plugin remembers, by its name. */
  plugins: z.record(z.string(), z.custom<Json>()),
  /** The version of the workspace that the last step expects. Null if it changed nothing. */
  workspace: count.nullable(),
  sides: z.record(z.string(), z.object(conversationBody)),
  /** The side that had the last step. Null: the main conversation had it. */
  focus: z.string().nullable(),
  /** How many helpers were started. */
  helpers: count,
  /** What helpers have reported and the model was not told yet. */
  results: z.array(z.string()),
  /** When the last heartbeat started, in ms of run time. 0: none did. */
  last_heartbeat_ms: count,
  /** The sleep that a side has interrupted. */
  interrupted_sleep: z.object({ until_ms: count, until: z.array(z.custom<Wake>()) }).nullable(),
});
export type Conversation = ConversationBody & {
  readonly session: number;
  readonly read_through: number;
  readonly plugins: { readonly [name: string]: Json };
  readonly workspace: number | null;
  readonly sides: { readonly [name: string]: Side };
  readonly focus: string | null;
  readonly helpers: number;
  readonly results: readonly string[];
  readonly last_heartbeat_ms: number;
  readonly interrupted_sleep: { readonly until_ms: number; readonly until: readonly Wake[] } | null;
};

const NO_CONVERSATION: Conversation = {
  session: 1,
  read_through: 0,
  next: 1,
  messages: {},
  calls: 0,
  added: {},
  plugins: {},
  summary: "",
  turn: null,
  workspace: null,
  sides: {},
  focus: null,
  helpers: 0,
  results: [],
  last_heartbeat_ms: 0,
  interrupted_sleep: null,
};

const keptConversation = memoized(
  (mind: JsonObject): Conversation => readMemory(mind, NO_CONVERSATION, conversationSchema),
  new WeakMap(),
);

/** Reads the memory of a mind. Empty if it is not that of a mind with tools. */
export const conversationIn = (mind: Json): Conversation =>
  isObject(mind) ? keptConversation(mind) : NO_CONVERSATION;

/** The name of the session: `main`, and after each reset `main-2`, `main-3` and so on. */
export const sessionName = ({ session }: Pick<Conversation, "session">): string =>
  session === 1 ? "main" : `main-${session}`;

/** A new conversation instead of this one. `read_through`: the message that asked for it. */
export const newSession = (
  { session, next, calls, helpers, last_heartbeat_ms }: Conversation,
  plugins: Conversation["plugins"],
  read_through: number,
): Conversation => {
  const counts = { session: session + 1, next, calls, helpers, last_heartbeat_ms };
  return { ...NO_CONVERSATION, ...counts, plugins, read_through };
};

export const withMessages = (
  conversation: Conversation,
  added: readonly ChatMessage[],
): Conversation => {
  const { next, messages } = conversation;
  const numbered = added.map((message, at) => [String(next + at), message] as const);
  return {
    ...conversation,
    next: next + added.length,
    messages: { ...messages, ...Object.fromEntries(numbered) },
  };
};

/** The summary before each first message, as a message: it is measured and written once. */
const summaryMessages = new WeakMap<
  ChatMessage,
  { readonly summary: string; readonly message: ChatMessage }
>();

const summaryMessage = (summary: string, first: ChatMessage | undefined): ChatMessage => {
  const known = first && summaryMessages.get(first);
  if (known?.summary === summary) return known.message;
  const message: ChatMessage = { role: "user", text: summaryText(summary) };
  if (first !== undefined) summaryMessages.set(first, { summary, message });
  return message;
};

const sentMessages = memoized(
  ({ messages, added, calls }: Conversation): readonly ChatMessage[] =>
    Object.entries(messages).map(([number, message]) => withTexts(message, added[number], calls)),
  new WeakMap(),
);

/** The messages to send: the summary of what came before, and the messages with added texts. */
export const messagesOf = (conversation: Conversation): readonly ChatMessage[] => {
  const { summary } = conversation;
  const messages = sentMessages(conversation);
  return summary === "" ? messages : [summaryMessage(summary, messages[0]), ...messages];
};

export const summaryText = (summary: string): string => `[Conversation summary]\n${summary}`;

/** A message as people read it. */
export const messageText = (message: ChatMessage): string => {
  switch (message.role) {
    case "user":
      return `[user]\n${message.text}`;
    case "assistant":
      return `[assistant]\n${message.blocks.map(blockText).join("\n")}`;
    case "tool":
      return resultsText(message.results);
  }
};

/** The most characters of the result of a tool. */
export const RESULT_CHARS_MAX = 20_000;

export const blockText = (block: ChatBlock): string => {
  if (block.type === "tool_call") return `-> ${block.name} ${JSON.stringify(block.args)}`;
  return block.type === "reasoning" ? `(${block.text})` : block.text;
};

/** Results in the order of their calls. A call without a result gets `RESULT_MISSING`. */
export const resultsFor = (
  calls: readonly { readonly id: string; readonly name: string }[],
  results: readonly ToolResult[],
): readonly ToolResult[] =>
  calls.map(
    ({ id, name }) =>
      results.find((result) => result.id === id) ?? {
        id,
        name,
        text: RESULT_MISSING,
        is_error: true,
      },
  );

/** The estimated tokens of a message. Each message is measured once. */
export const messageTokens = memoized(
  (message: ChatMessage): number => estimateTokens(messageJson(message)),
  new WeakMap(),
);

const tokensOf = memoizedFold(0, (sum, message: ChatMessage) => sum + messageTokens(message));

export const conversationTokens = (conversation: Conversation): number =>
  tokensOf(messagesOf(conversation));

/** The places of the messages that start a turn. */
const turnStarts = (messages: readonly ChatMessage[]): readonly number[] =>
  messages.flatMap(({ role }, at) => (role === "user" ? [at] : []));

/** The number of the oldest messages that can go in whole turns if at least `keptMin` stay. */
export const oldestTurns = (messages: readonly ChatMessage[], keptMin: number): number =>
  turnStarts(messages).findLast((start) => messages.length - start >= keptMin) ?? 0;

/** The conversation without its first `count` messages. */
export const withoutOldest = (conversation: Conversation, count: number): Conversation => {
  if (count === 0) return conversation;
  const messages = Object.fromEntries(Object.entries(conversation.messages).slice(count));
  const texts = Object.entries(conversation.added).filter(([number]) => number in messages);
  return { ...conversation, messages, added: Object.fromEntries(texts) };
};

/** Old results are cut to this length before a turn in progress loses messages. */
const OLD_RESULT_CHARS = 1_000;

/**
 * Drops whole turns, oldest first, until the conversation has at most `tokensMax` tokens. The turn
 * in progress stays: its older results are cut instead. A call never loses its result.
 */
export const fitted = (conversation: Conversation, tokensMax: number): Conversation => {
  const messages = sentMessages(conversation);
  let tokens = conversationTokens(conversation);
  let from = 0;
  for (const start of turnStarts(messages).slice(1)) {
    if (tokens <= tokensMax) break;
    for (const message of messages.slice(from, start)) tokens -= messageTokens(message);
    from = start;
  }
  if (from === 0 && tokens <= tokensMax) return conversation;
  const rest = withoutOldest(conversation, from);
  const entries = Object.entries(rest.messages).map(([number, message]) => {
    if (tokens <= tokensMax) return [number, message] as const;
    const cut = withShort(message, OLD_RESULT_CHARS);
    tokens -= messageTokens(message) - messageTokens(cut);
    return [number, cut] as const;
  });
  return { ...rest, messages: Object.fromEntries(entries) };
};

/** The conversation with all results of tools cut to `charsMax`. */
export const withShortResults = (conversation: Conversation, charsMax: number): Conversation => {
  const short = Object.entries(conversation.messages).map(
    ([number, message]) => [number, withShort(message, charsMax)] as const,
  );
  return { ...conversation, messages: Object.fromEntries(short) };
};

/** The same message if nothing is cut, because messages are measured once. */
const withShort = (message: ChatMessage, charsMax: number): ChatMessage => {
  const isLong = ({ text }: ToolResult): boolean => text.length > charsMax;
  if (message.role !== "tool" || !message.results.some(isLong)) return message;
  return { ...message, results: message.results.map((result) => shortResult(result, charsMax)) };
};

/** Room for the mark of a cut, so that a text that was cut is not cut once more. */
const MARK_CHARS = 40;

const shortResult = (result: ToolResult, charsMax: number): ToolResult => {
  if (result.text.length <= charsMax) return result;
  const text = cutText(result.text, charsMax - MARK_CHARS);
  return { ...result, text: `${text}\n[truncated ${result.text.length - text.length} chars]` };
};

/**
 * Conversations next to the main one: tasks of helpers, and a heartbeat. A side has one turn and
 * its own messages. It shares the workspace, the plugins and the budget of its agent. Each step of
 * an agent belongs to the main conversation or to one side: they take turns. A step whose action
 * is not done yet comes next, because the result of an action goes to the step that took it.
 */
export type Focus = string | null;

/** A side as a conversation of its own. */
export const focusedOn = (main: Conversation, focus: Focus): Conversation => {
  const side = focus === null ? undefined : main.sides[focus];
  return side === undefined ? main : { ...main, ...side };
};

/** The memory after a step of the conversation in focus. */
export const withStepped = (
  main: Conversation,
  focus: Focus,
  stepped: Conversation,
): Conversation => {
  if (focus === null) return { ...stepped, focus };
  const { messages, next, calls, added, summary, turn, plugins, workspace } = stepped;
  const side: Side = { messages, next, calls, added, summary, turn };
  return { ...main, plugins, workspace, focus, sides: { ...main.sides, [focus]: side } };
};

/** A side whose turn starts with this text. Messages are numbered as in a new conversation. */
export const newSide = (
  text: string,
  start: Pick<TurnState, "trigger" | "owes" | "sent_before">,
): Side => ({
  messages: { "1": { role: "user", text } },
  next: 2,
  calls: 0,
  added: {},
  summary: "",
  turn: { ...start, step: 0, pending: null, same: null, awaits: false },
});

/** Drops the sides that have ended. They stay for one step, so that the journal has their end. */
export const withoutEnded = (main: Conversation): Conversation => {
  const all = Object.entries(main.sides);
  const running = all.filter(([, { turn }]) => turn !== null);
  return running.length === all.length ? main : { ...main, sides: Object.fromEntries(running) };
};

export const withoutSide = (main: Conversation, name: string): Conversation => {
  const { [name]: _, ...sides } = main.sides;
  return { ...main, sides };
};

/** The conversation of the next step. `isMainReady`: the main conversation can take a step. */
export const focusOf = ({ turn, sides, focus }: Conversation, isMainReady: boolean): Focus => {
  if (turn !== null && turn.pending !== null) return null;
  const names = Object.keys(sides);
  const pending = names.find((name) => (sides[name]?.turn?.pending ?? null) !== null);
  if (pending !== undefined) return pending;
  const ring: readonly Focus[] = isMainReady || names.length === 0 ? [null, ...names] : names;
  return ring[(ring.indexOf(focus) + 1) % ring.length] ?? null;
};
