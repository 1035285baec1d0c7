import type { Time } from "../../src/model/port/time.ts";

/** Time that passes only by `pass`. */
export type ManualTime = Time & {
  /** Lets time pass and runs the timers that are due. */
  pass(ms: number): Promise<void>;
  readonly armed: number;
};

const EPOCH_MS = 1.9e12;

export const manualTime = (): ManualTime => {
  let nowMs = 0;
  const timers = new Set<{ readonly atMs: number; readonly call: () => void }>();
  const next = () => [...timers].sort((a, b) => a.atMs - b.atMs)[0];
  return {
    now: () => nowMs,
    wallMs: () => EPOCH_MS + nowMs,
    after: (delayMs, call) => {
      const timer = { atMs: nowMs + delayMs, call };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    pass: async (ms) => {
      const endMs = nowMs + ms;
      await settled();
      for (let timer = next(); timer !== undefined && timer.atMs <= endMs; timer = next()) {
        nowMs = Math.max(nowMs, timer.atMs);
        timers.delete(timer);
        timer.call();
        await settled();
      }
      nowMs = endMs;
    },
    get armed() {
      return timers.size;
    },
  };
};

/** Resolves when all promises that can settle have settled. */
export const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
