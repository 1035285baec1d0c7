/** The height of a line of the list of events. */
export const ROW_PX = 30;
/** Browsers draw nothing beyond some tens of millions of pixels. */
const HEIGHT_MAX_PX = 8_000_000;

/** Where in a list of any length a view of it stands. */
export type EventWindow = {
  /** The height of the whole list as it is scrolled through. */
  readonly heightPx: number;
  /** The first line that is drawn, and the one after the last. */
  readonly from: number;
  readonly to: number;
  /** Where the first of them is drawn. */
  readonly topPx: number;
};

type Scrolled = {
  readonly total: number;
  readonly scrollPx: number;
  readonly viewPx: number;
};

/**
 * The lines to draw: those in view and a few around. A list that is too high to be drawn is
 * squeezed, so that its scroll bar still leads from the first line to the last.
 */
export const eventWindow = ({ total, scrollPx, viewPx }: Scrolled): EventWindow => {
  const inView = Math.ceil(viewPx / ROW_PX) + 1;
  const wholePx = total * ROW_PX;
  const heightPx = Math.min(wholePx, HEIGHT_MAX_PX);
  const lastTopPx = Math.max(1, heightPx - viewPx);
  const share = Math.min(1, Math.max(0, scrollPx / lastTopPx));
  const squeezed = heightPx < wholePx;
  const first = squeezed
    ? Math.round(share * Math.max(0, total - inView + 1))
    : Math.floor(Math.max(0, scrollPx) / ROW_PX);
  const from = Math.max(0, Math.min(first, total - 1));
  const to = Math.min(total, from + inView);
  return { heightPx, from, to, topPx: squeezed ? scrollPx : from * ROW_PX };
};
