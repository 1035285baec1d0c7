import type { Breakdown, Ending, Refusal, Reply } from "./answer.ts";
import { googleEvents } from "./event-streams.ts";
import { textOf, usageIn, type Wire } from "./wire.ts";

const FINISH: { readonly [E in Ending]: string | undefined } = {
  stop: "STOP",
  length: "MAX_TOKENS",
  filter: "SAFETY",
  error: "MALFORMED_FUNCTION_CALL",
  unknown: "TIRED",
  missing: undefined,
};

const STATUS: ReadonlyMap<number, string> = new Map([
  [400, "INVALID_ARGUMENT"],
  [401, "UNAUTHENTICATED"],
  [403, "PERMISSION_DENIED"],
  [404, "NOT_FOUND"],
  [429, "RESOURCE_EXHAUSTED"],
  [500, "INTERNAL"],
  [503, "UNAVAILABLE"],
]);

type Turn = { readonly parts?: unknown };

/** Google's generateContent, v1beta. */
export const googleWire: Wire = {
  events: googleEvents,
  read: ({ systemInstruction, contents }) => {
    const system: Turn = typeof systemInstruction === "object" ? (systemInstruction ?? {}) : {};
    const turns: readonly Turn[] = Array.isArray(contents) ? contents : [];
    return {
      system: textOf(system.parts),
      prompt: turns.map(({ parts }) => textOf(parts)).join("\n"),
    };
  },
  reply: (reply, modelVersion) => ({
    candidates: [
      {
        index: 0,
        content: { role: "model", parts: reply.text === "" ? [] : [{ text: reply.text }] },
        finishReason: FINISH[reply.ending ?? "stop"],
      },
    ],
    usageMetadata: usageOf(reply),
    modelVersion,
  }),
  refusal: (refusal) => errorOf(refusal, refusal.status),
  breakdown: (breakdown) => {
    if (breakdown.broken === "error_in_200") return errorOf(breakdown, 500);
    if (breakdown.broken === "no_answer") return { candidates: [] };
    return { promptFeedback: { blockReason: "PROHIBITED_CONTENT" } };
  },
};

const errorOf = (refusal: Refusal | Breakdown, code: number): unknown => ({
  error: {
    code,
    message: refusal.message ?? "error",
    status: refusal.code ?? STATUS.get(code) ?? "UNKNOWN",
    ...("details" in refusal ? { details: refusal.details } : {}),
  },
});

/** Here output does not hold thoughts. */
const usageOf = (reply: Reply): unknown =>
  usageIn(reply, ({ input, output, cached, reasoning }) => ({
    promptTokenCount: input,
    cachedContentTokenCount: cached,
    candidatesTokenCount: output - reasoning,
    thoughtsTokenCount: reasoning,
    totalTokenCount: input + output,
  }));
