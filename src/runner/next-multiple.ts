/** The first multiple of `everyMs` after `nowMs`: what comes at regular times keeps to them. */
export const nextMultiple = (nowMs: number, everyMs: number): number =>
  (Math.floor(nowMs / everyMs) + 1) * everyMs;
