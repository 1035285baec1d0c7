import type { Model } from "./model.ts";
import type { Pricing } from "./pricing.ts";
import { type RecordedCall, recordedRequest, requestKey } from "./recorded-call.ts";
import { VECTORS } from "./vectors.ts";

export type RecordingParts = {
  readonly sink: (call: RecordedCall) => void;
  readonly pricing: Pricing;
  /** Run time, in ms. */
  readonly now: () => number;
};

/**
 * Hands every finished call to the sink before its caller gets the reply. A call that was given up
 * has no end of its own and is not recorded, and of vectors only what they cost.
 */
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
      atMs: now(),
    });
    return reply;
  },
});
