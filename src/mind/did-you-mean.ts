import { distance } from "fastest-levenshtein";

/** Returns the nearest similar word, else the only word that starts with `word`, else null. */
export const closestWord = (word: string, known: readonly string[]): string | null => {
  const asked = plain(word);
  const isNear = (other: string): boolean => distance(asked, other) <= stepsMax(asked, other);
  const [nearest] = closestFirst(
    word,
    known.filter((candidate) => isNear(plain(candidate))),
  );
  if (nearest !== undefined) return nearest;
  const longer = known.filter((candidate) => plain(candidate).startsWith(`${asked}_`));
  return longer.length === 1 ? (longer[0] ?? null) : null;
};

/** Allows 1 edit per 3 letters of `asked`. Leading words that `other` also has do not count. */
const stepsMax = (asked: string, other: string): number => {
  let alike = 0;
  while (alike < asked.length && asked[alike] === other[alike]) alike += 1;
  const length = asked.length - (asked.lastIndexOf("_", alike - 1) + 1);
  // Two swapped letters are two edits, so words of 4 or more letters allow at least two.
  return Math.max(asked.length < 4 ? 1 : 2, Math.floor(length / 3));
};

const plain = (word: string): string => word.toLowerCase().replaceAll("-", "_");

export const didYouMean = (word: string, known: readonly string[]): string | null => {
  const nearest = closestWord(word, known);
  return nearest === null ? null : `did you mean \`${nearest}\`?`;
};

export const closestFirst = (word: string, known: readonly string[]): readonly string[] => {
  const asked = plain(word);
  const steps = new Map(known.map((each) => [each, distance(asked, plain(each))]));
  return known.toSorted((a, b) => (steps.get(a) ?? 0) - (steps.get(b) ?? 0));
};
