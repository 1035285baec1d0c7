import { distance } from "fastest-levenshtein";

/** The known word that somebody probably meant, or null when none is near. */
export const nearestOf = (word: string, known: readonly string[]): string | null => {
  const asked = plain(word);
  let nearest: string | null = null;
  let least = Math.max(1, Math.floor(asked.length / 3)) + 1;
  for (const candidate of known) {
    const steps = distance(asked, plain(candidate));
    if (steps < least) [nearest, least] = [candidate, steps];
  }
  return nearest;
};

/** Case and the mark between words are the easiest things to get wrong. */
const plain = (word: string): string => word.toLowerCase().replaceAll("-", "_");

/** `did you mean …?`, or null. */
export const didYouMean = (word: string, known: readonly string[]): string | null => {
  const nearest = nearestOf(word, known);
  return nearest === null ? null : `did you mean \`${nearest}\`?`;
};
