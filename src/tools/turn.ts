import {
  cutText,
  type Json,
  type JsonObject,
  type LastResult,
  type Sleep,
  type View,
} from "../kernel/index.ts";
import { fenced } from "../mind/index.ts";
import {
  type ChatBlock,
  callsOf,
  soundText,
  type ToolCall,
  type ToolResult,
} from "../model/index.ts";
import { didYouMean } from "../text/index.ts";
import { keptAfterTurn } from "./conversation/added-texts.ts";
import {
  type Conversation,
  type PendingStep,
  RESULT_CHARS_MAX,
  RESULT_MISSING,
  resultsFor,
  type TurnState,
  withMessages,
} from "./conversation/conversation.ts";
import type { StepFeed } from "./feed.ts";
import { failed, type Tool, type ToolMoment, type ToolOutcome, type ToolSet } from "./tool/tool.ts";
import { HAND_ON_NAME } from "./tool/world-tools.ts";
import type { Files } from "./workspace/files.ts";

/** A turn ends when the same calls have had the same results this many times in a row. */
const SAME_MAX = 3;

/** Why a turn begins, and what it owes. */
type TurnStart = Pick<TurnState, "trigger" | "owes" | "sent_before">;

/** More steps than any turn may have. The next step is then its last. */
const ALL_STEPS = 1_000_000;

/** What a step of a turn leads to. `action` is null if it has no action in the world. */
type TurnStep = {
  readonly conversation: Conversation;
  readonly action: JsonObject | null;
  readonly sleep: Sleep | null;
  readonly files: Files;
};

/** Adds the result of the step whose action was pending. */
export const withActionResult = (conversation: Conversation, view: View): Conversation => {
  const { turn } = conversation;
  if (turn === null || turn.pending === null) return conversation;
  const { pending } = turn;
  const own = wholeResult(pending, actionResult(pending, view));
  const results = resultsFor(
    pending.calls,
    own === null ? pending.results : [own, ...pending.results],
  );
  const after = withResults({ ...conversation, turn: { ...turn, pending: null } }, results);
  const isHandedOn = own?.name === HAND_ON_NAME && !own.is_error && hasSent(view);
  return isHandedOn ? { ...after, turn: null } : after;
};

/** Whether the last action sent a message. A reviewer can have edited it into another action. */
const hasSent = ({ mailbox, agent }: View): boolean =>
  mailbox.sent.at(-1)?.atMs === agent.last?.atMs;

/** The result of the action, or null if the agent's record of it is gone. */
const actionResult = (pending: PendingStep, { agent }: View): ToolResult | null => {
  const { last, counters } = agent;
  const call = pending.calls.find(({ id }) => id === pending.acting);
  if (call === undefined || last === null) return null;
  if (last.action === "think") return null;
  const taken = counters.actions - pending.actions;
  // Feedback of a reviewer comes instead of the action.
  if (last.isFeedback) return taken === 0 ? { ...call, text: last.message, is_error: true } : null;
  return taken === 1 ? { ...call, text: doneText(last), is_error: !last.ok } : null;
};

const doneText = ({ ok, code, message, result, cut }: LastResult): string => {
  // Messages and results may have text that other agents wrote.
  const told = fenced(result === null ? message : `${message}\n${result}`);
  return `${ok ? "done" : (code ?? "failed")}:\n${told}${cut ? "\n[truncated]" : ""}`;
};

const STUCK = "Your turn ends. Do something else in the next one.";
/** The result of the action, after what its call has already answered, as a script can. */
const wholeResult = (pending: PendingStep, own: ToolResult | null): ToolResult | null => {
  const output = pending.results.find(({ id }) => id === pending.acting);
  if (output === undefined) return own;
  const text = `${output.text}\n\nThe result of your action:\n${own?.text ?? RESULT_MISSING}`;
  return { ...output, text, is_error: output.is_error || (own?.is_error ?? true) };
};

