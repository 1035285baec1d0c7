import { hash } from "node:crypto";
import { memoized } from "../../kernel/index.ts";
import {
  cancelled,
  faultOf,
  type Model,
  type ModelReply,
  type ModelRequest,
  modelFailure,
} from "./model.ts";
import type { Pricing } from "./pricing.ts";
import { VECTORS } from "./vectors.ts";

type RecordingParts = {
  readonly sink: (call: RecordedCall) => void;
  readonly pricing: Pricing;
  /** Returns the time on the run's clock, in ms. */
  readonly now: () => number;
};

/** Records a call before `ask` resolves. Records no cancelled calls and no texts of vectors. */
export const recording = (inner: Model, { sink, pricing, now }: RecordingParts): Model => ({
  ask: async (request, signal) => {
    const reply = await inner.ask(request, signal);
    if (!reply.ok && reply.fault === "cancelled") return reply;
    const plain = recordedRequest(request);
    sink({
      key: requestKey(plain),
      request: plain,
      reply: request.form === VECTORS && reply.ok ? { ...reply, text: "" } : reply,
      costMicros: pricing.costMicros(reply.servedBy, reply.usage),
      priced: pricing.priceOf(reply.servedBy).known,
      atMs: request.atMs ?? now(),
    });
    return reply;
  },
});

export type ReplayCounts = {
  readonly hits: number;
  readonly misses: number;
  readonly left: number;
};

export type Recording = {
  readonly calls: Iterable<RecordedCall>;
  readonly otherwise: "fail" | "ask";
};

/** Gives a request the next reply recorded for it. If no reply is left, asks `live` or fails. */
export const replaying = (
  calls: Iterable<RecordedCall>,
  live: Model | null,
): { readonly model: Model; counts(): ReplayCounts } => {
  const replies = new Map<string, ModelReply[]>();
  let [hits, misses, left] = [0, 0, 0];
  for (const { key, request, reply } of calls) {
    if (request.form === VECTORS.name) continue;
    const same = replies.get(key) ?? [];
    replies.set(key, same);
    same.push(reply);
    left += 1;
  }
  const model: Model = {
    ask: async (request, signal) => {
      if (signal.aborted) return cancelled(request.model);
      const reply = replies.get(requestKey(recordedRequest(request)))?.shift();
      if (reply !== undefined) {
        hits += 1;
        left -= 1;
        return reply;
      }
      misses += 1;
      if (live !== null) return live.ask(request, signal);
      const asker = request.agent ?? "the run";
      const message = `the recording has no reply for this "${request.purpose}" call of ${asker}`;
      return modelFailure(request.model, faultOf("not_recorded", message));
    },
  };
  return { model, counts: () => ({ hits, misses, left }) };
};

type RecordedRequest = Omit<
  ModelRequest,
  "form" | "atMs" | "durable" | "attempt" | "reportedFaults"
> & { readonly form: string | null };

export type RecordedCall = {
  /** SHA-256 of the request, in hex. */
  readonly key: string;
  readonly request: RecordedRequest;
  readonly reply: ModelReply;
  readonly costMicros: number;
  /** False if the cost is based on the default price. */
  readonly priced: boolean;
  /** The run time in ms: the start of the thought, or the end of a call outside of thoughts. */
  readonly atMs: number;
};

export const recordedRequest = (request: ModelRequest): RecordedRequest => {
  const { model, purpose, agent, system, prompt, form } = request;
  const { temperature, maxTokens, reasoning } = request;
  const name = form?.name ?? null;
  const limits = { temperature, maxTokens, reasoning };
  return { model, purpose, agent, system, prompt, form: name, ...limits };
};

export const requestKey = (request: RecordedRequest): string => {
  const { model, purpose, agent, system, form, temperature, maxTokens, reasoning } = request;
  const others = JSON.stringify([
    ...[model, purpose, agent, form],
    ...[temperature, maxTokens, reasoning],
  ]);
  const all = `${others.slice(0, -1)},${promptJson(request)}]`;
  return hash("sha256", `${digestOf(system)} ${all}`);
};

/** Returns the prompt as JSON. Cached, because the key and the record both need the JSON. */
export const promptJson = memoized(
  ({ prompt }: RecordedRequest) => JSON.stringify(prompt),
  new WeakMap(),
);

/** The maximum number of cached digests. Many requests share a few system texts. */
const DIGESTS_MAX = 5_000;
const digests = new Map<string, string>();

const digestOf = (text: string): string => {
  const known = digests.get(text);
  if (known !== undefined) return known;
  if (digests.size >= DIGESTS_MAX) digests.clear();
  const digest = hash("sha256", text);
  digests.set(text, digest);
  return digest;
};
