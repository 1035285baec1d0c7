import type { View } from "../kernel/index.ts";
import { type ModelQuestion, messageText, owedAnswer, systemText } from "../mind/index.ts";
import { type ChatMessage, estimateTokens, seconds, writtenMessages } from "../model/index.ts";
import { isMainReady, nextMessage } from "./between-turns.ts";
import { type Conversation, conversationIn, messagesOf } from "./conversation/conversation.ts";
import { SUMMARY_SYSTEM, summaryQuestion } from "./conversation/summary.ts";
import { type AddedText, keptAt } from "./plugin/retention.ts";
import { fittedFor } from "./protocol.ts";
import { withHeartbeat } from "./sides/heartbeat.ts";
import { type Focus, focusedOn, focusOf, withoutEnded } from "./sides/side.ts";
import { SIDE_STEPS_MAX } from "./sides/side-tools.ts";
import type { StepSource, ToolAgent } from "./step-source.ts";
import { isMainTurn, withActionResult, withNewTurn } from "./turn.ts";

/** Sent with a question, and not kept. */
const REFUSED_CHANGES: ChatMessage = {
  role: "user",
  text:
    "The world refused the changes of your workspace in your last step, for example because of " +
    "your quota bytes_written. List your files.",
};

/** Sent with the last question of a turn, and not kept. */
const LAST_ANSWER: ChatMessage = {
  role: "user",
  text:
    "This turn has used all of its steps. Answer now without a tool: what you have done, and " +
    "what you will do in the next turn.",
};

/** Whether the turn has used its steps, so that the model is asked for an answer without tools. */
export const isLastAnswer = ({ turn }: Conversation, { tools }: ToolAgent): boolean =>
  (turn?.step ?? 0) > (turn?.trigger === "task" ? SIDE_STEPS_MAX : tools.max_steps);

/** The messages of the next call. It says if the last changes of the workspace were refused. */
export const messagesFor = (
  asked: Conversation,
  { step: { source, protocol }, agent }: Asker,
): readonly ChatMessage[] => {
  const version = source.view.workspace?.version ?? 0;
  const isRefused = asked.workspace !== null && asked.workspace !== version;
  return protocol.encode([
    ...messagesOf(asked),
    ...(isRefused ? [REFUSED_CHANGES] : []),
    ...(isLastAnswer(asked, agent) ? [LAST_ANSWER] : []),
  ]);
};

/** A call of the model. `kept` is the conversation before the answer, also if there is none. */
export type NextCall = {
  readonly system: string;
  readonly question: ModelQuestion;
  readonly kept: Conversation;
  readonly isSummary: boolean;
};

export type Asker = { readonly step: StepSource; readonly agent: ToolAgent };

type Told = {
  /** The memory of the mind, with a heartbeat if one is due. */
  readonly main: Conversation;
  /** The side that takes the step. Null: the main conversation. */
  readonly focus: Focus;
  /** The conversation in focus. */
  readonly kept: Conversation;
  readonly told: Conversation;
  readonly hasActed: boolean;
};

/** The conversation that a step starts with, and whether it brought the result of an action. */
export const toldIn = (view: View, agent: ToolAgent): Told => {
  const main = withHeartbeat(withoutEnded(conversationIn(view.agent.mind)), view, agent.tools);
  const focus = focusOf(main, isMainReady(main, view, agent));
  const kept = focusedOn(main, focus);
  const hasActed = kept.turn !== null && kept.turn.pending !== null;
  return { main, focus, kept, told: withActionResult(kept, view), hasActed };
};

/**
 * The next step of a turn. Its conversation is cut to `room` tokens where possible.
 * Between two turns, a long conversation is summarized first, unless the agent cannot pay for this.
 */
export const nextCall = (told: Conversation, { step, agent }: Asker, room: number): NextCall => {
  const summary = summaryQuestion(told, agent.tools.window_tokens);
  if (summary !== null && estimateTokens(summary.question.prompt) <= room) {
    const { question, rest: kept } = summary;
    return { system: SUMMARY_SYSTEM, question, kept, isSummary: true };
  }
  const kept = fittedFor(step.protocol, inTurn(told, step), room);
  const question = questionFor(kept, { step, agent });
  return { system: systemText(step.source), question, kept, isSummary: false };
};

/** The conversation in its turn, or in a new one, with one more step and the texts of plugins. */
const inTurn = (told: Conversation, { source, plugins }: StepSource): Conversation => {
  const begun = told.turn === null ? newTurn(told, source.view) : told;
  const { turn } = begun;
  if (turn === null) return begun;
  const call = begun.calls + 1;
  const { [String(begun.next - 1)]: _, ...earlier } = begun.added;
  const texts = [...plugins.textsAt(call), ...resultTexts(begun, call)];
  const added = texts.length === 0 ? earlier : { ...earlier, [String(begun.next - 1)]: texts };
  return {
    ...begun,
    turn: { ...turn, step: turn.step + 1 },
    calls: call,
    added: keptAt(added, call),
    ...(isMain(begun) ? { results: [] } : {}),
  };
};

/** Results of helpers are told to the main conversation, and stay in it. */
const resultTexts = (conversation: Conversation, call: number): readonly AddedText[] =>
  isMain(conversation)
    ? conversation.results.map((text) => ({ plugin: "helpers", text, from: call, to: null }))
    : [];

const isMain = ({ turn }: Conversation): boolean => turn === null || isMainTurn(turn);

/** A turn starts with a message, or else with the time. The situation follows. */
const newTurn = (told: Conversation, view: View): Conversation => {
  const message = nextMessage(told, view);
  const sent_before = view.mailbox.sent.at(-1)?.number ?? 0;
  if (message === null) {
    const start = { trigger: "autonomous", owes: null, sent_before } as const;
    return withNewTurn(told, `A new turn starts at ${seconds(view.now)}.`, start);
  }
  const owes = owedAnswer(message, view);
  const start = { trigger: "message", owes, sent_before } as const;
  return { ...withNewTurn(told, messageText(message, view), start), read_through: message.number };
};

/** The question of the next step. After the last step of a turn, it offers no tools. */
export const questionFor = (asked: Conversation, { step, agent }: Asker): ModelQuestion => {
  const isLast = isLastAnswer(asked, agent);
  const { form, lastForm } = step.protocol;
  const messages = messagesFor(asked, { step, agent });
  return {
    purpose: isLast ? "last_answer" : "step",
    prompt: writtenMessages(messages),
    messages,
    form: isLast ? lastForm : form,
  };
};
