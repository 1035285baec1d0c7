/**
 * The kinds of data that flow between programs: what `takes` and `gives` may say. A kind is a
 * promise about the shape of every value, so that a program can be put behind any other that gives
 * what it takes.
 */
export const KINDS = [
  /** Prose that a person could read: a string. */
  "text",
  /** A list of strings. */
  "words",
  /** A string that somebody wrote in a notation: CSV, a date, an expression, an account number. */
  "notation",
  /** A string made for a machine or a page; programs give it, none takes it. */
  "code",
  /** A whole number. */
  "integer",
  /** A number. */
  "number",
  /** A list of whole numbers. */
  "integers",
  /** A list of numbers. */
  "numbers",
  /** A list of pairs [x, y]. */
  "points",
  /** A list of rows of numbers, all of one length. */
  "matrix",
  /** A record from names to numbers that are 0 or more. */
  "tally",
  /** Values by name. */
  "record",
  /** A list of records with the same keys, whose values are strings or numbers. */
  "table",
  /** A list of edges [from, to, length]; the length may be left out. */
  "graph",
  /** A list of { name, weight, value }. */
  "goods",
  /** A list of { bidder, amount }. */
  "bids",
  /** A record of the amounts and rates of one agreement. */
  "terms",
  /** Any JSON value. */
  "json",
] as const;

export type Kind = (typeof KINDS)[number];

/** Every value of the kind on the left is also one of the kind on the right. */
const WIDENS: Readonly<Partial<Record<Kind, Kind>>> = {
  integer: "number",
  integers: "numbers",
  tally: "record",
};

/** Whether a value of the kind `given` may be handed to a program that takes the kind `taken`. */
export function kindFits(given: Kind, taken: Kind): boolean {
  return given === taken || WIDENS[given] === taken;
}
