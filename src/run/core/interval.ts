import { type Clock, ORDERS } from "../../world/index.ts";

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
      if ((await clock.until(atMs, ORDERS.last, signal)) === "cancelled") return;
      await task(atMs);
    }
  };
  clock.spawn(loop, ORDERS.last);
};
