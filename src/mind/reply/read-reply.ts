import {
  isObject,
  type Json,
  type JsonObject,
  jsonProblem,
  parseAction,
  type Sleep,
} from "../../kernel/index.ts";
import { endOfObject, extractJson } from "../../model/index.ts";
import { oneLine } from "../prompt/fence.ts";
import { sleepOf, sleepSchema } from "../script/sleep-schema.ts";
import type { CognitiveSchema } from "../settings.ts";
import type { AnswerRead, AnswerReader, ReadResult } from "./ask-until-read.ts";
import { unflattened, withOpenedAction } from "./flat-reply.ts";
import { fieldOutside, withKnownFields } from "./known-fields.ts";
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
export const readReply = (
  text: string,
  { schema, jsonDepthMax }: { readonly schema: CognitiveSchema; readonly jsonDepthMax: number },
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
  const [issue] = read.error.issues;
  const path = ["sleep", ...(issue?.path ?? [])].join(".");
  return { ok: false, problem: `${path}: ${issue?.message ?? "is not a valid sleep"}` };
};

export const decisionReader = (about: {
  readonly schema: CognitiveSchema;
  readonly jsonDepthMax: number;
}): AnswerReader<Reply> => ({
  form: REPLY_FORMS[about.schema],
  read: (text) => readReply(text, about),
});
