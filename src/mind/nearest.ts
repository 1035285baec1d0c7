import { distance } from "fastest-levenshtein";

/** The known word that was probably meant: the nearest, or the only one that goes on from it. */
export const nearestOf = (word: string, known: readonly string[]): string | null => {
  const asked = plain(word);
  let nearest: string | null = null;
  // Two letters that changed places are two steps.
  let least = Math.max(asked.length < 4 ? 1 : 2, Math.floor(asked.length / 3)) + 1;
  for (const candidate of known) {
    const steps = distance(asked, plain(candidate));
    if (steps < least) [nearest, least] = [candidate, steps];
  }
  if (nearest !== null) return nearest;
  const longer = known.filter((candidate) => plain(candidate).startsWith(`${asked}_`));
  return longer.length === 1 ? (longer[0] ?? null) : null;
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
