/** Limits that the server keeps and the page shows, so that both have the same. */

/** The number of agents with a line of wealth in the overview. Only their changes have marks. */
export const WEALTH_LINES = 12;

/** The most runs that a page compares. The server keeps all of them open. */
export const COMPARED_MAX = 6;
