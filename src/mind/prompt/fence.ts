import { cutText } from "../../kernel/index.ts";

const OPEN = "<data>";
const CLOSE = "</data>";

/** What looks like the mark that opens a tag. */
const ANGLE = "[<＜﹤‹«〈〈《⟨⟪❬❮❰⦑⧼˂ᐸ≺≪]";
const SLASH = "[/／⁄∕⧸╱⟋\\\\＼]";
/** What a reader passes over between the letters of a word. */
const PASSED = "[\\s\\p{M}\\p{Cf}]*";

/** A letter, or anything that is none of ours and may look like it. */
const like = (letter: string): string => `(?:${letter}|[^\\x00-\\x7f])${PASSED}`;

/**
 * Anything that a reader could take for the end or another beginning of a fence: a closing tag of
 * whatever name, or a tag whose name looks like ours.
 */
const LIKE_A_FENCE = new RegExp(
  `${ANGLE}(?=${PASSED}${SLASH}|${PASSED}${[..."data"].map(like).join("")})`,
  "giu",
);
const ESCAPED = "&lt;";

/** Control characters, and marks that turn the direction of a line; line breaks and tabs stay. */
const UNSEEN = /[\p{Cc}\p{Bidi_Control}\u2028\u2029\ufeff]/gu;
const keepBreaks = (mark: string): string => (mark === "\n" || mark === "\t" ? mark : " ");

/** Characters that take no room, in which words could be hidden from people, and the empty one. */
const NOT_SHOWN = /[\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** Most text has nothing else, and to see that takes a tenth of what looking for the rest does. */
const PLAIN = /^[\x20-\x7e\n\t]*$/;

/** Text of which a person sees all that a model reads. */
const seen = (text: string): string =>
  PLAIN.test(text) ? text : text.toWellFormed().replace(UNSEEN, keepBreaks).replace(NOT_SHOWN, "");

/** Text that others wrote, as data: nothing in it can end its fence. */
export const fenced = (text: string): string => framed(seen(text).replace(LIKE_A_FENCE, ESCAPED));

/** Between the marks, as it is. */
export const framed = (text: string): string => `${OPEN}\n${text}\n${CLOSE}`;

/** Text on one line, cut at `charsMax`. */
export const oneLine = (text: string, charsMax: number): string => {
  const line = seen(text).replace(/\s+/g, " ").trim();
  return line.length <= charsMax ? line : `${cutText(line, charsMax - 1)}…`;
};
