import { cutText } from "../../kernel/index.ts";

const OPEN = "<data>";
const CLOSE = "</data>";

/**
 * Anything that a reader could take for the end, or another beginning, of a fence: with blanks or
 * marks that are not seen in it, or in the wide letters of East Asian type.
 */
const LIKE_A_FENCE = /[<＜﹤](?=[\s\p{Cf}／/]*[dｄ]\p{Cf}*[aａ]\p{Cf}*[tｔ]\p{Cf}*[aａ])/giu;

/** Control characters, and marks that turn the direction of a line; line breaks and tabs stay. */
const UNSEEN = /[\p{Cc}\p{Bidi_Control}\u2028\u2029\ufeff]/gu;
const keepBreaks = (mark: string): string => (mark === "\n" || mark === "\t" ? mark : " ");

/** Text that others wrote, as data: nothing in it can end its fence. */
export const fenced = (text: string): string =>
  `${OPEN}\n${text.replace(UNSEEN, keepBreaks).replace(LIKE_A_FENCE, "‹")}\n${CLOSE}`;

/** Text on one line, cut at `charsMax`. */
export const oneLine = (text: string, charsMax: number): string => {
  const line = text.replace(UNSEEN, " ").replace(/\s+/g, " ").trim();
  return line.length <= charsMax ? line : `${cutText(line, charsMax - 1)}…`;
};
