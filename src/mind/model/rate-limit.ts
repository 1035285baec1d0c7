import { cancelled } from "./failure.ts";
import type { Model, ModelReply } from "./model.ts";
import { SlidingWindow, WINDOW_MS } from "./sliding-window.ts";
import type { Time } from "./time.ts";
import { worstCase } from "./usage.ts";

export type RateLimits = {
  /** Null: no limit. */
  readonly requestsPerMinute: number | null;
  readonly tokensPerMinute: number | null;
};

/**
 * Keeps the calls made with one key within its limits a minute. Callers wait in the order in which
 * they came, whoever they are, so that nobody starves; whoever gives up leaves the line at once.
 * Tokens are reserved at their worst case and corrected when the call has ended. Requests keep a
 * distance: providers count in parts of a minute too, and in a burst the quick ones would take what
 * is left over before the slow ones are back in line.
 */
export const rateLimited = (inner: Model, limits: RateLimits, time: Time): Model => {
  const { requestsPerMinute, tokensPerMinute } = limits;
  if (requestsPerMinute === null && tokensPerMinute === null) return inner;
  const requests = new SlidingWindow(requestsPerMinute ?? Number.MAX_SAFE_INTEGER);
  const tokens = new SlidingWindow(tokensPerMinute ?? Number.MAX_SAFE_INTEGER);
  const gapMs =
    requestsPerMinute === null ? 0 : Math.min(GAP_MS_MAX, WINDOW_MS / requestsPerMinute);
  const line = new Line({ requests, tokens, gapMs, time });
  return {
    ask: async (request, signal) => {
      const { input, output } = worstCase(request);
      const reserved = input + output;
      if ((await line.enter(reserved, signal)) === "left") return cancelled(request.model, 0);
      const reply = await inner.ask(request, signal);
      line.leave(reserved, countedTokens(reply, reserved));
      return reply;
    },
  };
};

/** With few requests a minute, nobody is kept waiting just to spread them. */
const GAP_MS_MAX = 1_000;

/** Faults after which nobody knows what the provider has counted. */
const UNKNOWN: ReadonlySet<string> = new Set(["timeout", "connection", "cancelled", "bad_reply"]);

const countedTokens = (reply: ModelReply, reserved: number): number =>
  !reply.ok && UNKNOWN.has(reply.fault) ? reserved : reply.usage.input + reply.usage.output;

type Waiter = { readonly tokens: number; readonly enter: () => void };

type LineParts = {
  readonly requests: SlidingWindow;
  readonly tokens: SlidingWindow;
  /** The least time between two starts. */
  readonly gapMs: number;
  readonly time: Time;
};

class Line {
  readonly #parts: LineParts;
  /** In the order in which they came. */
  readonly #waiting = new Set<Waiter>();
  #disarm: (() => void) | null = null;
  #nextStartMs = Number.NEGATIVE_INFINITY;

  constructor(parts: LineParts) {
    this.#parts = parts;
  }

  /** Resolves when it is the caller's turn, or when the caller gives up. */
  enter(tokens: number, signal: AbortSignal): Promise<"entered" | "left"> {
    return new Promise((resolve) => {
      if (signal.aborted) {
        resolve("left");
        return;
      }
      const leave = (): void => {
        this.#waiting.delete(waiter);
        resolve("left");
        this.#advance();
      };
      const enter = (): void => {
        signal.removeEventListener("abort", leave);
        resolve("entered");
      };
      const waiter: Waiter = { tokens, enter };
      signal.addEventListener("abort", leave, { once: true });
      this.#waiting.add(waiter);
      this.#advance();
    });
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
    for (const waiter of this.#waiting) {
      if (nowMs < this.#nextStartMs) {
        this.#waitFor([this.#nextStartMs], nowMs);
        return;
      }
      if (!requests.hasRoom(1, nowMs) || !tokens.hasRoom(waiter.tokens, nowMs)) {
        this.#waitFor([requests.nextMs(), tokens.nextMs()], nowMs);
        return;
      }
      requests.take(1);
      tokens.take(waiter.tokens);
      this.#keepDistance(nowMs);
      this.#waiting.delete(waiter);
      waiter.enter();
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
