import type { Message, View } from "../../kernel/index.ts";
import { type Conversation, newSession } from "../conversation/conversation.ts";
import type { Decided } from "../mind.ts";
import { asJson } from "../mind-memory-codec.ts";
import { filesPatch } from "../workspace/files.ts";
import type { StepSource, ToolAgent } from "./step-source.ts";

/** A step of a turn, or a step without a call of the model. */
export type MindStep = Omit<Decided, "usage" | "waitMs">;

/** The next message, or null if the mind has read all of them. */
export const nextMessage = ({ taken }: Conversation, { mailbox }: View): Message | null =>
  mailbox.unread.find(({ number }) => number > taken) ?? null;

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
  taken: conversation.taken,
});

/** Whether the next step needs no call of the model. */
export const isIdle = (told: Conversation, view: View, { tools }: ToolAgent): boolean => {
  const message = nextMessage(told, view);
  if (message !== null && message.reset !== null) return true;
  return message === null && told.turn === null && tools.turns === "on_message";
};

/** The step of a mind that is idle: it resets its conversation, or waits for a message. */
export const idleStep = (
  told: Conversation,
  view: View,
  { step: { plugins }, sleepMaxS }: { readonly step: StepSource; readonly sleepMaxS: number },
): MindStep => {
  const message = nextMessage(told, view);
  if (message === null) {
    const sleep = { for_ms: sleepMaxS * 1_000, until: [] };
    return resting(told, { reasoning: "I wait for a message.", sleep });
  }
  plugins.reset();
  const after = newSession(told, Object.fromEntries(plugins.memories), message.number);
  const step = resting(after, { reasoning: "My conversation starts again." });
  if (message.reset !== "conversation_and_files" || view.workspace === null) return step;
  const workspace = filesPatch(view.workspace.text, new Map());
  return { ...step, keeps: { notes: [], workingMemory: null, workspace } };
};
