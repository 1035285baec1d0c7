import { distance } from "fastest-levenshtein";
import { listed } from "./wording.ts";

/** Returns the nearest word that differs in a few letters, or null. */
export const similarWord = (word: string, known: readonly string[]): string | null => {
  const asked = plain(word);
  const isNear = (other: string): boolean => {
    const steps = distance(asked, other);
    return steps === 0 || (steps <= stepsMax(asked, other) && steps < asked.length);
  };
  const near = known.filter((candidate) => isNear(plain(candidate)));
  return closestFirst(word, near)[0] ?? null;
};

/**
 * Returns the nearest similar word. If there is none, returns the only word that contains `word`
 * or is contained in it, such as `llm_model` for `model`. Otherwise null.
 */
export const closestWord = (word: string, known: readonly string[]): string | null => {
  const similar = similarWord(word, known);
  if (similar !== null) return similar;
  const related = known.filter((candidate) => isPartOf(plain(word), plain(candidate)));
  return related.length === 1 ? (related[0] ?? null) : null;
};

/** Returns whether all words of one name appear in the other, next to each other. */
const isPartOf = (one: string, other: string): boolean =>
  one !== "" &&
  other !== "" &&
  (`_${other}_`.includes(`_${one}_`) || `_${one}_`.includes(`_${other}_`));

/** Allows 1 edit per 3 letters of `asked`. Words with which both begin or end do not count. */
const stepsMax = (asked: string, other: string): number => {
  const [words, others] = [asked.split("_"), other.split("_")];
  while (words.length > 0 && words[0] === others[0]) {
    words.shift();
    others.shift();
  }
  while (words.length > 0 && words.at(-1) === others.at(-1)) {
    words.pop();
    others.pop();
  }
  const { length } = words.join("_");
  // Two swapped letters are two edits, so words of 4 or more letters allow at least two.
  return Math.max(length < 4 ? 1 : 2, Math.floor(length / 3));
};

/** Lower case, with one mark between the words. */
const plain = (word: string): string => word.toLowerCase().replaceAll(/[-/]/g, "_");

export const didYouMean = (word: string, known: readonly string[]): string | null => {
  const nearest = closestWord(word, known);
  return nearest === null ? null : `did you mean \`${nearest}\`?`;
};

const NAMES_SHOWN = 20;

/** Suggests the nearest name. If there is none, lists the known names. */
export const meantOrAll = (word: string, known: readonly string[]): string => {
  return didYouMean(word, known) ?? `there are ${listed(known, NAMES_SHOWN) || "none"}`;
};

export const closestFirst = (word: string, known: readonly string[]): readonly string[] => {
  const asked = plain(word);
  const steps = new Map(known.map((each) => [each, distance(asked, plain(each))]));
  return known.toSorted((a, b) => (steps.get(a) ?? 0) - (steps.get(b) ?? 0));
};
