import { distance } from "fastest-levenshtein";

/** The known word that was probably meant: the closest, or the only one with this prefix. */
export const closestWord = (word: string, known: readonly string[]): string | null => {
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

/** The maximum edit distance, which grows with the length after the common leading words. */
const stepsMax = (asked: string, other: string): number => {
  let alike = 0;
  while (alike < asked.length && asked[alike] === other[alike]) alike += 1;
  const length = asked.length - (asked.lastIndexOf("_", alike - 1) + 1);
  // Two swapped letters count as two edits.
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
