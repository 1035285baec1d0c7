import type { Message, Sleep, View } from "../kernel/index.ts";
import {
  asJson,
  type Decided,
  type ModelQuestion,
  messageText,
  owedAnswer,
  systemText,
} from "../mind/index.ts";
import { type ChatMessage, estimateTokens, seconds, writtenMessages } from "../model/index.ts";
import { type AddedText, keptAt } from "./conversation/added-texts.ts";
import { SUMMARY_SYSTEM, summaryQuestion } from "./conversation/compaction.ts";
import {
  type Conversation,
  conversationIn,
  focusedOn,
  focusOf,
  messagesOf,
  newSession,
  withoutEnded,
} from "./conversation/conversation.ts";
import { fittedFor } from "./protocol.ts";
import type { StepSource, ToolAgent } from "./step-source.ts";
import { nextHeartbeatMs, withHeartbeat } from "./tool/heartbeat.ts";
import { SIDE_STEPS_MAX } from "./tool/side-tools.ts";
import { isMainTurn, withActionResult, withNewTurn } from "./turn.ts";
import { filesPatch } from "./workspace/files.ts";

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

/**
 * The conversation that a step starts with, and whether it brought the result of an action. `main`
 * is the memory of the mind, with a heartbeat if one is due. `focus` is the side that takes the
 * step, or null for the main conversation. `kept` is the conversation in focus.
 */
export const toldIn = (view: View, agent: ToolAgent) => {
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

/** A step of a turn, or a step without a call of the model. */
export type MindStep = Omit<Decided, "usage" | "waitMs">;

/** The next message, or null if the mind has read all of them. */
export const nextMessage = ({ read_through }: Conversation, { mailbox }: View): Message | null =>
  mailbox.unread.find(({ number }) => number > read_through) ?? null;

/** A step without an action. */
export const resting = (
  conversation: Conversation,
  { reasoning, sleep = null }: { readonly reasoning: string } & Partial<Pick<MindStep, "sleep">>,
): MindStep => ({
  kind: "decided",
  action: { noop: {} },
  reasoning,
  memory: asJson(conversation),
  sleep,
  read_through: conversation.read_through,
});

/** Whether the main conversation can take a step, while sides work. */
const isMainReady = (main: Conversation, view: View, { tools }: ToolAgent): boolean => {
  if (main.turn !== null) return !main.turn.awaits;
  if (nextMessage(main, view) !== null) return true;
  return tools.turns === "always" && !isAsleep(main, view);
};

const isAsleep = ({ interrupted_sleep: sleep }: Conversation, { now }: View): boolean =>
  sleep !== null && sleep.until_ms > now;

/** Whether the next step of the main conversation needs no call of the model. */
export const isIdle = (told: Conversation, view: View, { tools }: ToolAgent): boolean => {
  const message = nextMessage(told, view);
  if (message !== null && message.reset !== null) return true;
  return message === null && told.turn === null && tools.turns === "on_message";
};

type Idle = { readonly step: StepSource; readonly agent: ToolAgent; readonly sleepMaxS: number };

/**
 * The sleep after a step. While sides work, the agent stays awake, and it wakes for its next
 * heartbeat. The main conversation remembers its sleep, which continues afterwards.
 */
export const withSleep = (
  main: Conversation,
  asked: Sleep | null,
  { view, agent, sleepMaxS }: Omit<Idle, "step"> & { readonly view: View },
): { readonly main: Conversation; readonly sleep: Sleep | null } => {
  const { now } = view;
  const sleep = asked === null ? continuedSleep(main, view) : sleepFrom(asked, now, sleepMaxS);
  if (sleep === null) return { main, sleep: asked };
  const interrupted = { ...main, interrupted_sleep: sleep };
  const isBusy = Object.values(main.sides).some(({ turn }) => turn !== null);
  if (isBusy) return { main: interrupted, sleep: null };
  const files = view.workspace?.text ?? "";
  const beatMs = nextHeartbeatMs(main, agent.tools, files) ?? Number.POSITIVE_INFINITY;
  if (asked !== null && beatMs >= sleep.until_ms) return { main, sleep: asked };
  const for_ms = Math.max(0, Math.min(beatMs, sleep.until_ms) - now);
  return { main: interrupted, sleep: { for_ms, until: sleep.until } };
};

type InterruptedSleep = NonNullable<Conversation["interrupted_sleep"]>;

const sleepFrom = ({ for_ms, until }: Sleep, now: number, sleepMaxS: number): InterruptedSleep => ({
  until_ms: now + Math.min(for_ms, sleepMaxS * 1_000),
  until,
});

/** The sleep that a side has interrupted. Null if the main conversation does not sleep. */
const continuedSleep = (main: Conversation, view: View): InterruptedSleep | null =>
  main.turn === null && main.focus !== null && isAsleep(main, view) ? main.interrupted_sleep : null;

/** The step of a mind that is idle: it resets its conversation, or waits for a message. */
export const idleStep = (
  told: Conversation,
  view: View,
  { step: { plugins }, agent, sleepMaxS }: Idle,
): MindStep => {
  const message = nextMessage(told, view);
  if (message === null) {
    const asked = { for_ms: sleepMaxS * 1_000, until: [] };
    const { main, sleep } = withSleep(told, asked, { view, agent, sleepMaxS });
    return resting(main, { reasoning: "I wait for a message.", sleep });
  }
  plugins.reset();
  const after = newSession(told, Object.fromEntries(plugins.memories), message.number);
  const step = resting(after, { reasoning: "My conversation starts again." });
  if (message.reset !== "conversation_and_files" || view.workspace === null) return step;
  const workspace = filesPatch(view.workspace.text, new Map());
  return { ...step, keeps: { notes: [], workingMemory: null, workspace } };
};