/** Adds the results of a step. Ends the turn if the step repeats the steps before it. */
const withResults = (conversation: Conversation, results: readonly ToolResult[]): Conversation => {
  const { turn } = conversation;
  const last = messageBefore(conversation);
  const text = JSON.stringify([last, results.map((result) => result.text)]);
  const times = turn?.same?.text === text ? turn.same.times + 1 : 1;
  const isStuck = times >= SAME_MAX;
  const note = `You have made these calls ${times} times with the same results. ${STUCK}`;
  const told = results.map((result, at) =>
    at < results.length - 1 || !isStuck ? result : { ...result, text: `${result.text}\n\n${note}` },
  );
  const added = withMessages(conversation, [{ role: "tool", results: told }]);
  if (turn === null) return { ...added, turn };
  const next = { ...turn, same: { text, times } };
  if (!isStuck) return { ...added, turn: next };
  // A turn that owes an answer or a result has one more step, in which it can only answer.
  const owesNothing = isMainTurn(turn) && turn.owes === null;
  return { ...added, turn: owesNothing ? null : { ...next, step: ALL_STEPS } };
};

/** True for a turn of the main conversation. */
export const isMainTurn = ({ trigger }: TurnState): boolean =>
  trigger === "autonomous" || trigger === "message";

const messageBefore = ({ messages, next }: Conversation): Json => {
  const message = messages[String(next - 1)];
  if (message?.role !== "assistant") return null;
  return callsOf(message.blocks).map(({ name, args }) => [name, args]);
};

export const withNewTurn = (
  conversation: Conversation,
  text: string,
  start: TurnStart,
): Conversation => ({
  ...withMessages(conversation, [{ role: "user", text }]),
  added: keptAfterTurn(conversation.added),
  interrupted_sleep: null,
  turn: { ...start, step: 0, pending: null, same: null, awaits: false },
});

/** `isLast`: the turn has used its steps, so the model was asked for an answer without tools. */
type StepInput = ToolMoment & {
  readonly tools: ToolSet;
  readonly isLast: boolean;
  readonly feed: StepFeed;
};

/** Runs the calls of a reply. The first call that acts in the world is the action of the step. */
export const stepFrom = async (
  conversation: Conversation,
  blocks: readonly ChatBlock[],
  moment: StepInput,
): Promise<TurnStep> => {
  const sound = soundBlocks(blocks, conversation.next);
  const before = withMessages(conversation, [{ role: "assistant", blocks: sound }]);
  const calls = callsOf(sound);
  const { turn } = before;
  if (calls.length === 0 || turn === null || moment.isLast) {
    const results = calls.map(({ id, name }) => ({ id, name, text: NO_STEP_LEFT, is_error: true }));
    const after = calls.length === 0 ? before : withMessages(before, [{ role: "tool", results }]);
    const { files } = moment;
    return { conversation: { ...after, turn: null }, action: null, sleep: null, files };
  }
  const { results, acting, ended, files, main } = await ran(calls, moment);
  if (acting !== null) {
    const named = calls.map(({ id, name }) => ({ id, name }));
    const { actions } = moment.view.agent.counters;
    const pending = { calls: named, results, acting: acting.id, actions };
    const waiting = { ...before, turn: { ...turn, pending } };
    return {
      conversation: withHelpers(waiting, main, moment),
      action: acting.action,
      sleep: null,
      files,
    };
  }
  const after = withResults(before, resultsFor(calls, results));
  const whole = withHelpers(after, main, moment);
  if (ended === null) return { conversation: whole, action: null, sleep: null, files };
  return { conversation: { ...whole, turn: null }, action: null, sleep: ended.sleep, files };
};

/** The conversation with the helpers that its tools have started or wait for. */
const withHelpers = (
  conversation: Conversation,
  main: Conversation,
  { focus }: StepInput,
): Conversation => {
  if (focus !== null) return conversation;
  const { sides, helpers } = main;
  const { turn } = conversation;
  const awaits = main.turn?.awaits ?? false;
  return { ...conversation, sides, helpers, turn: turn === null ? null : { ...turn, awaits } };
};

