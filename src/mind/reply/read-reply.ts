import {
  ACTION_FIELDS,
  ACTION_KINDS,
  type ActionField,
  cutText,
  fieldsOf,
  isList,
  isObject,
  type Json,
  type JsonObject,
  jsonIn,
  jsonProblem,
  parseAction,
  type Sleep,
} from "../../kernel/index.ts";
import { endOfObject, extractJson } from "../../model/index.ts";
import { firstIssue } from "../core/findings.ts";
import type { CognitiveSchema } from "../core/settings.ts";
import { sleepOf, sleepSchema } from "../core/sleep.ts";
import { oneLine } from "../prompt/fence.ts";
import type { AnswerRead, AnswerReader, ReadResult } from "./ask-until-read.ts";
import { fieldOutside, unknownFieldProblem, withKnownFields } from "./known-fields.ts";
import { REPLY_FORMS } from "./reply-form.ts";

export type Reply = {
  readonly reasoning: string;
  /** The analysis of the OODA schema, or empty in the simple schema. */
  readonly assessment: string;
  readonly action: Json;
  readonly sleep: Sleep | null;
};

/** Rejects a parsed reply. The problem is cut to one line, even if it quotes a long value. */
const unfit = (problem: string): AnswerRead<never> => ({
  ok: false,
  problem: oneLine(problem, PROBLEM_CHARS_MAX),
  rejected: true,
});

const PROBLEM_CHARS_MAX = 500;

/**
 * Reads a reply in any form. A problem is one line that tells the model what to change. A reply
 * with a JSON object, but without a valid action, is `rejected`.
 */
export const decisionReader = (
  schema: CognitiveSchema,
  jsonDepthMax: number,
): AnswerReader<Reply> => ({
  form: REPLY_FORMS[schema],
  read: (text) => readReply(text, schema, jsonDepthMax),
});

const readReply = (
  text: string,
  schema: CognitiveSchema,
  jsonDepthMax: number,
): AnswerRead<Reply> => {
  const found = extractJson(text, decides);
  if (found === undefined || (!decides(found) && isUnclosed(text)))
    return { ok: false, problem: nothingIn(text) };
  const problem = jsonProblem(found, jsonDepthMax + ENVELOPE_DEPTH);
  if (problem !== null) return unfit(`the reply is not plain data: ${problem}`);
  const opened = withOpenedAction(found);
  if (!opened.ok) return unfit(opened.problem);
  const reply = opened.value;
  const given = unflattened(reply);
  if (!given.ok) return unfit(given.problem);
  const { action } = given.value;
  if (!isObject(action)) {
    const right = 'it is an object such as {"action": {"noop": {}}} next to your thoughts';
    return unfit(`the reply has no "action"; ${right}`);
  }
  const known = withKnownFields(action);
  if (!known.ok) return unfit(`action: ${known.problem}`);
  const outside = "action" in reply ? fieldOutside(reply, known.value) : null;
  if (outside !== null) return unfit(outside);
  const parsed = parseAction(known.value, jsonDepthMax);
  if (parsed.kind === "refused") return unfit(`action: ${parsed.refusal.message}`);
  const sleep = readSleep(given.value.sleep ?? null);
  if (!sleep.ok) return unfit(sleep.problem);
  const said = (key: string): string => {
    const words = given.value[key];
    return typeof words === "string" ? words : "";
  };
  const reasoning = schema === "ooda" ? said("action_rationale") : said("thought_process");
  const assessment = schema === "ooda" ? said("situation_assessment") : "";
  const value = { reasoning, assessment, action: known.value, sleep: sleep.value };
  return { ok: true, value };
};

/** Returns whether an object is a decision. Prose may also hold other objects, such as quotes. */
const decides = (found: JsonObject): boolean => "action" in found || "action_type" in found;

/** Returns whether the first object of a text has no end. Then objects inside it mean nothing. */
const isUnclosed = (text: string): boolean => endOfObject(text, text.indexOf("{")) === null;

const ENVELOPE_DEPTH = 2;

const nothingIn = (text: string): string =>
  text.trim() === ""
    ? "the reply is empty; answer with one JSON object"
    : "the reply contains no JSON object that can be read; answer with one and nothing else";

const readSleep = (given: Json): ReadResult<Sleep | null> => {
  if (given === null) return { ok: true, value: null };
  const read = sleepSchema.safeParse(given);
  if (read.success) return { ok: true, value: sleepOf(read.data) };
  return { ok: false, problem: firstIssue("sleep", read.error) };
};

const SHOWN_CHARS = 80;

/**
 * Reads an `action` that is the name of an action, with fields next to it, or JSON text, or holds
 * the flat form.
 */
