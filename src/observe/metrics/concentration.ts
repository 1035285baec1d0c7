/**
 * The Herfindahl-Hirschman index of non-negative amounts: Σ share² (Hirschman, "National Power and
 * the Structure of Foreign Trade", 1945; Herfindahl, 1950). 1 / n when n have alike, 1 when one has
 * all, 0 when there is nothing.
 */
export const hhi = (amounts: Iterable<number>): number => {
  let [sum, squares] = [0, 0];
  for (const amount of amounts) {
    sum += amount;
    squares += amount * amount;
  }
  return sum === 0 ? 0 : squares / (sum * sum);
};
