import { setImmediate } from "node:timers/promises";

export type SliceBounds = {
  /** The time in ms after which a slice ends. The current item is still completed. */
  readonly sliceMsMax: number;
  readonly nowMs: () => number;
};

const BOUNDS: SliceBounds = { sliceMsMax: 4, nowMs: () => performance.now() };

/** Groups the items into short slices. The event loop gets a turn after each slice. */
export async function* inSlices<T>(
  items: Iterable<T>,
  bounds: SliceBounds = BOUNDS,
): AsyncGenerator<readonly T[], void, undefined> {
  const { sliceMsMax, nowMs } = bounds;
  let slice: T[] = [];
  let endsAtMs = nowMs() + sliceMsMax;
  for (const item of items) {
    slice.push(item);
    if (nowMs() < endsAtMs) continue;
    yield slice;
    await setImmediate();
    slice = [];
    endsAtMs = nowMs() + sliceMsMax;
  }
  yield slice;
  // Lets the caller continue in a new turn of the event loop.
  await setImmediate();
}
