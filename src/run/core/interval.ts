import type { Clock } from "../../world/index.ts";

export type TaskTiming = {
  readonly clock: Clock;
  /** The position of the task among all tasks that are due at the same run time. */
  readonly order: number;
  readonly signal: AbortSignal;
};

/** Runs `task` at every multiple of `everyMs` of run time, until the signal is aborted. */
export const runEvery = (
  everyMs: number,
  { clock, order, signal }: TaskTiming,
  task: (atMs: number) => void | Promise<void>,
): void => {
  const loop = async (): Promise<void> => {
    const firstMs = (Math.floor(clock.now() / everyMs) + 1) * everyMs;
    for (let atMs = firstMs; ; atMs += everyMs) {
      if ((await clock.until(atMs, order, signal)) === "cancelled") return;
      await task(atMs);
    }
  };
  clock.spawn(loop, order);
};
