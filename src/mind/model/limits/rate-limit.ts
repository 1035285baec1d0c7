import { cancelled, type Model } from "../model.ts";
import type { Time } from "../time.ts";
import { countedTokens, mostTokens } from "../usage.ts";
import { Queue } from "./queue.ts";

export type RateLimits = {
  /** The maximum number of requests per minute, or null for no limit. */
  readonly requestsPerMinute: number | null;
  readonly tokensPerMinute: number | null;
  /** The calls that an earlier process made in the last minute. */
  readonly taken?: readonly Taken[];
};

export type Taken = { readonly tokens: number; readonly endedMs: number };

/**
 * Keeps the calls of one key within its limits per minute, in order of arrival. A call reserves its
 * maximum tokens. At its end, the real number replaces the maximum. Requests are spaced, because
 * providers also limit parts of a minute, and because bursts of fast callers delay slow callers.
 */
export const rateLimited = (inner: Model, limits: RateLimits, time: Time): Model => {
  if (limits.requestsPerMinute === null && limits.tokensPerMinute === null) return inner;
  const own = new KeyLimits(limits, time);
  return {
    ask: async (request, signal) => {
      const reserved = mostTokens(request);
      if ((await own.enter(reserved, signal)) === "left") return cancelled(request.model);
      const reply = await inner.ask(request, signal);
      own.leave(reserved, countedTokens(reply, request));
      return reply;
    },
  };
};

/** The maximum spacing of request starts. It applies to keys with few requests per minute. */
const GAP_MS_MAX = 1_000;

class KeyLimits {
  readonly #requests: SlidingWindow;
  readonly #tokens: SlidingWindow;
  readonly #gapMs: number;
  readonly #time: Time;
  readonly #queue = new Queue<"entered">(() => this.#advance());
  #disarm: (() => void) | null = null;
  #nextStartMs = Number.NEGATIVE_INFINITY;

  constructor({ requestsPerMinute, tokensPerMinute, taken = [] }: RateLimits, time: Time) {
    this.#requests = new SlidingWindow(requestsPerMinute ?? Number.MAX_SAFE_INTEGER);
    this.#tokens = new SlidingWindow(tokensPerMinute ?? Number.MAX_SAFE_INTEGER);
    this.#gapMs =
      requestsPerMinute === null ? 0 : Math.min(GAP_MS_MAX, WINDOW_MS / requestsPerMinute);
    this.#time = time;
    const byEnd = taken.toSorted((one, other) => one.endedMs - other.endedMs);
    for (const { tokens, endedMs } of byEnd) this.#end({ amount: 0, used: tokens }, 0, endedMs);
  }

  enter(tokens: number, signal: AbortSignal): Promise<"entered" | "left"> {
    return this.#queue.enter(tokens, signal);
  }

  leave(amount: number, used: number): void {
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
    for (let amount = this.#queue.first; amount !== null; amount = this.#queue.first) {
      if (nowMs < this.#nextStartMs) return this.#waitFor(this.#nextStartMs, nowMs);
      if (!this.#requests.hasRoom(1, nowMs) || !this.#tokens.hasRoom(amount, nowMs)) {
        const nextMs = Math.min(this.#requests.nextMs, this.#tokens.nextMs);
        return this.#waitFor(nextMs, nowMs);
      }
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

  /** Returns whether an amount fits. An amount above the limit fits if nothing else is in use. */
  hasRoom(amount: number, nowMs: number): boolean {
    for (let [first] = this.#ended; first && first.freeAtMs <= nowMs; [first] = this.#ended) {
      this.#taken -= first.used;
      this.#ended.shift();
    }
    return this.#taken + Math.min(amount, this.#max) <= this.#max;
  }

  take(amount: number): void {
    this.#taken += amount;
  }

  end({ amount, used }: Usage, nowMs: number): void {
    this.#taken += used - amount;
    if (used > 0) this.#ended.push({ used, freeAtMs: nowMs + WINDOW_MS + 1 });
  }

  get nextMs(): number {
    return this.#ended[0]?.freeAtMs ?? Number.POSITIVE_INFINITY;
  }
}
