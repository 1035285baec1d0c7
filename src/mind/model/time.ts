/** The time in which limits, rests and time-outs are counted: real, or made by a test. */
export type Time = {
  /** Whole ms since some moment; never goes back. */
  now(): number;
  /** Ms since 1970, by the clock that people set; only for dates that other processes noted. */
  wallMs(): number;
  /** Calls once, `delayMs` from now; what it returns gives the call up. */
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
