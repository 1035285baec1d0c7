import { isObject, type Json } from "../../kernel/index.ts";

/** The fingerprint of a code, and its place in the order in which codes were written. */
export type Sketch = { readonly print: string; readonly ordinal: number };

/** What is kept of an artifact between its scorings. */
export type Memo = {
  /** By family: the net custom that has been scored already. */
  readonly counted: ReadonlyMap<string, number>;
  /** Of the codes that were scored. */
  readonly sketches: readonly Sketch[];
};

/** Another scorer may have noted something else, which tells nothing. */
export const memoIn = (given: Json): Memo => {
  const { counted = null, sketches = null } = isObject(given) ? given : {};
  const sums = isObject(counted) ? Object.entries(counted) : [];
  const listed = Array.isArray(sketches) ? sketches : [];
  return {
    counted: new Map(
      sums.flatMap(([family, sum]) => (typeof sum === "number" ? [[family, sum] as const] : [])),
    ),
    sketches: listed.flatMap((row) => {
      const [print, ordinal] = Array.isArray(row) ? row : [];
      return typeof print === "string" && typeof ordinal === "number" ? [{ print, ordinal }] : [];
    }),
  };
};

export const noted = ({ counted, sketches }: Memo): Json => ({
  counted: Object.fromEntries(counted),
  sketches: sketches.map(({ print, ordinal }) => [print, ordinal]),
});
