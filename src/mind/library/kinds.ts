/**
 * The kinds of data that flow between programs: what `takes` and `gives` may say. A kind is a
 * promise about the shape of every value, so that a program can be put behind any other that gives
 * what it takes.
 */
const MEANING_OF_KINDS = {
  text: "prose that a person could read: a string",
  words: "a list of strings",
  notation:
    "a string that somebody wrote in a notation: CSV, a date, an expression, an account number",
  code: "a string made for a machine or a page; programs give it, none takes it",
  integer: "a whole number",
  number: "a number",
  integers: "a list of whole numbers",
  numbers: "a list of numbers",
  points: "a list of pairs [x, y]",
  matrix: "a list of rows of numbers, all of one length",
  tally: "a record from names to numbers that are 0 or more",
  record: "values by name",
  table: "a list of records with the same keys, whose values are strings or numbers",
  graph: "a list of edges [from, to, length]; the length may be left out",
  goods: "a list of { name, weight, value }",
  bids: "a list of { bidder, amount }",
  terms: "a record of the amounts and rates of one agreement",
  json: "any JSON value",
} as const satisfies Readonly<Record<string, string>>;

export type Kind = keyof typeof MEANING_OF_KINDS;

const isKind = (name: string): name is Kind => Object.hasOwn(MEANING_OF_KINDS, name);

export const KINDS: readonly Kind[] = Object.keys(MEANING_OF_KINDS).filter(isKind);

/** Every value of the kind on the left is also one of the kind on the right. */
const WIDENS: Readonly<Partial<Record<Kind, Kind>>> = {
  integer: "number",
  integers: "numbers",
  tally: "record",
};

/** One line that says what values of this kind look like. */
export function meaningOfKind(kind: Kind): string {
  return MEANING_OF_KINDS[kind];
}

/** Whether a value of the kind `given` may be handed to a program that takes the kind `taken`. */
export function kindFits(given: Kind, taken: Kind): boolean {
  return given === taken || WIDENS[given] === taken;
}
