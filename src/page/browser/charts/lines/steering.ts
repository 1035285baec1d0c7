import { type LineSpec, nearestPlace, spanOf } from "./line-spec.ts";
import { roundedRange, sharedTime, type TimeRange } from "./shared-time.ts";

/** How much one key press zooms. */
const ZOOM = 2;

/** Moves the shared cursor or range in response to a key. False: charts do not use this key. */
export const steered = (key: string, spec: LineSpec): boolean => {
  const { atMs } = spec;
  const { cursorMs, momentMs, range } = sharedTime.now;
  const last = atMs.length - 1;
  const from = cursorMs ?? momentMs ?? range?.toMs ?? atMs[last] ?? 0;
  const now = nearestPlace(atMs, from);
  switch (key) {
    case "Escape":
      sharedTime.point(null);
      sharedTime.zoom(null);
      return true;
    case "Enter":
    case " ":
      if (sharedTime.choose === null) return false;
      sharedTime.choose(atMs[now] ?? 0);
      return true;
    case "+":
    case "=":
      sharedTime.zoom(zoomed(from, 1 / ZOOM, spec));
      return true;
    case "-":
      sharedTime.zoom(zoomed(from, ZOOM, spec));
      return true;
    default:
  }
  const targets: { readonly [key: string]: number } = {
    ArrowLeft: now - 1,
    ArrowRight: now + 1,
    PageUp: now - 10,
    PageDown: now + 10,
    Home: 0,
    End: last,
  };
  const target = targets[key];
  if (target === undefined) return false;
  sharedTime.point(atMs[Math.min(last, Math.max(0, target))] ?? 0);
  return true;
};

/** The range with its width times `factor`, around a time. Null if that is the whole run. */
const zoomed = (aroundMs: number, factor: number, spec: LineSpec): TimeRange | null => {
  const all = spanOf(spec);
  const range = sharedTime.now.range ?? all;
  const width = (range.toMs - range.fromMs) * factor;
  if (width >= all.toMs - all.fromMs) return null;
  const centred = Math.max(all.fromMs, aroundMs - width / 2);
  const fromMs = Math.min(centred, all.toMs - width);
  return roundedRange({ fromMs, toMs: fromMs + width });
};
