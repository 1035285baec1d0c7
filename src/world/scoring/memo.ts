import { isObject, type Json } from "../../kernel/index.ts";
import type { Paid } from "./scorer.ts";

/** The fingerprint of a code, and its place in the order in which codes were written. */
export type DatedPrint = { readonly print: string; readonly ordinal: number };

/**
 * The custom that has been scored already, by who paid it and who got it: a customer that is sold
 * takes along what was counted of it, and a new owner begins with nothing.
 */
export type Counted = ReadonlyMap<string, number>;

/** What is kept of an artifact between its scorings. */
export type Memo = {
  readonly counted: Counted;
  /** Of the codes that were scored. */
  readonly prints: readonly DatedPrint[];
};

export const countedKey = ({ payer, payee }: Omit<Paid, "amount">): string => `${payer} ${payee}`;

/** Another scorer may have noted something else, which tells nothing. */
export const countedIn = (memo: Json): Counted => {
  const { counted = null } = isObject(memo) ? memo : {};
  const sums = isObject(counted) ? Object.entries(counted) : [];
  return new Map(
    sums.flatMap(([key, sum]) => (typeof sum === "number" ? [[key, sum] as const] : [])),
  );
};

export const printsIn = (memo: Json): readonly DatedPrint[] => {
  const { prints = null } = isObject(memo) ? memo : {};
  return (Array.isArray(prints) ? prints : []).flatMap((row) => {
    const [print, ordinal] = Array.isArray(row) ? row : [];
    return typeof print === "string" && typeof ordinal === "number" ? [{ print, ordinal }] : [];
  });
};

export const noted = ({ counted, prints }: Memo): Json => ({
  counted: Object.fromEntries(counted),
  prints: prints.map(({ print, ordinal }) => [print, ordinal]),
});
