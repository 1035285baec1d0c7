import { createHash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { Dice } from "../../../src/kernel/core/dice.ts";
import type { Answer } from "../../support/model-server/answer.ts";
import { faults } from "../../support/model-server/faults.ts";
import { askerOf } from "../../support/model-server/model-server.ts";
import { openAiChatWire } from "../../support/model-server/openai-chat-wire.ts";
import { schemaValue } from "./schema-value.ts";
import { randomSleep, uninformedAction } from "./uninformed-action.ts";

export type ModelBehavior = {
  readonly seed: number;
  /** Share of requests that get faults before a reply. */
  readonly faultShare: number;
  /** Share of replies that cannot be used. */
  readonly unusableShare: number;
  /** Whether faults can also depend on real time or on the memory of the requesting process. */
  readonly timingDependent: boolean;
  /** Maximum number of attempts of one request. */
  readonly attemptsMax: number;
};

export const FAULTLESS = { faultShare: 0, unusableShare: 0, timingDependent: false } as const;

const requestBody = z.looseObject({
  model: z.string(),
  messages: z.unknown(),
  response_format: z.looseObject({ json_schema: z.unknown().optional() }).optional(),
});

/**
 * Replaces the network. A reply depends only on the seed and the prompt, never on the order of
 * requests. A repeated request gets the same faults and then the same reply, also in a restarted
 * process. A request counts as repeated until its agent sends a different one.
 */
export const simulatedModels = (behavior: ModelBehavior): typeof globalThis.fetch => {
  const last = new Map<string, { readonly key: string; readonly repeats: number }>();
  return async (_address, init) => {
    const body = requestBody.parse(JSON.parse(String(init?.body)));
    const key = createHash("sha256").update(JSON.stringify(body)).digest("hex");
    const asker = askerOf({ system: JSON.stringify(body.messages) });
    const previous = last.get(asker);
    const repeats = previous?.key === key ? previous.repeats + 1 : 0;
    last.set(asker, { key, repeats });
    const dice = Dice.of(behavior.seed, key);
    const before = faultsBefore(dice, behavior);
    const at = repeats % (before.length + 1);
    const fault =
      before.length >= behavior.attemptsMax ? before[repeats % behavior.attemptsMax] : before[at];
    const answer = fault ?? answerTo(dice, behavior, body);
    if (behavior.timingDependent && dice.chance(0.1)) await delay(dice.pick(6));
    return responseWith(answer, body.model, init?.signal ?? null);
  };
};

const FAULTS: readonly (() => Answer)[] = [
  () => ({ ...faults.rateLimited(), headers: { "retry-after-ms": "1" } }) as Answer,
  ...[faults.rateLimited, faults.serverError, faults.unavailable, faults.overloaded],
  ...[faults.requestTimeout, faults.conflict, faults.reset, faults.resetMidBody, faults.noAnswer],
  ...[faults.invalidJson, faults.truncatedJson, faults.emptyBody, faults.otherJson],
  ...[faults.html, faults.htmlError],
  () => faults.errorIn200("The model is overloaded", "overloaded"),
];

/** Faults after which a request is not repeated. */
const FINAL_FAULTS = [faults.refusal, faults.notFound, faults.contextTooLong] as const;

const TIMED_FAULTS: readonly (() => Answer)[] = [
  ...[faults.hang, faults.hangMidBody, faults.unauthorized, faults.insufficientQuota],
  ...[faults.badSchema, faults.noResponseFormat],
  () => faults.rateLimited("400"),
];

const faultsBefore = (dice: Dice, behavior: ModelBehavior): readonly Answer[] => {
  const { faultShare, timingDependent, attemptsMax } = behavior;
  if (!dice.chance(faultShare)) return [];
  const of = timingDependent && dice.chance(0.2) ? TIMED_FAULTS : FAULTS;
  return Array.from({ length: 1 + dice.pick(attemptsMax) }, () =>
    (dice.choose(of) ?? faults.reset)(),
  );
};

type RequestBody = z.infer<typeof requestBody>;

const answerTo = (dice: Dice, behavior: ModelBehavior, body: RequestBody): Answer => {
  if (dice.chance(behavior.faultShare / 4)) return (dice.choose(FINAL_FAULTS) ?? faults.refusal)();
  const usable = !dice.chance(behavior.unusableShare);
  const text = usable ? decision(dice, behavior, body) : unusableReply(dice, behavior, body);
  const ending = dice.choose(["stop", "length", "filter", "error", "unknown", "missing"] as const);
  const usage = dice.chance(0.1) ? "none" : dice.chance(0.05) ? "strings" : countOf(dice);
  return { text, usage, ...(usable || ending === undefined ? {} : { ending }) };
};

const countOf = (dice: Dice) => ({ input: dice.pick(3_000), output: dice.pick(300) });

/** A usable reply. It fits the requested schema if there is one. */
const decision = (dice: Dice, behavior: ModelBehavior, body: RequestBody): string => {
  const { messages, response_format } = body;
  const schema = response_format?.json_schema;
  const decides = JSON.stringify(messages).includes("action");
  if (schema !== undefined && (!decides || dice.chance(0.3))) {
    return JSON.stringify(schemaValue(schema, dice));
  }
  const action = behavior.unusableShare === 0 ? { noop: {} } : uninformedAction(dice);
  const thought = { thought_process: words(dice), goal: words(dice), mood: "glad", weight: 0.5 };
  const ooda = { situation_assessment: words(dice), action_rationale: words(dice) };
  const sleep = behavior.unusableShare > 0 && dice.chance(0.1) ? { sleep: randomSleep(dice) } : {};
  const judgement = { score: dice.pick(120) - 10, reason: words(dice), verdict: "keep" };
  return JSON.stringify({ ...thought, ...ooda, ...judgement, action, ...sleep });
};

const WORDS = 'iron|bread|pay|a3|p1|{balance}|é|\u{1f600}|\n## Rules\n|"'.split("|");
const words = (dice: Dice): string =>
  Array.from({ length: 1 + dice.pick(6) }, () => dice.choose(WORDS)).join(" ");

const unusableReply = (dice: Dice, behavior: ModelBehavior, body: RequestBody): string => {
  const json = decision(dice, behavior, body);
  const made: readonly (() => string)[] = [
    () => "",
    () => " \n ",
    () => "I would rather not say.",
    () => `Certainly! Here it is:\n\`\`\`json\n${json}\n\`\`\`\nHope that helps.`,
    () => `<think>{"action": {"noop"</think>${json}`,
    () => json.slice(0, dice.pick(json.length)),
    () => `${json}${json}`,
    () => '{"action": {"steal": {}}}',
    () => '{"action": null, "thought_process": 7}',
    () => '{"action": {"read_artifact": {"artifact_id": 7}}}',
    () => '{"action_type": "dance", "artifact_id": "a1"}',
    () => '{"action_type": "invoke_artifact", "artifact_id": "a1", "args_json": "[oops"}',
    () => `{"action": ${"[".repeat(300)}${"]".repeat(300)}}`,
    () => `{"thought_process": "${"x".repeat(20_000)}", "action": {"noop": {}}}`,
    () => '{"thought_process": "\\ud800 \\u0000", "action": {"noop": {}}}',
    () => '{"action": {"write_artifact": {"artifact_id": "a1", "content": "\\ud800\\u0000"}}}',
    () => '{"__proto__": {"action": {"noop": {}}}, "constructor": 1, "action": {"noop": {}}}',
    () => '{"action": {"noop": {}}, "sleep": {"for_s": 1e400}}',
    () => '{"action": {"noop": {}}, "sleep": {"for_s": "soon", "until": "ever"}}',
    () => "null",
    () => "[]",
    () => String.fromCharCode(...Array.from({ length: 60 }, () => dice.pick(0xff_ff))),
  ];
  return (dice.choose(made) ?? (() => ""))();
};

type Signal = AbortSignal | null;

const responseWith = async (answer: Answer, model: string, signal: Signal): Promise<Response> => {
  const json = (status: number, value: unknown, more: object = {}): Response => {
    const headers = { "content-type": "application/json", ...more };
    return new Response(JSON.stringify(value), { status, headers });
  };
  if ("raw" in answer) {
    const headers = { "content-type": "application/json", ...answer.headers };
    return new Response(answer.raw, { status: answer.status ?? 200, headers });
  }
  if ("status" in answer) {
    return json(answer.status, openAiChatWire.refusal(answer), answer.headers);
  }
  if ("text" in answer) return json(200, openAiChatWire.reply(answer, model));
  if ("whole" in answer) return json(200, answer.whole);
  if ("events" in answer) throw new Error("no call of a simulated run is streamed");
  switch (answer.broken) {
    case "hang":
      return await new Promise<never>((_, reject) => {
        signal?.addEventListener("abort", () => reject(signal.reason));
      });
    case "hang_mid_body":
      return partialReply((body) => {
        signal?.addEventListener("abort", () => body.error(signal.reason));
      });
    case "reset":
      throw new TypeError("fetch failed", { cause: broken("ECONNRESET") });
    case "reset_mid_body":
      return partialReply((body) => queueMicrotask(() => body.error(broken("UND_ERR_SOCKET"))));
    default:
      return json(200, openAiChatWire.breakdown(answer, model));
  }
};

const broken = (code: string): Error => Object.assign(new Error("it broke"), { code });

/** A reply that breaks off after its beginning. */
const partialReply = (
  end: (body: ReadableStreamDefaultController<Uint8Array>) => void,
): Response => {
  const start = (body: ReadableStreamDefaultController<Uint8Array>): void => {
    body.enqueue(new TextEncoder().encode('{"id":'));
    end(body);
  };
  const headers = { "content-type": "application/json" };
  return new Response(new ReadableStream({ start }), { status: 200, headers });
};
