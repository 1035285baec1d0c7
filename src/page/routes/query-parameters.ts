import type { HonoRequest } from "hono";
import { parseTimeMs } from "../../text/index.ts";
import type { AskedPeriod } from "./reader/event-index.ts";

/** Parses a whole number of at least 0. Returns `otherwise` for any other text. */
export const numberIn = (text: string | undefined, otherwise: number): number => {
  const number = Number(text);
  return text !== undefined && text !== "" && Number.isSafeInteger(number) && number >= 0
    ? number
    : otherwise;
};

/** Parses an event number. Returns null if the parameter is absent, 0 or invalid. */
export const seqIn = (req: HonoRequest, name: string): number | null => {
  const seq = numberIn(req.query(name), 0);
  return seq === 0 ? null : seq;
};

export const textIn = (text: string | undefined): string | null =>
  text === undefined || text === "" ? null : text;

/** Parses a time such as `2:30` or `300s` into ms. Returns null for any other text. */
const timeIn = (text: string | undefined): number | null =>
  text === undefined ? null : parseTimeMs(text.trim());

/** Parses the query parameters `from` and `to`. */
export const parsePeriod = (req: HonoRequest): AskedPeriod => ({
  fromMs: timeIn(req.query("from")),
  toMs: timeIn(req.query("to")),
});

const ROWS_MAX = 2_000;

export type RowPage<Row> = {
  /** The number of all matching rows. `rows` contains only the first matching rows. */
  readonly total: number;
  readonly rows: readonly Row[];
};

/** The first `limit` rows that contain `query`, sorted by column `sort` (`-`: descending). */
export const rowPage = <Row extends { readonly [column: string]: unknown }>(
  rows: readonly Row[],
  req: HonoRequest,
  textOf: (row: Row) => string,
): RowPage<Row> => {
  const text = (req.query("query") ?? "").toLowerCase();
  const sort = req.query("sort") ?? "";
  const limit = Math.min(numberIn(req.query("limit"), 200), ROWS_MAX);
  const matching = rows.filter((row) => text === "" || textOf(row).toLowerCase().includes(text));
  const [column, direction] = sort.startsWith("-") ? [sort.slice(1), -1] : [sort, 1];
  const sorted = matching.toSorted((a, b) => direction * compared(a[column], b[column]));
  return { total: matching.length, rows: sorted.slice(0, limit) };
};

const compared = (a: unknown, b: unknown): number => {
  if (typeof a === "number" && typeof b === "number") return a - b;
  if (typeof a === "string" && typeof b === "string") return a < b ? -1 : a > b ? 1 : 0;
  return a === b ? 0 : a === null || a === undefined ? -1 : 1;
};
