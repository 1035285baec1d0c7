/** Shannon's entropy of non-negative amounts taken as shares, in nats (1948). */
export const entropy = (amounts: readonly number[]): number => {
  const total = amounts.reduce((sum, amount) => sum + amount, 0);
  return amounts.reduce((sum, amount) => {
    const share = amount / total;
    return amount === 0 ? sum : sum - share * Math.log(share);
  }, 0);
};

/**
 * How far one lives on one thing: 1 - H / ln k over the amounts from k things, the complement of
 * Pielou's evenness (1966). Null where there is nothing, or only one thing to live on.
 */
export const specialisation = (amounts: readonly number[]): number | null =>
  amounts.length < 2 || amounts.every((amount) => amount === 0)
    ? null
    : 1 - entropy(amounts) / Math.log(amounts.length);

/**
 * How far who one is says what one does: the mutual information of the rows (who) and the columns
 * (what) over the entropy of the columns (Gorelick et al., "Normalized mutual entropy in biology:
 * quantifying division of labor", 2004). 0 where all do everything in one proportion, 1 where
 * nothing is done by two; 0 also where only one thing is done.
 */
export const divisionOfLabour = (rows: readonly (readonly number[])[]): number => {
  const byRow = rows.map((row) => row.reduce((sum, amount) => sum + amount, 0));
  const byColumn = (rows[0] ?? []).map((_, at) =>
    rows.reduce((sum, row) => sum + (row[at] ?? 0), 0),
  );
  const variety = entropy(byColumn);
  if (byRow.every((sum) => sum === 0) || variety === 0) return 0;
  return (entropy(byRow) + variety - entropy(rows.flat())) / variety;
};
