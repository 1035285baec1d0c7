import { type ConversationTurn, turnLine } from "../../coding-agents/index.ts";
import {
  type ActionEnd,
  type EventOf,
  isList,
  isObject,
  isReserved,
  type Json,
  type JsonObject,
} from "../../kernel/index.ts";

export type DecidedThought = EventOf<"thought_completed">;

/** The event that ends an iteration. */
export type IterationEnd = ActionEnd | EventOf<"thought_failed">;

/** One iteration, as its events tell it. */
export type Iteration = {
  /** What it thought, said and did, in order. */
  readonly turns: readonly ConversationTurn[];
  /** Null if the mind keeps no conversation in its memory. */
  readonly step: ToolStep | null;
  /** The names of the tools that it used, or of its action or method. */
  readonly tools: readonly string[];
};

/** `hasTools`: the memory of the mind is a conversation. `thought` is null if there is none. */
export const iterationOf = (
  thought: DecidedThought | null,
  end: IterationEnd,
  hasTools: boolean,
): Iteration => {
  const step = hasTools ? stepOf(thought, end) : null;
  const told = step !== null && step.turns.length > 0 ? step.turns : thinkingOf(thought);
  const action = end.kind === "thought_failed" ? "think" : end.action;
  // A noop can end a turn. What was said then says more than "nothing was done".
  const isQuiet = action === "noop" && (step !== null || told.length > 0);
  // The conversation of an agent with tools has the call that led to its action.
  const isCalled = step?.acting === true || action === "think" || isQuiet;
  const call = isCalled ? [] : [callOf(thought?.action ?? targetOf(end), action)];
  const result = isQuiet ? [] : [turnOf("tool_result", resultOf(end))];
  return { turns: [...told, ...call, ...result], step, tools: toolsOf(told, end) };
};

const stepOf = (thought: DecidedThought | null, end: IterationEnd): ToolStep =>
  stepIn((end.kind === "thought_failed" ? end.mind : thought?.mind) ?? null);

const thinkingOf = (thought: DecidedThought | null): readonly ConversationTurn[] => {
  if (thought === null || thought.reasoning === "") return [];
  const { reasoning } = thought;
  return MARKED.test(reasoning) ? markedTurns(reasoning) : [turnOf("thinking", reasoning)];
};

/** The reasoning of a coding agent of the host is the text of its turns, with their marks. */
const MARKED = /^(?:💭|📝|🔧|→) /mu;
const MARKS: { readonly [mark: string]: ConversationTurn["type"] } = {
  "💭": "thinking",
  "📝": "text",
  "🔧": "tool_use",
  "→": "tool_result",
};

