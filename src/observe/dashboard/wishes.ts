import type { HonoRequest } from "hono";
import type { RowWish } from "./row-page.ts";

const ROWS_MAX = 500;

/** A whole number from 0 on in a text; otherwise what is there without it. */
export const numberIn = (text: string | undefined, otherwise: number): number => {
  const number = Number(text);
  return text !== undefined && text !== "" && Number.isSafeInteger(number) && number >= 0
    ? number
    : otherwise;
};

/** The number of an event in a query; null: none was named. */
export const seqIn = (req: HonoRequest, name: string): number | null => {
  const seq = numberIn(req.query(name), 0);
  return seq === 0 ? null : seq;
};

export const textIn = (text: string | undefined): string | null =>
  text === undefined || text === "" ? null : text;

export const rowWishIn = (req: HonoRequest): RowWish => ({
  query: req.query("query") ?? "",
  sort: req.query("sort") ?? "",
  limit: Math.min(numberIn(req.query("limit"), 200), ROWS_MAX),
});
