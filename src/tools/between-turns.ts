import type { Message, Sleep, View } from "../kernel/index.ts";
import { asJson, type Decided } from "../mind/index.ts";
import { type Conversation, newSession } from "./conversation/conversation.ts";

import { nextHeartbeatMs } from "./sides/heartbeat.ts";
import type { StepSource, ToolAgent } from "./step-source.ts";
import { filesPatch } from "./workspace/files.ts";

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
export const isMainReady = (main: Conversation, view: View, { tools }: ToolAgent): boolean => {
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

type Slept = { readonly main: Conversation; readonly sleep: Sleep | null };

/**
 * The sleep after a step. While sides work, the agent stays awake, and it wakes for its next
 * heartbeat. The main conversation remembers its sleep, which continues afterwards.
 */
export const withSleep = (
  main: Conversation,
  asked: Sleep | null,
  { view, agent, sleepMaxS }: Omit<Idle, "step"> & { readonly view: View },
): Slept => {
  const { now } = view;
  const sleep = asked === null ? continuedSleep(main, view) : sleepFrom(asked, now, sleepMaxS);
  if (sleep === null) return { main, sleep: asked };
  const interrupted = { ...main, interrupted_sleep: sleep };
  const isBusy = Object.values(main.sides).some(({ turn }) => turn !== null);
  if (isBusy) return { main: interrupted, sleep: null };
  const files = view.workspace?.text ?? "";
  const beatMs = nextHeartbeatMs(main, { tools: agent.tools, files }) ?? Number.POSITIVE_INFINITY;
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
