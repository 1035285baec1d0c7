import { cancelled, failed, passing, untilAborted } from "./failure.ts";
import type { Model } from "./model.ts";
import type { Time } from "./time.ts";

/** Ends every attempt after `timeoutMs`. It stands behind all queues, which it does not count. */
export const timedOut = (inner: Model, timeoutMs: number, time: Time): Model => ({
  ask: async (request, signal) => {
    if (signal.aborted) return cancelled(request.model, 0);
    const startedMs = time.now();
    const late = new AbortController();
    const disarm = time.after(timeoutMs, () => late.abort());
    const either = AbortSignal.any([signal, late.signal]);
    const given = (): ReturnType<typeof cancelled> =>
      cancelled(request.model, time.now() - startedMs);
    const reply = await untilAborted(inner.ask(request, either), either, given);
    disarm();
    if (reply.ok || reply.fault !== "cancelled" || signal.aborted) return reply;
    const fault = passing("timeout", `no answer within ${timeoutMs / 1_000} s`);
    return failed(reply.servedBy, fault, reply);
  },
});
