import { html } from "htm/preact";
import { useState } from "preact/hooks";
import { exactTimeText } from "../../../../../text/index.ts";
import type { EventDensity } from "../../../../routes/index.ts";
import { countText } from "../../../parts/text.ts";
import { useMoment, type ViewParts } from "../../view.ts";

/** The density of the events that match a filter, given as the query of a request. */
export const useDensity = (parts: ViewParts, filter: string): EventDensity | null =>
  useMoment<EventDensity>(`${parts.path}/density?${filter}&`, parts).value;

type StripParts = {
  readonly density: EventDensity;
  /** Scrolls the list to an event, given by its place among those that match. */
  readonly show: (place: number) => void;
  /** The place of the first event in view. */
  readonly first: number;
};

const HEIGHT = 32;
/** A slice with an event has at least this height, so that it can be seen. */
const HEIGHT_MIN = 2;
const PAGE_SLICES = 10;

/**
 * The number of events in each slice of run time. A click, or a key on the focused strip, scrolls
 * the list to a slice.
 */
export const DensityStrip = ({ density, show, first }: StripParts) => {
  const { before, total, from_ms, to_ms } = density;
  const [under, setUnder] = useState<number | null>(null);
  const counts = before.map((count, slice) => (before[slice + 1] ?? total) - count);
  const most = Math.max(1, ...counts);
  const last = counts.length - 1;
  const here = Math.max(
    0,
    before.findLastIndex((count) => count <= Math.max(0, first)),
  );
  const startOf = (slice: number): number => from_ms + ((to_ms - from_ms) * slice) / counts.length;
  const says = (slice: number): string =>
    `${exactTimeText(startOf(slice))} to ${exactTimeText(startOf(slice + 1))}: ` +
    countText(counts[slice] ?? 0, "event");
  const go = (slice: number): void => show(before[Math.min(last, Math.max(0, slice))] ?? 0);
  const sliceAt = (event: MouseEvent): number => {
    const strip = event.currentTarget;
    if (!(strip instanceof Element)) return 0;
    const { left, width } = strip.getBoundingClientRect();
    return Math.min(
      last,
      Math.max(0, Math.floor((counts.length * (event.clientX - left)) / width)),
    );
  };
  const steer = (event: KeyboardEvent): void => {
    const slice = steps(here, last)[event.key];
    if (slice === undefined) return;
    event.preventDefault();
    go(slice);
  };
  return html`
    <div class="density">
      <svg viewBox=${`0 0 ${counts.length} ${HEIGHT}`} preserveAspectRatio="none" role="slider"
        tabindex="0" aria-label="Events over run time" aria-valuemin="0" aria-valuemax=${last}
        aria-valuenow=${here} aria-valuetext=${says(here)} onKeyDown=${steer}
        onClick=${(event: MouseEvent) => go(sliceAt(event))}
        onMouseMove=${(event: MouseEvent) => setUnder(sliceAt(event))}
        onMouseLeave=${() => setUnder(null)}>
        <rect class="density-here" x=${here} y="0" width="1" height=${HEIGHT} />
        ${counts.map((count, slice) => {
          if (count === 0) return null;
          const height = Math.max(HEIGHT_MIN, (HEIGHT * count) / most);
          return html`<rect class="density-bar" x=${slice + 0.1} y=${HEIGHT - height} width="0.8"
            height=${height} />`;
        })}
      </svg>
      <p class="note density-note">
        <span>${exactTimeText(from_ms)}</span>
        <span>${under === null ? `first in view: ${says(here)}` : says(under)}</span>
        <span>${exactTimeText(to_ms)}</span>
      </p>
    </div>
  `;
};

/** The slices to which the keys lead. */
const steps = (here: number, last: number): { readonly [key: string]: number } => ({
  ArrowLeft: here - 1,
  ArrowRight: here + 1,
  PageUp: here - PAGE_SLICES,
  PageDown: here + PAGE_SLICES,
  Home: 0,
  End: last,
});
