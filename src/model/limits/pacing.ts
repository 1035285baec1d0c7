import type { LimitFunction } from "p-limit";
import { cancelled, faultOf, type Model, type ModelReply, modelFailure } from "../port/model.ts";
import { outputTokensMax } from "../port/reasoning.ts";
import { type Time, untilAborted } from "../port/time.ts";
import { estimatedUsage } from "../port/usage.ts";
import { VECTORS } from "../port/vectors.ts";

/** The part of a run's clock that model calls need (see `Clock`). */
export type Pacing = {
  readonly held: boolean;
  /** Resolves when the caller may continue. Never resolves during a pause. */
  turn(): Promise<void>;
};

/**
 * Delivers each answer when `clock.turn()` resolves. Without turns, answers that arrive together
 * would block other work, and their agents would keep acting at the same moments. Requests do not
 * wait for turns: requests that waited would leave in ever larger groups. Vectors do not wait for
 * turns, because a search has little time.
 */
export const withPacedAnswers = (inner: Model, clock: Pacing): Model => ({
  ask: async (request, signal) => {
    const reply = await inner.ask(request, signal);
    if (request.form === VECTORS) return reply;
    const delivered = clock.turn().then(() => reply);
    return untilAborted(delivered, signal, () => ({
      ...cancelled(reply.servedBy, reply.latencyMs),
      usage: reply.usage,
    }));
  },
});

export const heldWhilePaused = (inner: Model, clock: Pacing): Model => ({
  ask: (request, signal) => {
    if (!clock.held || request.form === VECTORS) return inner.ask(request, signal);
    const asked = clock.turn().then(() => inner.ask(request, signal));
    return untilAborted(asked, signal, () => cancelled(request.model));
  },
});

/** Limits concurrent calls. Other calls wait in order of arrival. Models may share `slots`. */
export const limitConcurrency = (inner: Model, slots: LimitFunction): Model => ({
  ask: (request, signal) => {
    let isSent = false;
    const cancelledReply = (): ModelReply => {
      const reply = cancelled(request.model);
      return isSent ? { ...reply, usage: estimatedUsage(request, 0) } : reply;
    };
    // A cancelled call gets its reply immediately. Its entry in the queue then sends nothing.
    const turn = slots(() => {
      if (signal.aborted) return cancelledReply();
      isSent = true;
      return inner.ask(request, signal);
    });
    return untilAborted(turn, signal, cancelledReply);
  },
});

/** Resolves with true when all events so far are on disk, or with false if the journal failed. */
export type Durable = () => Promise<boolean>;

/**
 * Sends a prompt only when the events that it describes are on disk (decision 0012). Otherwise a
 * crash could undo events that a paid call refers to. `request.durable` is the promise that
 * `durable()` returned when the prompt was built.
 */
export const afterCommit = (inner: Model, durable: Durable): Model => ({
  ask: async (request, signal) => {
    const isDurable = await (request.durable ?? durable());
    return isDurable ? inner.ask(request, signal) : cancelled(request.model);
  },
});

/**
 * Ends each attempt after `timeoutMs`, not counting time in queues. Many providers also bill an
 * interrupted call, so its usage is estimated. A timeout counts as the longest possible answer.
 */
export const withTimeout = (inner: Model, timeoutMs: number, time: Time): Model => ({
  ask: async (request, signal) => {
    if (signal.aborted) return cancelled(request.model);
    const startedMs = time.now();
    const either = new AbortController();
    const abort = (): void => either.abort();
    const disarm = time.after(timeoutMs, abort);
    // `AbortSignal.any` would be slow compared with the rest of this function.
    signal.addEventListener("abort", abort, { once: true });
    const reply = await untilAborted(inner.ask(request, either.signal), either.signal, () =>
      cancelled(request.model, time.now() - startedMs),
    );
    disarm();
    signal.removeEventListener("abort", abort);
    if (reply.ok || reply.fault !== "cancelled") return reply;
    if (signal.aborted) return { ...reply, usage: estimatedUsage(request, 0) };
    const fault = faultOf("timeout", `no answer within ${timeoutMs / 1_000} s`);
    const usage = estimatedUsage(request, outputTokensMax(request));
    return modelFailure(reply.servedBy, fault, { usage, latencyMs: reply.latencyMs });
  },
});
