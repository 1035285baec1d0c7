import { setImmediate } from "node:timers/promises";

/** The maximum time to read rows before the server can handle other requests. */
export const SLICE_MS = 8;
/** The number of rows to read between two checks of the clock. */
const CLOCK_EVERY_ROWS = 32;

/**
 * Gives all rows to `take`, and lets the server handle other requests in between. `pause` resolves
 * when the next slice may begin.
 */
export const inSlices = async <Row>(
  rows: Iterable<Row>,
  take: (row: Row) => void,
  pause: () => Promise<void> = setImmediate,
): Promise<void> => {
  let untilMs = performance.now() + SLICE_MS;
  let taken = 0;
  for (const row of rows) {
    take(row);
    taken += 1;
    if (taken % CLOCK_EVERY_ROWS !== 0 || performance.now() < untilMs) continue;
    await pause();
    untilMs = performance.now() + SLICE_MS;
  }
};
