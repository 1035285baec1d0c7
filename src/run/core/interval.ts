import type { Clock } from "../../world/index.ts";

/** These tasks come after all others that are due at the same run time. */
const LAST = Number.MAX_SAFE_INTEGER;

/** Runs `task` at every multiple of `everyMs` of run time, until the signal is aborted. */
export const runEvery = (
  everyMs: number,
  clock: Clock,
  signal: AbortSignal,
  task: (atMs: number) => void | Promise<void>,
): void => {
  const loop = async (): Promise<void> => {
    const firstMs = (Math.floor(clock.now() / everyMs) + 1) * everyMs;
    for (let atMs = firstMs; ; atMs += everyMs) {
      if ((await clock.until(atMs, LAST, signal)) === "cancelled") return;
      await task(atMs);
    }
  };
  clock.spawn(loop, LAST);
};
