import { cutText } from "../../kernel/index.ts";
import type { Ask, Failure, ModelQuestion } from "../../mind/index.ts";
import type { ChatMessage } from "../../model/index.ts";
import { counted } from "../../text/index.ts";
import {
  blockText,
  type Conversation,
  conversationTokens,
  messageText,
  oldestTurns,
  RESULT_CHARS_MAX,
  withoutOldest,
  withShortResults,
} from "./conversation.ts";

/** A conversation with more messages than this is summarized at the end of a turn. */
const MESSAGES_MAX = 20;
/** A conversation is also summarized if it takes this share of its window. */
const WINDOW_SHARE = 0.75;
/** At least this many messages stay as they are, in whole turns. */
const SUMMARIZED_MESSAGES_MIN = 4;
const RESULT_CHARS = 500;

export const SUMMARY_SYSTEM =
  "You write the memory of an agent in an economy of agents. Answer with the summary alone.";

const REQUEST =
  "Summarize this conversation of the agent in at most three paragraphs. Keep facts that it will " +
  "need, what it has decided and why, what it owns, what failed, and what it has not finished.";

/**
 * What to ask between two turns before the next one starts, or null if there is room. `rest` is the
 * conversation with a digest of the turns that the summary replaces.
 */
export const summaryQuestion = (conversation: Conversation, windowTokens: number) => {
  if (conversation.turn !== null) return null;
  const messages = Object.values(conversation.messages);
  const isLong = messages.length > MESSAGES_MAX;
  const isWide = conversationTokens(conversation) > windowTokens * WINDOW_SHARE;
  if (!isLong && !isWide) return null;
  const from = oldestTurns(messages, SUMMARIZED_MESSAGES_MIN);
  if (from === 0) return null;
  const before = conversation.summary === "" ? [] : [`[earlier]\n${conversation.summary}`];
  const told = messages.slice(0, from).map((message) => messageText(shortened(message)));
  const prompt = [REQUEST, ...before, ...told].join("\n\n");
  const question: ModelQuestion = { purpose: "summary", prompt, form: null };
  return { question, rest: withDigest(conversation, from) };
};

export const withSummary = (rest: Conversation, text: string): Conversation => ({
  ...rest,
  summary: cutText(text.trim(), 6_000),
});

/** The longest part of an earlier summary that stays before a digest. */
const EARLIER_CHARS_MAX = 4_000;
const DIGEST_CHARS_MAX = 1_800;
const DIGEST_LINE_CHARS = 200;

/**
 * The conversation without its `count` oldest messages. A digest stays in their place: what the
 * agent said and called in them. If there is too much, the oldest lines are left out. Asks no
 * model. Leaves out situations and results, which have texts that other agents wrote.
 */
export const withDigest = (conversation: Conversation, count: number): Conversation => {
  if (count === 0) return conversation;
  const dropped = Object.values(conversation.messages).slice(0, count);
  const lines: string[] = [];
  let charsLeft = DIGEST_CHARS_MAX;
  for (const line of dropped.flatMap(digestLines).toReversed()) {
    charsLeft -= line.length + 1;
    if (charsLeft < 0) break;
    lines.unshift(line);
  }
  const said = `${counted(count, "message")}. Your part in the last ones:`;
  const note = `[Dropped without a summary: ${said}]`;
  const earlier = cutText(conversation.summary, EARLIER_CHARS_MAX);
  const parts = [...(earlier === "" ? [] : [earlier]), note, ...lines];
  return { ...withoutOldest(conversation, count), summary: parts.join("\n") };
};

const digestLines = (message: ChatMessage): readonly string[] => {
  if (message.role === "user") return [];
  if (message.role === "tool") {
    return message.results.flatMap((result) =>
      result.is_error ? [`- ${result.name} failed`] : [],
    );
  }
  const said = message.blocks.filter(({ type }) => type !== "reasoning").map(blockText);
  const line = said.join(" ").replaceAll(/\s+/g, " ").trim();
  return line === "" ? [] : [`- ${cutText(line, DIGEST_LINE_CHARS)}`];
};

const shortened = (message: ChatMessage): ChatMessage =>
  message.role !== "tool"
    ? message
    : {
        ...message,
        results: message.results.map((result) => ({
          ...result,
          text: cutText(result.text, RESULT_CHARS),
        })),
      };

/** At least this many messages stay as they are in the first stage, in whole turns. */
const COMPACTED_MESSAGES_MIN = 10;
const SHORT_RESULT_CHARS = 1_000;

type Stage = (conversation: Conversation) => Conversation;

const withLastTurns =
  (keptMin: number): Stage =>
  (conversation) =>
    withDigest(conversation, oldestTurns(Object.values(conversation.messages), keptMin));

/** What makes a conversation shorter, in order. The turn in progress keeps all its messages. */
const STAGES: readonly Stage[] = [
  withLastTurns(COMPACTED_MESSAGES_MIN),
  (conversation) => withShortResults(conversation, RESULT_CHARS_MAX),
  (conversation) => withShortResults(conversation, SHORT_RESULT_CHARS),
  withLastTurns(1),
];

/** The most versions of a conversation that a step tries: the whole one, and one for each stage. */
export const VERSIONS_MAX = 1 + STAGES.length;

/** A stage that leaves more than this share of the tokens is not worth a call. */
const LEFT_SHARE_MAX = 0.99;

/**
 * Shortens a conversation that did not fit in the context window of the model. Yields a shorter
 * version each time, and skips the stages that have nothing to shorten. Asks no model.
 */
export function* compactions(whole: Conversation): Generator<Conversation, void, undefined> {
  let current = whole;
  for (const stage of STAGES) {
    const next = stage(current);
    const isShorter = conversationTokens(next) <= conversationTokens(current) * LEFT_SHARE_MAX;
    if (!isShorter) continue;
    current = next;
    yield next;
  }
}

export type ModelAnswer = Awaited<ReturnType<Ask>>;

export const isTooLong = ({ fault }: Failure): boolean => fault === "context_overflow";

/**
 * Makes a call. As long as it does not fit in the context window of the model, makes it again with
 * a shorter conversation, if there is one. `questionOf` returns null if the question cannot become
 * shorter. Returns the last call and its answer.
 */
export const fittingAnswer = async <
  C extends { readonly kept: Conversation; readonly question: ModelQuestion },
>(
  first: C,
  ask: Ask,
  questionOf: (kept: Conversation) => ModelQuestion | null,
): Promise<{ readonly call: C; readonly answer: ModelAnswer }> => {
  let call = first;
  let answer = await ask(call.question);
  const shorter = compactions(call.kept);
  while (!answer.ok && isTooLong(answer)) {
    const { value: kept } = shorter.next();
    const question = kept && questionOf(kept);
    if (!kept || !question) break;
    call = { ...call, kept, question };
    answer = await ask(question);
  }
  return { call, answer };
};
