import { cutText } from "../../kernel/index.ts";
import type { ChatMessage } from "../model/index.ts";
import type { ModelQuestion } from "../reply/ask-until-read.ts";
import {
  type Conversation,
  conversationTokens,
  messageText,
  turnStarts,
  withoutOldest,
} from "./conversation.ts";

/** A conversation with more messages than this is summarized at the end of a turn. */
const MESSAGES_MAX = 20;
/** A conversation is also summarized if it takes this share of its window. */
const WINDOW_SHARE = 0.75;
/** At least this many messages stay as they are, in whole turns. */
const KEPT_MIN = 4;
const RESULT_CHARS = 500;
const SUMMARY_CHARS_MAX = 6_000;

export const SUMMARY_SYSTEM =
  "You write the memory of an agent in an economy of agents. Answer with the summary alone.";

const REQUEST =
  "Summarize this conversation of the agent in at most three paragraphs. Keep facts that it will " +
  "need, what it has decided and why, what it owns, what failed, and what it has not finished.";

export type SummaryQuestion = {
  readonly question: ModelQuestion;
  /** The conversation without the turns that the summary replaces. */
  readonly rest: Conversation;
};

/** What to ask between two turns before the next one starts, or null if there is room. */
export const summaryQuestion = (
  conversation: Conversation,
  windowTokens: number,
): SummaryQuestion | null => {
  const messages = Object.values(conversation.messages);
  const isLong = messages.length > MESSAGES_MAX;
  const isWide = conversationTokens(conversation) > windowTokens * WINDOW_SHARE;
  if (conversation.turn !== null || (!isLong && !isWide)) return null;
  const from = turnStarts(messages).findLast((start) => messages.length - start >= KEPT_MIN) ?? 0;
  if (from === 0) return null;
  const before = conversation.summary === "" ? [] : [`[earlier]\n${conversation.summary}`];
  const told = messages.slice(0, from).map((message) => messageText(shortened(message)));
  const prompt = [REQUEST, ...before, ...told].join("\n\n");
  return {
    question: { purpose: "summary", prompt, form: null },
    rest: withoutOldest(conversation, from),
  };
};

export const withSummary = (rest: Conversation, text: string): Conversation => ({
  ...rest,
  summary: cutText(text.trim(), SUMMARY_CHARS_MAX),
});

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
