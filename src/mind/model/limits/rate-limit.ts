import { cancelled } from "../fault.ts";
import type { Model } from "../model.ts";
import type { Time } from "../time.ts";
import { countedTokens, mostTokens } from "../usage.ts";
import { Queue } from "./queue.ts";

export type RateLimits = {
  /** Null: no limit. */
  readonly requestsPerMinute: number | null;
  readonly tokensPerMinute: number | null;
  /** The usage of the last minute by an earlier process. */
  readonly taken?: readonly Taken[];
};

/** A finished call, in the time of the limits. */
export type Taken = { readonly tokens: number; readonly endedMs: number };

/**
 * Keeps the calls of one key within its limits per minute, in order of arrival. Tokens are reserved
 * at their worst case and corrected after the call. Requests are spaced: providers also count in
 * parts of a minute, and after a burst fast callers would starve slow ones.
 */
export const rateLimited = (inner: Model, limits: RateLimits, time: Time): Model => {
  const { requestsPerMinute, tokensPerMinute, taken = [] } = limits;
  if (requestsPerMinute === null && tokensPerMinute === null) return inner;
  const requests = new SlidingWindow(requestsPerMinute ?? Number.MAX_SAFE_INTEGER);
  const tokens = new SlidingWindow(tokensPerMinute ?? Number.MAX_SAFE_INTEGER);
  for (const { tokens: used, endedMs: nowMs } of taken.toSorted(byEnd)) {
    requests.end({ amount: 0, used: 1, nowMs });
    tokens.end({ amount: 0, used, nowMs });
  }
  const gapMs =
    requestsPerMinute === null ? 0 : Math.min(GAP_MS_MAX, WINDOW_MS / requestsPerMinute);
  const own = new KeyLimits({ requests, tokens, gapMs, time });
  return {
    ask: async (request, signal) => {
      const reserved = mostTokens(request);
      if ((await own.enter(reserved, signal)) === "left") return cancelled(request.model, 0);
      const reply = await inner.ask(request, signal);
      own.leave(reserved, countedTokens(reply, request));
      return reply;
    },
  };
};

const byEnd = (one: Taken, other: Taken): number => one.endedMs - other.endedMs;

/** Bounds the spacing if few requests per minute are allowed. */
const GAP_MS_MAX = 1_000;

type KeyLimitsParts = {
  readonly requests: SlidingWindow;
  readonly tokens: SlidingWindow;
  /** The minimum time between two starts. */
  readonly gapMs: number;
  readonly time: Time;
};

/** The limits of one key and the queue for them. */
class KeyLimits {
  readonly #parts: KeyLimitsParts;
  readonly #queue = new Queue<"entered">(() => this.#advance());
  #disarm: (() => void) | null = null;
  #nextStartMs = Number.NEGATIVE_INFINITY;

  constructor(parts: KeyLimitsParts) {
    this.#parts = parts;
  }

  enter(tokens: number, signal: AbortSignal): Promise<"entered" | "left"> {
    return this.#queue.enter(tokens, signal);
  }

  leave(amount: number, used: number): void {
    const { requests, tokens, time } = this.#parts;
    const nowMs = time.now();
    requests.end({ amount: 1, used: 1, nowMs });
    tokens.end({ amount, used, nowMs });
    this.#advance();
  }

  /** Admits callers from the head of the queue while there is room, then sets a timer. */
  #advance(): void {
    const { requests, tokens, time } = this.#parts;
    this.#disarm?.();
    this.#disarm = null;
    const nowMs = time.now();
    for (let amount = this.#queue.first; amount !== null; amount = this.#queue.first) {
      if (nowMs < this.#nextStartMs) {
        this.#waitFor([this.#nextStartMs], nowMs);
        return;
      }
      if (!requests.hasRoom(1, nowMs) || !tokens.hasRoom(amount, nowMs)) {
        this.#waitFor([requests.nextMs(), tokens.nextMs()], nowMs);
        return;
      }
      requests.take(1);
      tokens.take(amount);
      this.#keepDistance(nowMs);
      this.#queue.answerFirst("entered");
    }
  }

  /** A start that is late by less than a gap does not delay the next one. */
  #keepDistance(nowMs: number): void {
    const { gapMs } = this.#parts;
    const isOnTime = nowMs - this.#nextStartMs < gapMs;
    this.#nextStartMs = (isOnTime ? this.#nextStartMs : nowMs) + gapMs;
  }

  #waitFor(timesMs: readonly (number | null)[], nowMs: number): void {
    const nextMs = Math.min(...timesMs.map((atMs) => atMs ?? Number.POSITIVE_INFINITY));
    // Without a time, the next call that ends advances the queue.
    if (nextMs === Number.POSITIVE_INFINITY) return;
    const delayMs = Math.max(1, Math.ceil(nextMs - nowMs));
    this.#disarm = this.#parts.time.after(delayMs, () => this.#advance());
  }
}

/** The minute that providers count in. */
export const WINDOW_MS = 60_000;

type Ended = { readonly amount: number; readonly freeAtMs: number };

/**
 * The usage of a limit per minute. A provider counts a call at an unknown time between its start
 * and its end, so a call counts from its start until one window after its end. Thus no window
 * exceeds the limit, wherever it begins.
 */
export class SlidingWindow {
  readonly #max: number;
  /** By calls in progress and by calls that ended within the window. */
  #taken = 0;
  /** By expiry, earliest first. */
  readonly #ended: Ended[] = [];

  constructor(max: number) {
    this.#max = max;
  }

  /** An amount above the limit fits once nothing is taken. */
  hasRoom(amount: number, nowMs: number): boolean {
    for (let [first] = this.#ended; first && first.freeAtMs <= nowMs; [first] = this.#ended) {
      this.#taken -= first.amount;
      this.#ended.shift();
    }
    return this.#taken + Math.min(amount, this.#max) <= this.#max;
  }

  take(amount: number): void {
    this.#taken += amount;
  }

  /** Ends a call that took `amount`; the provider counts at most `used`. */
  end({ amount, used, nowMs }: { amount: number; used: number; nowMs: number }): void {
    this.#taken += used - amount;
    if (used > 0) this.#ended.push({ amount: used, freeAtMs: nowMs + WINDOW_MS + 1 });
  }

  /** When the next ended call expires; null: none. */
  nextMs(): number | null {
    return this.#ended[0]?.freeAtMs ?? null;
  }
}
