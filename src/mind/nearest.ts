import { distance } from "fastest-levenshtein";

/** The known word that was probably meant: the nearest, or the only one that goes on from it. */
export const nearestOf = (word: string, known: readonly string[]): string | null => {
  const asked = plain(word);
  let nearest: string | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const candidate of known) {
    const other = plain(candidate);
    const steps = distance(asked, other);
    if (steps < least && steps <= stepsMax(asked, other)) [nearest, least] = [candidate, steps];
  }
  if (nearest !== null) return nearest;
  const longer = known.filter((candidate) => plain(candidate).startsWith(`${asked}_`));
  return longer.length === 1 ? (longer[0] ?? null) : null;
};

/**
 * How many steps may lie between a word and what was meant by it: more in a longer one. What both
 * begin with, up to a mark between words, does not make what follows any more alike.
 */
const stepsMax = (asked: string, other: string): number => {
  let alike = 0;
  while (alike < asked.length && asked[alike] === other[alike]) alike += 1;
  const length = asked.length - (asked.lastIndexOf("_", alike - 1) + 1);
  // Two letters that changed places are two steps.
  return Math.max(asked.length < 4 ? 1 : 2, Math.floor(length / 3));
};

/** Case and the mark between words are the easiest things to get wrong. */
const plain = (word: string): string => word.toLowerCase().replaceAll("-", "_");

/** `did you mean …?`, or null. */
export const didYouMean = (word: string, known: readonly string[]): string | null => {
  const nearest = nearestOf(word, known);
  return nearest === null ? null : `did you mean \`${nearest}\`?`;
};

/** All known words, those most like `word` first. */
export const nearestFirst = (word: string, known: readonly string[]): readonly string[] => {
  const asked = plain(word);
  const steps = new Map(known.map((each) => [each, distance(asked, plain(each))]));
  return known.toSorted((a, b) => (steps.get(a) ?? 0) - (steps.get(b) ?? 0));
};
