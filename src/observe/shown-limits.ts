/** Limits that the server keeps and the page shows, so that both have the same. */

/** The overview has a line of wealth for so many agents, and marks only their changes. */
export const WEALTH_LINES = 12;

/** A page can tell so many compared runs apart, and the server can hold them open. */
export const COMPARED_MAX = 6;