const markedTurns = (text: string): readonly ConversationTurn[] =>
  text.split(/\n(?=(?:💭|📝|🔧|→) )/u).map((part) => {
    const [, mark = "", said = part] = /^(💭|📝|🔧|→) ([\s\S]*)$/u.exec(part) ?? [];
    const type = MARKS[mark] ?? "text";
    const [, tool = "", input = said] = /^([^(]*)\(([\s\S]*)\)$/u.exec(said) ?? [];
    return type === "tool_use" ? turnOf(type, input, tool) : turnOf(type, said);
  });

const turnOf = (
  type: ConversationTurn["type"],
  content: string,
  tool_name = "",
): ConversationTurn => ({ type, content, tool_name });

const callOf = (decided: Json, action: string): ConversationTurn => {
  const args = isObject(decided) ? (decided[action] ?? decided) : decided;
  return turnOf("tool_use", JSON.stringify(args), action);
};

/** What is known of the arguments of an action that no thought led to. */
const targetOf = (end: IterationEnd): Json => {
  if (end.kind === "thought_failed" || end.target === null) return {};
  const { target: artifact_id, method } = end;
  return method === null ? { artifact_id } : { artifact_id, method };
};

const resultOf = (end: IterationEnd): string => {
  if (end.kind === "action_completed") return end.message;
  const code = end.kind === "thought_failed" ? end.reason : end.code;
  return `${code}: ${end.message}`;
};

const toolsOf = (turns: readonly ConversationTurn[], end: IterationEnd): readonly string[] => {
  const called = turns.flatMap(({ type, tool_name }) => (type === "tool_use" ? [tool_name] : []));
  if (called.length > 0 || end.kind === "thought_failed") return called;
  // The name of a method of a genesis contract says what it does. That of others can be anything.
  const { action, target, method } = end;
  if (method === null) return [action];
  return target !== null && isReserved(target) ? [method] : [];
};

/** The names of tools, actions and methods that read, and of those that write. */
const READS = /^(?:read|grep|glob|find|ls|list|look|search|get|check|status|history)(?:_|$)/iu;
const WRITES = /^(?:write|edit|apply_patch|delete_file|note)(?:_|$)/iu;

/** The tools of an iteration by what they do, in the words of coding agents. */
export const workIn = ({ tools }: Iteration): readonly string[] =>
  tools.map((tool) => (READS.test(tool) ? "Read" : WRITES.test(tool) ? "Write" : tool));

/** What the agent thought and said, and what came of it, without the arguments of its calls. */
export const saidIn = ({ turns }: Iteration): string =>
  turns.flatMap(({ type, content }) => (type === "tool_use" ? [] : [content])).join("\n");

/** The text of an iteration: one line for each thought, text, call and result, in order. */
export const proseIn = ({ turns }: Iteration): string =>
  turns.map((turn) => turnLine(turn)).join("\n");

/** What the memory of an agent with tools says about one iteration. */
type ToolStep = {
  readonly turns: readonly ConversationTurn[];
  /** Whether the iteration began a turn, and ended one. */
  readonly began: boolean;
  readonly ended: boolean;
  /** Why the turn began, such as `message`. Null if the memory does not say so. */
  readonly trigger: string | null;
  /** Whether the model called a tool for the action in the world. */
  readonly acting: boolean;
};

const NO_STEP: ToolStep = { turns: [], began: false, ended: false, trigger: null, acting: false };

/**
 * Reads the change of the memory of an agent with tools. The change has the new messages of the
 * conversation, and whether its turn began or ended. Conversations with helpers and heartbeats
 * count too. Ignores whatever does not look like a conversation.
 */
const stepIn = (mind: Json): ToolStep => {
  const changed = fieldsIn(mind);
  const sides = Object.values(fieldsIn(changed.sides ?? null)).map(bodyStep);
  return [bodyStep(mind), ...sides].reduce(joined, NO_STEP);
};

const joined = (one: ToolStep, other: ToolStep): ToolStep => ({
  turns: [...one.turns, ...other.turns],
  began: one.began || other.began,
  ended: one.ended || other.ended,
  trigger: one.trigger ?? other.trigger,
  acting: one.acting || other.acting,
});

const bodyStep = (change: Json): ToolStep => {
  const body = fieldsIn(change);
  const messages = newMessages(body.messages ?? null);
  const said = messages.findIndex(({ role }) => role === "assistant");
  const began = messages.some(({ role }) => role === "user");
  const turn = body.turn ?? null;
  const isReset = isObject(turn) && "to" in turn && turn.to === null;
  const isWhole = isObject(change) && "to" in change;
  // A turn of one step begins and ends in one thought, so a change does not name it.
  const isShort = began && said >= 0 && (isReset || body.turn === undefined);
  const ended = isShort || (isReset && !isWhole);
  const pending = fieldsIn(fieldsIn(turn).pending ?? null);
  const results = setTo(pending.results ?? null);
  return {
    // The results before the first reply belong to the iteration before this one.
    turns: [
      ...(said < 0 ? [] : messages.slice(said).flatMap(messageTurns)),
      ...(isList(results) ? results.flatMap(resultTurns) : []),
    ],
    began,
    ended,
    trigger: began ? stringOf(setTo(fieldsIn(turn).trigger ?? null)) : null,
    acting: pending.acting !== undefined,
  };
};

/** The messages that the change adds, in order. A change of an old message is not `to`. */
const newMessages = (change: Json): readonly JsonObject[] => {
  const numbered = Object.entries(fieldsIn(change)).flatMap(([number, message]) => {
    const added = setTo(message);
    return isObject(added) ? [{ number: Number(number), added }] : [];
  });
  return numbered.toSorted((a, b) => a.number - b.number).map(({ added }) => added);
};

const messageTurns = ({ role, blocks, results }: JsonObject): readonly ConversationTurn[] => {
  if (role === "assistant" && isList(blocks)) return blocks.flatMap(blockTurns);
  return role === "tool" && isList(results) ? results.flatMap(resultTurns) : [];
};

const blockTurns = (block: Json): readonly ConversationTurn[] => {
  if (!isObject(block)) return [];
  if (block.type === "tool_call") {
    const input = JSON.stringify(block.args ?? {});
    return [{ type: "tool_use", content: input, tool_name: stringOf(block.name ?? null) ?? "" }];
  }
  const text = stringOf(block.text ?? null) ?? "";
  if (text === "") return [];
  return [{ type: block.type === "reasoning" ? "thinking" : "text", content: text, tool_name: "" }];
};

const resultTurns = (result: Json): readonly ConversationTurn[] =>
  isObject(result)
    ? [{ type: "tool_result", content: stringOf(result.text ?? null) ?? "", tool_name: "" }]
    : [];

const stringOf = (value: Json): string | null => (typeof value === "string" ? value : null);

/** The new value of a change. Null if the change goes into the parts of the value. */
const setTo = (change: Json): Json =>
  isObject(change) && "to" in change ? (change.to ?? null) : null;

/** The changes of the fields of an object. A new object changes all its fields. */
const fieldsIn = (change: Json): JsonObject => {
  if (!isObject(change)) return {};
  const fields = change.in ?? null;
  if (isObject(fields)) return fields;
  const value = setTo(change);
  if (!isObject(value)) return {};
  return Object.fromEntries(Object.entries(value).map(([key, to]) => [key, { to }]));
};
