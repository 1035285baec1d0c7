import type { ConversationTurn } from "../../coding-agents/index.ts";
import { isList, isObject, type Json, type JsonObject } from "../../kernel/index.ts";

/** What the memory of an agent with tools says about one iteration. */
export type ToolStep = {
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
export const stepIn = (mind: Json): ToolStep => {
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
    trigger: began ? textOf(setTo(fieldsIn(turn).trigger ?? null)) : null,
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
    return [{ type: "tool_use", content: input, tool_name: textOf(block.name ?? null) ?? "" }];
  }
  const text = textOf(block.text ?? null) ?? "";
  if (text === "") return [];
  return [{ type: block.type === "reasoning" ? "thinking" : "text", content: text, tool_name: "" }];
};

const resultTurns = (result: Json): readonly ConversationTurn[] =>
  isObject(result)
    ? [{ type: "tool_result", content: textOf(result.text ?? null) ?? "", tool_name: "" }]
    : [];

const textOf = (value: Json): string | null => (typeof value === "string" ? value : null);

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
