import type { Conversation, Side, TurnState } from "./conversation.ts";

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
