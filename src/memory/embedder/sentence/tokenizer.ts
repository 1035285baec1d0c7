/** The tokens that a model knows, by id, with their log probabilities. Null stands for 0. */
export type Vocabulary = readonly (readonly [token: string, score: number | null])[];

/** Splits a text into tokens and returns their ids. */
type Tokenizer = (text: string) => readonly number[];

/** The ids below this number are marks that do not occur in texts. */
const MARKS = 6;
const UNKNOWN = 0;
const WORD_START = "\u2581";

/** The tokens that begin with the same characters. `id` belongs to the token of only these. */
type Prefix = { id: number | null; readonly next: Map<string, Prefix> };

/**
 * Returns a tokenizer that finds the most probable tokens (Kudo, "Subword Regularization", 2018).
 * It replaces adjacent unknown characters by one mark.
 */
export const tokenizerOf = (vocabulary: Vocabulary): Tokenizer => {
  const root = prefixesIn(vocabulary);
  return (text) => {
    const symbols = [...(WORD_START + text.normalize("NFKC").replaceAll(" ", WORD_START))];
    const last = lastTokens(symbols, root, vocabulary);
    const found: number[] = [];
    for (let end = symbols.length; end > 0; ) {
      const id = last[end] ?? UNKNOWN;
      if (id !== UNKNOWN || found.at(-1) !== UNKNOWN) found.push(id);
      end -= vocabulary[id]?.[0].length ?? 1;
    }
    return found.reverse();
  };
};

const prefixesIn = (vocabulary: Vocabulary): Prefix => {
  const root: Prefix = { id: null, next: new Map() };
  for (const [id, [token]] of vocabulary.entries()) {
    if (id < MARKS) continue;
    let prefix = root;
    for (const symbol of token) {
      const next = prefix.next.get(symbol) ?? { id: null, next: new Map() };
      prefix.next.set(symbol, next);
      prefix = next;
    }
    prefix.id = id;
  }
  return root;
};

/** Returns, for each place, the last token of the most probable split of the text before it. */
const lastTokens = (
  symbols: readonly string[],
  root: Prefix,
  vocabulary: Vocabulary,
): readonly number[] => {
  const scores = new Array<number>(symbols.length + 1).fill(0);
  const last = new Array<number>(symbols.length + 1).fill(UNKNOWN);
  const extend = (start: number, end: number, id: number): void => {
    const score = (scores[start] ?? 0) + (vocabulary[id]?.[1] ?? 0);
    const known = scores[end] ?? 0;
    if (known !== 0 && score < known) return;
    scores[end] = score;
    last[end] = id;
  };
  for (let start = 0; start < symbols.length; start++) {
    let isKnown = false;
    let prefix = root.next.get(symbols[start] ?? "");
    for (let end = start + 1; prefix !== undefined; end++) {
      if (prefix.id !== null) {
        extend(start, end, prefix.id);
        isKnown = true;
      }
      prefix = prefix.next.get(symbols[end] ?? "");
    }
    if (!isKnown) extend(start, start + 1, UNKNOWN);
  }
  return last;
};
