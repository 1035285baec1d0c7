import {
  isObject,
  type Json,
  type JsonObject,
  jsonProblem,
  parseAction,
  type Sleep,
} from "../../kernel/index.ts";
import { oneLine } from "../prompt/index.ts";
import type { CognitiveSchema } from "../settings.ts";
import { extractJson } from "./extract-json.ts";
import { unflattened } from "./flat-reply.ts";
import { readSleep } from "./read-sleep.ts";

/** What a model decided. */
export type Reply = {
  readonly reasoning: string;
  /** The longer analysis of the OODA schema; empty in the simple one. */
  readonly assessment: string;
  readonly action: Json;
  readonly sleep: Sleep | null;
};

type ReplyRead =
  | { readonly ok: true; readonly reply: Reply }
  | { readonly ok: false; readonly problem: string };

/** What is wrong is told on one line, however long the value is that is wrong. */
const unfit = (problem: string): ReplyRead => ({
  ok: false,
  problem: oneLine(problem, PROBLEM_CHARS_MAX),
});

const PROBLEM_CHARS_MAX = 500;

/**
 * Reads a reply in any form that it may have: JSON alone or in prose, nested or flat. What is wrong
 * with it is said in one line that a model can act on. The world judges what the action asks for.
 */
export const readReply = (
  text: string,
  { schema, jsonDepthMax }: { readonly schema: CognitiveSchema; readonly jsonDepthMax: number },
): ReplyRead => {
  const found = extractJson(text, decides);
  if (found === undefined) return unfit(nothingIn(text));
  const fault = jsonProblem(found, jsonDepthMax + ENVELOPE_DEPTH);
  if (fault !== null) return unfit(`the reply is not plain data: ${fault}`);
  const given = unflattened(found);
  if (!given.ok) return unfit(given.problem);
  const { action } = given.value;
  if (!isObject(action)) {
    const right = 'it is an object such as {"action": {"noop": {}}} with your thoughts beside it';
    return unfit(`the reply has no "action"; ${right}`);
  }
  const parsed = parseAction(action, jsonDepthMax);
  if (parsed.kind === "refused") return unfit(`action: ${parsed.refusal.message}`);
  const sleep = readSleep(given.value.sleep ?? null);
  if (!sleep.ok) return unfit(sleep.problem);
  const said = (key: string): string => {
    const words = given.value[key];
    return typeof words === "string" ? words : "";
  };
  const reasoning = schema === "ooda" ? said("action_rationale") : said("thought_process");
  const assessment = schema === "ooda" ? said("situation_assessment") : "";
  return { ok: true, reply: { reasoning, assessment, action, sleep: sleep.sleep } };
};

/** Prose may hold other objects beside the decision, such as what it quotes. */
const decides = (found: JsonObject): boolean => "action" in found || "action_type" in found;

/** An action lies in the reply, and its fields in the action. */
const ENVELOPE_DEPTH = 2;

const nothingIn = (text: string): string =>
  text.trim() === ""
    ? "the reply is empty; answer with one JSON object"
    : "the reply holds no JSON object that can be read; answer with one and nothing else";
