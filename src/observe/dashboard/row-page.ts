/** Which rows of a table to send. */
export type RowWish = {
  /** What has to be in a row's searched text; "" for anything. */
  readonly query: string;
  readonly sort: string;
  readonly limit: number;
};

export type RowPage<Row> = {
  /** How many rows fit, of which the first are here. */
  readonly total: number;
  readonly rows: readonly Row[];
};

/** A column's name, with `-` in front for the greatest first. */
const directionOf = (sort: string): readonly [string, 1 | -1] =>
  sort.startsWith("-") ? [sort.slice(1), -1] : [sort, 1];

/** The first rows in the order asked for; a column that there is not leaves them as they are. */
export const rowPage = <Row extends { readonly [column: string]: unknown }>(
  rows: readonly Row[],
  { query, sort, limit }: RowWish,
  textOf: (row: Row) => string,
): RowPage<Row> => {
  const text = query.toLowerCase();
  const fitting = rows.filter((row) => text === "" || textOf(row).toLowerCase().includes(text));
  const [column, direction] = directionOf(sort);
  const sorted = fitting.toSorted((a, b) => direction * compared(a[column], b[column]));
  return { total: fitting.length, rows: sorted.slice(0, limit) };
};

const compared = (a: unknown, b: unknown): number => {
  if (typeof a === "number" && typeof b === "number") return a - b;
  if (typeof a === "string" && typeof b === "string") return a < b ? -1 : a > b ? 1 : 0;
  return a === b ? 0 : a === null || a === undefined ? -1 : 1;
};