const withOpenedAction = (reply: JsonObject): ReadResult<JsonObject> => {
  const { action: named, ...others } = reply;
  if (isObject(named) && isFlat(named)) {
    const inner = unflattened(named);
    if (!inner.ok) return inner;
    const { action = null, sleep = null } = inner.value;
    return { ok: true, value: { ...others, action, sleep: others.sleep ?? sleep } };
  }
  if (typeof named !== "string") return { ok: true, value: reply };
  if (ACTION_KINDS.some((kind) => kind === named.trim())) {
    return { ok: true, value: { ...others, action_type: named.trim() } };
  }
  const written = jsonIn(named);
  if (isObject(written)) return withOpenedAction({ ...others, action: written });
  const right = `"action" is an object such as {"noop": {}}, for one of ${ACTION_KINDS.join(", ")}`;
  return { ok: false, problem: `"${cutText(named, SHOWN_CHARS)}" is not an action; ${right}` };
};

/** Converts a flat reply to the nested form. Returns any other object unchanged. */
const unflattened = (reply: JsonObject): ReadResult<JsonObject> => {
  const { action_type: named } = reply;
  if (typeof named !== "string" || "action" in reply) return { ok: true, value: reply };
  const kind = ACTION_KINDS.find((known) => known === named);
  if (kind === undefined) {
    const shown = cutText(named, SHOWN_CHARS);
    const problem = `action_type "${shown}" is not one of ${ACTION_KINDS.join(", ")}`;
    return { ok: false, problem };
  }
  const opened = withOpenedText(reply);
  if (!opened.ok) return opened;
  const problem = unknownFieldProblem(kind, opened.value, FLAT_KEYS);
  if (problem !== null) return { ok: false, problem };
  const given: JsonObject = { ...opened.value, ...attachmentOf(opened.value) };
  const action = Object.fromEntries(
    fieldsOf(kind).flatMap((field) => {
      const value = given[field.name];
      return value === undefined || isUnset(field, value) ? [] : [[field.name, value] as const];
    }),
  );
  return { ok: true, value: { ...given, action: { [kind]: action }, sleep: flatSleepOf(given) } };
};

/** Returns whether an action has `action_type` and at least one key that only flat replies have. */
const isFlat = (action: JsonObject): boolean =>
  "action_type" in action &&
  Object.keys(action).some((key) => key.endsWith(TEXT_ENDING) || FLAT_ONLY.includes(key));

const FLAT_ONLY = ["attach_scrip", "attach_artifacts", "sleep_for_s", "sleep_until"];

/** The keys of a flat reply after its JSON text is read. The form has the fields of all actions. */
const FLAT_KEYS: readonly string[] = [
  ...ACTION_FIELDS.map(({ name }) => name),
  "action_type",
  "sleep",
  ...FLAT_ONLY,
];

/** Returns whether a field is unset: null, or false for a flag. A flat reply has every field. */
const isUnset = ({ type }: ActionField, value: Json): boolean =>
  value === null || (type === "flag" && value === false);

/** Keys of a flat reply with this ending hold JSON text, in an interface too. */
const TEXT_ENDING = "_json";

/**
 * Replaces each `<name>_json` by `<name>` with the value of its JSON text. Drops unset keys, which
 * are null or blank text. Only the result of an example can be null.
 */
const withOpenedText = (reply: JsonObject): ReadResult<JsonObject> => {
  const opened: (readonly [string, Json])[] = [];
  for (const [key, given] of Object.entries(reply)) {
    if (given === null && key !== "result") continue;
    if (key.endsWith(TEXT_ENDING) && typeof given === "string") {
      if (given.trim() === "") continue;
      const value = jsonIn(given);
      if (value === undefined) {
        return { ok: false, problem: `${key} is not JSON text: ${cutText(given, SHOWN_CHARS)}` };
      }
      opened.push([key.slice(0, -TEXT_ENDING.length), value]);
    } else {
      const inner = openedPart(key, given);
      if (!inner.ok) return inner;
      opened.push([key, inner.value]);
    }
  }
  return { ok: true, value: Object.fromEntries(opened) };
};

/** The parts of a flat reply that can hold JSON text and null keys themselves. */
const NESTED: ReadonlySet<string> = new Set(["interface", "methods", "examples", "sleep_until"]);

const openedPart = (key: string, given: Json): ReadResult<Json> => {
  if (!NESTED.has(key)) return { ok: true, value: given };
  if (isObject(given)) return withOpenedText(given);
  if (!isList(given)) return { ok: true, value: given };
  const opened: Json[] = [];
  for (const item of given) {
    const inner: ReadResult<Json> = isObject(item)
      ? withOpenedText(item)
      : { ok: true, value: item };
    if (!inner.ok) return inner;
    opened.push(inner.value);
  }
  return { ok: true, value: opened };
};

const attachmentOf = ({
  attach_scrip: scrip,
  attach_artifacts: artifacts,
}: JsonObject): JsonObject => {
  const attach = {
    ...(typeof scrip === "number" && scrip > 0 ? { scrip } : {}),
    ...(Array.isArray(artifacts) && artifacts.length > 0 ? { artifacts } : {}),
  };
  return Object.keys(attach).length === 0 ? {} : { attach };
};

const flatSleepOf = ({ sleep, sleep_for_s: for_s, sleep_until: until }: JsonObject): Json => {
  if (sleep !== undefined) return sleep;
  if (typeof for_s !== "number" || for_s <= 0) return null;
  return until === undefined ? { for_s } : { for_s, until };
};
