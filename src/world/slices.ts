import { setImmediate } from "node:timers/promises";

export type SliceBounds = {
  /** How long the world stands still for one slice, in ms; the last item may take longer. */
  readonly sliceMsMax: number;
  readonly nowMs: () => number;
};

const BOUNDS: SliceBounds = { sliceMsMax: 4, nowMs: () => performance.now() };

/**
 * The items in slices that are short to make, with a turn for all other work after each. The first
 * slice is made by the first `next`, before that returns.
 */
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
  // What comes after the last slice has a turn of its own.
  await setImmediate();
}
