/**
 * The order of tasks that are due at the same run time: the smallest comes first. Negative numbers are
 * the world's own tasks. 0 and more are agents, in the order of their creation (`order` of an agent).
 * `last` is for what watches the run.
 *
 * The end of the run comes first, then planned changes, then the mint, so that agents see the result
 * of an auction as soon as the auction ends. A sale of model budget comes after the mint, so that scrip
 * of the mint can buy it. All values of the world's tasks differ, so that a resumed run has the same
 * order as an uninterrupted run.
 */
export const ORDERS = {
  stop: -6,
  schedule: -5,
  auctions: -4,
  scores: -3,
  tasks: -2,
  sales: -1,
  last: Number.MAX_SAFE_INTEGER,
} as const;
