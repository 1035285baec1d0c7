export type Time = {
  /** Monotonic time in whole ms. */
  now(): number;
  /** Wall-clock time in ms since 1970, for comparison with other processes. */
  wallMs(): number;
  /** Calls `call` once after `delayMs`. The returned function cancels it. */
  after(delayMs: number, call: () => void): () => void;
};

/** The longest delay that `setTimeout` accepts. */
const TIMER_MS_MAX = 2 ** 31 - 1;

export const realTime: Time = {
  now: () => Math.floor(performance.now()),
  wallMs: () => Date.now(),
  after: (delayMs, call) => {
    const timer = setTimeout(call, Math.min(delayMs, TIMER_MS_MAX));
    return () => clearTimeout(timer);
  },
};

/** Resolves like `promise`, or with `instead()` once `signal` aborts. `promise` must not reject. */
export const untilAborted = <Value>(
  promise: Promise<Value>,
  signal: AbortSignal,
  instead: () => Value,
): Promise<Value> =>
  new Promise((resolve) => {
    const abort = (): void => resolve(instead());
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    void promise.then((value) => {
      signal.removeEventListener("abort", abort);
      resolve(value);
    });
  });

export const delay = async (time: Time, delayMs: number, signal: AbortSignal): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const disarm = time.after(delayMs, resolve);
  await untilAborted(promise, signal, () => {});
  disarm();
};
