export const ROW_PX = 30;
/** Browsers cannot draw elements of tens of millions of pixels. */
const HEIGHT_MAX_PX = 8_000_000;

/** The part of a list that is in view. */
export type EventWindow = {
  /** The scroll height of the whole list. */
  readonly heightPx: number;
  /** The first line to draw, and the one after the last. */
  readonly from: number;
  readonly to: number;
  /** The position of the first line. */
  readonly topPx: number;
};

type Scrolled = {
  readonly total: number;
  readonly scrollPx: number;
  readonly viewPx: number;
};

/** The lines in view. Beyond the maximum height, one pixel of scrolling moves several lines. */
export const eventWindow = ({ total, scrollPx, viewPx }: Scrolled): EventWindow => {
  const inView = Math.ceil(viewPx / ROW_PX) + 1;
  const wholePx = total * ROW_PX;
  const heightPx = Math.min(wholePx, HEIGHT_MAX_PX);
  const lastTopPx = Math.max(1, heightPx - viewPx);
  const share = Math.min(1, Math.max(0, scrollPx / lastTopPx));
  const compressed = heightPx < wholePx;
  const first = compressed
    ? Math.round(share * Math.max(0, total - inView + 1))
    : Math.floor(Math.max(0, scrollPx) / ROW_PX);
  const from = Math.max(0, Math.min(first, total - 1));
  const to = Math.min(total, from + inView);
  return { heightPx, from, to, topPx: compressed ? scrollPx : from * ROW_PX };
};
