import { cancelled, failed, passing, untilAborted } from "./failure.ts";
import type { Model } from "./model.ts";
import type { Time } from "./time.ts";
import { guessedUsage } from "./usage.ts";

/**
 * Ends every attempt after `timeoutMs`. It stands behind all queues, which it does not count. What
 * ends so was sent, and is billed by many providers: it counts as a guess, and one that was waited
 * for to the end as the longest answer that it may have.
 */
export const timedOut = (inner: Model, timeoutMs: number, time: Time): Model => ({
  ask: async (request, signal) => {
    if (signal.aborted) return cancelled(request.model, 0);
    const startedMs = time.now();
    const either = new AbortController();
    const giveUp = (): void => either.abort();
    const disarm = time.after(timeoutMs, giveUp);
    // Not AbortSignal.any: that costs a call of a busy run a good part of what else it takes.
    signal.addEventListener("abort", giveUp, { once: true });
    const reply = await untilAborted(inner.ask(request, either.signal), either.signal, () =>
      cancelled(request.model, time.now() - startedMs),
    );
    disarm();
    signal.removeEventListener("abort", giveUp);
    if (reply.ok || reply.fault !== "cancelled") return reply;
    if (signal.aborted) return { ...reply, usage: guessedUsage(request, 0) };
    const fault = passing("timeout", `no answer within ${timeoutMs / 1_000} s`);
    const usage = guessedUsage(request, request.maxTokens);
    return failed(reply.servedBy, fault, { usage, latencyMs: reply.latencyMs });
  },
});
