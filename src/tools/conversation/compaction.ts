import type { Ask, Failure, ModelQuestion } from "../../mind/index.ts";
import {
  type Conversation,
  conversationTokens,
  oldestTurns,
  RESULT_CHARS_MAX,
  withShortResults,
} from "./conversation.ts";
import { withDigest } from "./summary.ts";

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

type Call = { readonly kept: Conversation; readonly question: ModelQuestion };

/**
 * Makes a call. As long as it does not fit in the context window of the model, makes it again with
 * a shorter conversation, if there is one. `questionOf` returns null if the question cannot become
 * shorter. Returns the last call and its answer.
 */
export const fittingAnswer = async <C extends Call>(
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
