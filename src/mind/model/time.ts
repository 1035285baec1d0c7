/** The time of limits, cooldowns and timeouts: real, or simulated by a test. */
export type Time = {
  /** Monotonic, in whole ms. */
  now(): number;
  /** Wall-clock time in ms since 1970; only for comparison with other processes. */
  wallMs(): number;
  /** Calls once after `delayMs`; the returned function cancels it. */
  after(delayMs: number, call: () => void): () => void;
};

/** The longest delay that `setTimeout` takes. */
const TIMER_MS_MAX = 2 ** 31 - 1;

export const realTime: Time = {
  now: () => Math.floor(performance.now()),
  wallMs: () => Date.now(),
  after: (delayMs, call) => {
    const timer = setTimeout(call, Math.min(delayMs, TIMER_MS_MAX));
    return () => clearTimeout(timer);
  },
};

/** Waits `delayMs`, or until the signal is aborted. */
export const waited = (
  time: Time,
  delayMs: number,
  signal: AbortSignal,
): Promise<"passed" | "aborted"> =>
  new Promise((resolve) => {
    if (signal.aborted) {
      resolve("aborted");
      return;
    }
    const abort = (): void => {
      giveUp();
      resolve("aborted");
    };
    const giveUp = time.after(delayMs, () => {
      signal.removeEventListener("abort", abort);
      resolve("passed");
    });
    signal.addEventListener("abort", abort, { once: true });
  });
