import { cancelled } from "./failure.ts";
import type { Model } from "./model.ts";
import { SlidingWindow, WINDOW_MS } from "./sliding-window.ts";
import type { Time } from "./time.ts";
import { countedTokens, mostTokens } from "./usage.ts";
import { WaitingLine } from "./waiting-line.ts";

export type RateLimits = {
  /** Null: no limit. */
  readonly requestsPerMinute: number | null;
  readonly tokensPerMinute: number | null;
  /** What was taken of them in the last minute by a process before this one; absent: nothing. */
  readonly taken?: readonly Taken[];
};

/** A call that has ended, in the time in which limits are counted. */
export type Taken = { readonly tokens: number; readonly endedMs: number };

/**
 * Keeps the calls made with one key within its limits a minute. Callers wait in the order in which
 * they came, whoever they are, so that nobody starves; whoever gives up leaves the line at once.
 * Tokens are reserved at their worst case and corrected when the call has ended. Requests keep a
 * distance: providers count in parts of a minute too, and in a burst the quick ones would take what
 * is left over before the slow ones are back in line.
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

/** With few requests a minute, nobody is kept waiting just to spread them. */
const GAP_MS_MAX = 1_000;

type KeyLimitsParts = {
  readonly requests: SlidingWindow;
  readonly tokens: SlidingWindow;
  /** The least time between two starts. */
  readonly gapMs: number;
  readonly time: Time;
};

/** What is left of the limits of one key, and who waits for it. */
class KeyLimits {
  readonly #parts: KeyLimitsParts;
  readonly #line = new WaitingLine<"entered">(() => this.#advance());
  #disarm: (() => void) | null = null;
  #nextStartMs = Number.NEGATIVE_INFINITY;

  constructor(parts: KeyLimitsParts) {
    this.#parts = parts;
  }

  /** Resolves when it is the caller's turn, or when the caller gives up. */
  enter(tokens: number, signal: AbortSignal): Promise<"entered" | "left"> {
    return this.#line.enter(tokens, signal);
  }

  leave(amount: number, used: number): void {
    const { requests, tokens, time } = this.#parts;
    const nowMs = time.now();
    requests.end({ amount: 1, used: 1, nowMs });
    tokens.end({ amount, used, nowMs });
    this.#advance();
  }

  /** Lets in whoever there is room for, from the head of the line, and waits for the next. */
  #advance(): void {
    const { requests, tokens, time } = this.#parts;
    this.#disarm?.();
    this.#disarm = null;
    const nowMs = time.now();
    for (let amount = this.#line.first; amount !== null; amount = this.#line.first) {
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
      this.#line.answerFirst("entered");
    }
  }

  /** A start that is late by less than a gap does not push the next one back. */
  #keepDistance(nowMs: number): void {
    const { gapMs } = this.#parts;
    const isOnTime = nowMs - this.#nextStartMs < gapMs;
    this.#nextStartMs = (isOnTime ? this.#nextStartMs : nowMs) + gapMs;
  }

  #waitFor(timesMs: readonly (number | null)[], nowMs: number): void {
    const nextMs = Math.min(...timesMs.map((atMs) => atMs ?? Number.POSITIVE_INFINITY));
    // Where nothing frees itself by time, a call that ends will advance the line.
    if (nextMs === Number.POSITIVE_INFINITY) return;
    const delayMs = Math.max(1, Math.ceil(nextMs - nowMs));
    this.#disarm = this.#parts.time.after(delayMs, () => this.#advance());
  }
}
