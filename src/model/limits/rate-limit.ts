import { cancelled, type Model } from "../port/model.ts";
import type { Time } from "../port/time.ts";
import { countedTokens, mostTokens } from "../port/usage.ts";
import { Queue } from "./queue.ts";

/** What a key may use. Null: no limit. */
export type KeyLimits = {
  readonly requestsPerMinute: number | null;
  readonly tokensPerMinute: number | null;
  /** The maximum number of calls at once. */
  readonly concurrency: number | null;
};

export const isUnlimited = ({ requestsPerMinute, tokensPerMinute, concurrency }: KeyLimits) =>
  requestsPerMinute === null && tokensPerMinute === null && concurrency === null;

/** A call that a limiter admitted. */
export type Admission = {
  /** Ends the call, with the tokens that the provider counted. Call it once. */
  leave(usedTokens: number): void;
};

/** The limits of one key. Callers are admitted in order of arrival. */
export type Limiter = {
  /**
   * Waits until a call fits. `tokens` is the maximum that it can use. Resolves with "left" soon
   * after `signal` aborts. Never rejects.
   */
  enter(tokens: number, signal: AbortSignal): Promise<Admission | "left">;
};

/** Each call reserves its maximum tokens. At its end, the real number replaces the maximum. */
export const limitedBy = (limiter: Limiter, inner: Model): Model => ({
  ask: async (request, signal) => {
    const admission = await limiter.enter(mostTokens(request), signal);
    if (admission === "left") return cancelled(request.model);
    const reply = await inner.ask(request, signal);
    admission.leave(countedTokens(reply, request));
    return reply;
  },
});

export type Taken = { readonly tokens: number; readonly endedMs: number };

type LocalLimits = KeyLimits & {
  /** The calls that an earlier process made in the last minute. */
  readonly taken?: readonly Taken[];
};

export const rateLimited = (inner: Model, limits: LocalLimits, time: Time): Model =>
  isUnlimited(limits) ? inner : limitedBy(new LocalLimiter(limits, time), inner);

/** The maximum spacing of request starts. It applies to keys with few requests per minute. */
const GAP_MS_MAX = 1_000;

/**
 * Keeps the calls of one process within the limits of a key, exactly. Requests are spaced, because
 * providers also limit parts of a minute, and because bursts of fast callers delay slow callers.
 */
export class LocalLimiter implements Limiter {
  readonly #requests: SlidingWindow;
  readonly #tokens: SlidingWindow;
  readonly #concurrency: number;
  readonly #gapMs: number;
  readonly #time: Time;
  readonly #queue = new Queue<"entered">(() => this.#advance());
  #running = 0;
  #disarm: (() => void) | null = null;
  #nextStartMs = Number.NEGATIVE_INFINITY;

  constructor(limits: LocalLimits, time: Time) {
    const { requestsPerMinute, tokensPerMinute, concurrency, taken = [] } = limits;
    this.#requests = new SlidingWindow(requestsPerMinute ?? Number.MAX_SAFE_INTEGER);
    this.#tokens = new SlidingWindow(tokensPerMinute ?? Number.MAX_SAFE_INTEGER);
    this.#concurrency = concurrency ?? Number.MAX_SAFE_INTEGER;
    this.#gapMs =
      requestsPerMinute === null ? 0 : Math.min(GAP_MS_MAX, WINDOW_MS / requestsPerMinute);
    this.#time = time;
    const byEnd = taken.toSorted((one, other) => one.endedMs - other.endedMs);
    for (const { tokens, endedMs } of byEnd) this.#end({ amount: 0, used: tokens }, 0, endedMs);
  }

  async enter(tokens: number, signal: AbortSignal): Promise<Admission | "left"> {
    if ((await this.#queue.enter(tokens, signal)) === "left") return "left";
    return { leave: (used) => this.#leave(tokens, used) };
  }

  #leave(amount: number, used: number): void {
    this.#running -= 1;
    this.#end({ amount, used }, 1, this.#time.now());
    this.#advance();
  }

  #end(tokens: Usage, requests: number, nowMs: number): void {
    this.#requests.end({ amount: requests, used: 1 }, nowMs);
    this.#tokens.end(tokens, nowMs);
  }

  /** Admits queued callers while they fit. Then sets a timer for the next caller. */
  #advance(): void {
    this.#disarm?.();
    this.#disarm = null;
    const nowMs = this.#time.now();
    this.#requests.expire(nowMs);
    this.#tokens.expire(nowMs);
    for (let amount = this.#queue.first; amount !== null; amount = this.#queue.first) {
      // The queue advances when a call ends.
      if (this.#running >= this.#concurrency) return;
      if (nowMs < this.#nextStartMs) return this.#waitFor(this.#nextStartMs, nowMs);
      if (!this.#requests.hasRoom(1) || !this.#tokens.hasRoom(amount)) {
        const nextMs = Math.min(this.#requests.nextMs, this.#tokens.nextMs);
        return this.#waitFor(nextMs, nowMs);
      }
      this.#running += 1;
      this.#requests.take(1);
      this.#tokens.take(amount);
      // A start that is less than one gap late does not delay the next start.
      const isOnTime = nowMs - this.#nextStartMs < this.#gapMs;
      this.#nextStartMs = (isOnTime ? this.#nextStartMs : nowMs) + this.#gapMs;
      this.#queue.answerFirst("entered");
    }
  }

  #waitFor(nextMs: number, nowMs: number): void {
    // Only calls in progress use the limit. The queue advances when one of these calls ends.
    if (nextMs === Number.POSITIVE_INFINITY) return;
    const delayMs = Math.max(1, Math.ceil(nextMs - nowMs));
    this.#disarm = this.#time.after(delayMs, () => this.#advance());
  }
}

/** The length of the window for limits per minute, in ms. */
export const WINDOW_MS = 60_000;

/** `amount` is what a call reserved. `used` is at least what the provider counted. */
type Usage = { readonly amount: number; readonly used: number };

/**
 * The usage of a limit per minute. A provider counts a call at an unknown time between its start
 * and its end. So here a call counts from its start until one window after its end. The provider
 * then never counts more than the limit in one window.
 */
class SlidingWindow {
  readonly #max: number;
  /** The amount used by calls in progress and by calls that ended within the window. */
  #taken = 0;
  readonly #ended: { readonly used: number; readonly freeAtMs: number }[] = [];

  constructor(max: number) {
    this.#max = max;
  }

  /** Frees what calls used that ended more than a window ago. */
  expire(nowMs: number): void {
    for (let [first] = this.#ended; first && first.freeAtMs <= nowMs; [first] = this.#ended) {
      this.#taken -= first.used;
      this.#ended.shift();
    }
  }

  /** Returns whether an amount fits. An amount above the limit fits if nothing else is in use. */
  hasRoom(amount: number): boolean {
    return this.#taken + Math.min(amount, this.#max) <= this.#max;
  }

  take(amount: number): void {
    this.#taken += amount;
  }

  end({ amount, used }: Usage, nowMs: number): void {
    this.#taken += used - amount;
    if (used > 0) this.#ended.push({ used, freeAtMs: nowMs + WINDOW_MS + 1 });
  }

  /** When the next call that ended is free. */
  get nextMs(): number {
    return this.#ended[0]?.freeAtMs ?? Number.POSITIVE_INFINITY;
  }
}
