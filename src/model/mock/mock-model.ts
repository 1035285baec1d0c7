import { hash } from "node:crypto";
import { z } from "zod";
import {
  Dice,
  fnv1a,
  isObject,
  type Json,
  type JsonObject,
  memoized,
  must,
} from "../../kernel/index.ts";
import { writtenBlocks } from "../port/chat.ts";
import {
  cancelled,
  faultOf,
  isChatForm,
  type Model,
  type ModelFault,
  type ModelReply,
  type ModelRequest,
  modelFailure,
  NO_TOKENS,
  type ReplyForm,
} from "../port/model.ts";
import { showReply } from "../port/shown-reply.ts";
import { delay, type Time } from "../port/time.ts";
import { estimateTokens } from "../port/units.ts";
import { estimatedUsage } from "../port/usage.ts";
import { textsIn, VECTORS, writtenVectors } from "../port/vectors.ts";
import { choiceFor, type MockChoice } from "./choice.ts";
import { factsIn } from "./prompt-facts.ts";
import { schemaValue, sentenceFor } from "./schema-value.ts";
import { toolStepFor } from "./tool-step.ts";

export type MockAccess = {
  /** The real duration of a call: [min, max] in ms. */
  readonly latencyMs: readonly [number, number];
  /** The share of attempts that fail. */
  readonly faultShare: number;
  readonly seed: number;
  readonly time: Time;
};

/**
 * A model that needs no key and no network. It reads the prompt and chooses an action by simple
 * rules. Replies, faults and latencies depend only on the seed, the texts and purpose of the
 * request, and the number of earlier attempts.
 */
export const mockModel = ({ latencyMs, faultShare, seed, time }: MockAccess): Model => ({
  ask: async (request, signal) => {
    const { system, prompt, purpose, attempt = 0 } = request;
    const digest = hash("sha256", `${purpose}\0${system}\0${prompt}`);
    const dice = Dice.of(seed, `${digest}/${attempt}`);
    const [minMs, maxMs] = latencyMs;
    const tookMs = minMs + dice.pick(maxMs - minMs + 1);
    const isFaulty = dice.chance(faultShare);
    if (tookMs > 0) await delay(time, tookMs, signal);
    if (signal.aborted) return cancelled(request.model);
    const reply = isFaulty ? faultyReply(request, dice) : answerTo(request, dice);
    showReply(reply, request, "word");
    return { ...reply, latencyMs: tookMs };
  },
});

const answered = (request: ModelRequest, text: string): ModelReply => {
  const tokens = request.form === VECTORS ? 0 : estimateTokens(text);
  const usage = estimatedUsage(request, tokens);
  const { model, maxTokens } = request;
  if (tokens <= maxTokens) return { ok: true, text, servedBy: model, usage, latencyMs: 0 };
  const message = `the mock model needs ${tokens} tokens for its reply, more than ${maxTokens}`;
  return modelFailure(model, faultOf("reply_cut_off", message), { usage, latencyMs: 0 });
};

const FAULTS: readonly (readonly [ModelFault, string])[] = [
  ["provider_error", "the mock provider is overloaded"],
  ["rate_limited", "the mock provider has had too many requests"],
  ["empty", "the mock model returned no text"],
  ["refused", "the mock model refuses to answer"],
];
const UNREADABLE = "I would rather explain my plan in words than fill in a form.";

/** Returns a fault, or for a request with a form sometimes a reply that is not in this form. */
const faultyReply = (request: ModelRequest, dice: Dice): ModelReply => {
  const isFormed = request.form !== null && request.form !== VECTORS;
  if (isFormed && dice.chance(0.2)) return answered(request, UNREADABLE);
  const [fault, message] = must(dice.choose(FAULTS), "there must be faults");
  const usage = fault === "refused" ? estimatedUsage(request, 0) : NO_TOKENS;
  return modelFailure(request.model, faultOf(fault, message), { usage, latencyMs: 0 });
};

const answerTo = (request: ModelRequest, dice: Dice): ModelReply => {
  const { form } = request;
  if (form === null) return answered(request, sentenceFor("answer", request.prompt, dice));
  if (form === VECTORS) {
    const vectors = textsIn(request.prompt).map(wordVector);
    return answered(request, writtenVectors(vectors) ?? "");
  }
  if (isChatForm(form)) return answered(request, writtenBlocks(toolStepFor(request, dice)));
  const schema = schemaOf(form);
  const source = { prompt: request.prompt, dice };
  if (!isDecision(schema)) return answered(request, JSON.stringify(schemaValue(schema, source)));
  const choice = choiceFor(factsIn(request), dice);
  return answered(request, JSON.stringify(decision(schema, choice)));
};

/** The JSON Schema of a form. Cached, because creating it costs more than a reply. */
const schemaOf = memoized(
  ({ rich }: ReplyForm) => z.toJSONSchema(rich, { io: "input", unrepresentable: "any" }) as Json,
  new WeakMap(),
);

const propertiesIn = (schema: Json): JsonObject =>
  isObject(schema) && isObject(schema.properties) ? schema.properties : {};

/** Returns whether a schema asks for an action: it has a choice of actions with a `noop`. */
const isDecision = (schema: Json): boolean => {
  const { action } = propertiesIn(schema);
  const choices = isObject(action) ? action.anyOf : undefined;
  return Array.isArray(choices) && choices.some((each) => "noop" in propertiesIn(each));
};

/** Puts the reason of a choice into each text field of a decision. */
const thoughtsIn = (schema: Json, { why }: MockChoice): JsonObject =>
  Object.fromEntries(
    Object.entries(propertiesIn(schema)).flatMap(([name, property]) =>
      isObject(property) && property.type === "string" && property.enum === undefined
        ? [[name, why] as const]
        : [],
    ),
  );

const decision = (schema: Json, choice: MockChoice): JsonObject => {
  const { kind, fields, sleepS } = choice;
  const sleep = sleepS === null ? {} : { sleep: { for_s: sleepS } };
  return { ...thoughtsIn(schema, choice), action: { [kind]: fields }, ...sleep };
};

const DIMENSIONS = 64;

/** Returns a vector of length 1 for a text. Texts that share words have similar vectors. */
const wordVector = (text: string): readonly number[] => {
  const vector = Array.from({ length: DIMENSIONS }, () => 0);
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? ["(nothing)"];
  for (const word of words) {
    const slot = fnv1a(word) % DIMENSIONS;
    vector[slot] = (vector[slot] ?? 0) + 1;
  }
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
};