const UNSENDABLE = /[^\w-]/g;
const NAME_CHARS_MAX = 64;

/**
 * What a model said, as all providers take it back: well-formed texts, names that a tool can have,
 * and a different id for each call.
 */
const soundBlocks = (blocks: readonly ChatBlock[], message: number): readonly ChatBlock[] => {
  const used = new Set<string>();
  return blocks.map((block, at) => {
    if (block.type !== "tool_call") return { ...block, text: soundText(block.text) };
    const given = block.id.replace(UNSENDABLE, "_").slice(0, NAME_CHARS_MAX);
    const id = given === "" || used.has(given) ? `call_${message}_${at}` : given;
    used.add(id);
    const name = block.name.replace(UNSENDABLE, "_").slice(0, NAME_CHARS_MAX) || "unnamed";
    const args: Json = JSON.parse(soundText(JSON.stringify(block.args)));
    return { ...block, id, name, args };
  });
};

type Ran = {
  readonly results: readonly ToolResult[];
  readonly acting: { readonly id: string; readonly action: JsonObject } | null;
  readonly ended: { readonly sleep: Sleep | null } | null;
  readonly files: Files;
  readonly main: Conversation;
};

export const ONE_ACTION =
  "not done: a step has one action in the world; call this in your next step";
export const AFTER_END = "not done: the turn has ended";
export const AFTER_ACTION = "not done: your turn continues with the result of your action";
const NO_STEP_LEFT = "not done: the turn has used all of its steps";
/** The calls of a step that are done. */
const CALLS_MAX = 20;
const TOO_MANY = `not done: a step has at most ${CALLS_MAX} calls`;

const cutResult = (text: string): string =>
  text.length <= RESULT_CHARS_MAX ? text : `${cutText(text, RESULT_CHARS_MAX)}\n[truncated]`;

const ran = async (calls: readonly ToolCall[], moment: StepInput): Promise<Ran> => {
  const results: ToolResult[] = [];
  let acting: Ran["acting"] = null;
  let ended: Ran["ended"] = null;
  let { files, main } = moment;
  for (const [at, { id, name, args }] of calls.entries()) {
    const told = (text: string, is_error: boolean): void => {
      results.push({ id, name, text, is_error });
      moment.feed.toolEnd({ id, name }, is_error);
    };
    moment.feed.toolStart({ id, name });
    const reason: string | null = at >= CALLS_MAX ? TOO_MANY : ended === null ? null : AFTER_END;
    const outcome: ToolOutcome =
      reason === null ? await outcomeOf(name, args, { ...moment, files, main }) : failed(reason);
    files = outcome.files ?? files;
    if (outcome.kind === "acts") {
      const { action, output } = outcome;
      if (acting !== null) told(ONE_ACTION, true);
      else if (output !== undefined) {
        results.push({ id, name, text: cutResult(output.text), is_error: output.isError });
      }
      acting ??= { id, action };
      continue;
    }
    if (outcome.kind === "ends" && acting !== null) {
      told(AFTER_ACTION, true);
      continue;
    }
    if (outcome.kind === "ends") ended = { sleep: outcome.sleep };
    if (outcome.kind !== "ends") main = outcome.main ?? main;
    told(cutResult(outcome.text), outcome.kind === "failed");
  }
  return { results, acting, ended, files, main };
};

const outcomeOf = (name: string, args: Json, moment: StepInput): ReturnType<Tool["call"]> => {
  const { tools } = moment;
  const tool = tools.get(name);
  if (tool !== undefined) return tool.call(args, moment);
  const names = [...tools.values()].flatMap(({ offer, isInternal = false }) =>
    isInternal ? [] : [offer.name],
  );
  const meant = didYouMean(name, names);
  return failed(`there is no tool ${name}; ${meant ?? `the tools are ${names.join(", ")}`}`);
};
