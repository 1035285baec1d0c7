import { hash } from "node:crypto";
import { BoundedResults, memoized } from "../../kernel/index.ts";
import {
  cancelled,
  faultOf,
  type Model,
  type ModelReply,
  type ModelRequest,
  modelFailure,
} from "../port/model.ts";
import { showReply } from "../port/shown-reply.ts";
import { VECTORS } from "../port/vectors.ts";
import type { Pricing } from "../providers/pricing.ts";

type RecordingParts = {
  readonly sink: (call: RecordedCall) => void;
  readonly pricing: Pricing;
  /** Returns the time on the run's clock, in ms. */
  readonly now: () => number;
};

/**
 * Records a call before `ask` resolves, without the texts of vectors. A cancelled call is recorded
 * if it reached a provider, because most providers bill it.
 */
export const recording = (inner: Model, { sink, pricing, now }: RecordingParts): Model => ({
  ask: async (request, signal) => {
    const reply = await inner.ask(request, signal);
    if (isCancelled(reply) && reply.usage.input === 0) return reply;
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

/** The form of the record of a program's turn. No run asks for it, so no run replays it. */
export const TURN_FORM = "turn";

const isCancelled = (reply: ModelReply): boolean => !reply.ok && reply.fault === "cancelled";

export type ReplayCounts = {
  readonly hits: number;
  /** The part of `hits` whose requests differ from the recorded ones. */
  readonly changed: number;
  readonly misses: number;
  readonly left: number;
};

export type Recording = {
  readonly calls: Iterable<RecordedCall>;
  readonly otherwise: "fail" | "ask";
  /**
   * True: a request without a recorded reply gets the next reply to the same agent, purpose and
   * model. A run on the wall clock can be repeated only so: its prompts name times that vary.
   */
  readonly inOrder?: boolean;
};

type Recorded = { readonly reply: ModelReply; isUsed: boolean };

/** Gives a request the next reply recorded for it. If no reply is left, asks `live` or fails. */
export const replaying = (
  { calls, inOrder = false }: Pick<Recording, "calls" | "inOrder">,
  live: Model | null,
): { readonly model: Model; counts(): ReplayCounts } => {
  const queues = new Map<string, Recorded[]>();
  const counts = { hits: 0, changed: 0, misses: 0, left: 0 };
  const add = (key: string, record: Recorded): void => {
    const same = queues.get(key) ?? [];
    queues.set(key, same);
    same.push(record);
  };
  for (const { key, request, reply } of calls) {
    if (request.form === VECTORS.name || request.form === TURN_FORM) continue;
    if (isCancelled(reply)) continue;
    const record = { reply, isUsed: false };
    add(key, record);
    if (inOrder) add(askerOf(request), record);
    counts.left += 1;
  }
  const next = (key: string): ModelReply | undefined => {
    const queue = queues.get(key) ?? [];
    while (queue[0]?.isUsed === true) queue.shift();
    const record = queue.shift();
    if (record === undefined) return undefined;
    record.isUsed = true;
    counts.hits += 1;
    counts.left -= 1;
    return record.reply;
  };
  const model: Model = {
    ask: async (request, signal) => {
      if (signal.aborted) return cancelled(request.model);
      const plain = recordedRequest(request);
      const same = next(requestKey(plain));
      const found = same ?? (inOrder ? next(askerOf(plain)) : undefined);
      if (found !== undefined) {
        if (same === undefined) counts.changed += 1;
        showReply(found, request);
        return found;
      }
      counts.misses += 1;
      if (live !== null) return live.ask(request, signal);
      const asker = request.agent ?? "the run";
      const message = `the recording has no reply for this "${request.purpose}" call of ${asker}`;
      return modelFailure(request.model, faultOf("not_recorded", message));
    },
  };
  return { model, counts: () => ({ ...counts }) };
};

const askerOf = ({ agent, purpose, model }: RecordedRequest): string =>
  JSON.stringify([agent, purpose, model]);

type RecordedRequest = Omit<
  ModelRequest,
  "form" | "atMs" | "durable" | "attempt" | "onDelta" | "onRetry" | "reportedFaults"
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
  const { model, purpose, agent, system, prompt, form } = request;
  const { temperature, maxTokens, reasoning } = request;
  const others = JSON.stringify([
    ...[model, purpose, agent, form],
    ...[temperature, maxTokens, reasoning],
  ]);
  return hash("sha256", `${digestOf(system)} ${others} ${prompt}`);
};

/** The maximum number of cached digests. Many requests share a few system texts. */
const DIGESTS_MAX = 5_000;

const digestOf = memoized(
  (text: string): string => hash("sha256", text),
  new BoundedResults(DIGESTS_MAX),
);
