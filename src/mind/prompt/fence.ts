import { cutText } from "../../kernel/index.ts";

const OPEN = "<data>";
const CLOSE = "</data>";

/** Characters that look like the start of a tag. */
const ANGLE = "[<＜﹤‹«〈〈《⟨⟪❬❮❰⦑⧼˂ᐸ≺≪]";
const SLASH = "[/／⁄∕⧸╱⟋\\\\＼]";
/** Characters that a reader ignores inside a word. */
const PASSED = "[\\s\\p{M}\\p{Cf}]*";

/** Matches a letter, or any non-ASCII character, because it may look like the letter. */
const like = (letter: string): string => `(?:${letter}|[^\\x00-\\x7f])${PASSED}`;

/** Matches whatever looks like the start or end of a fence, which is any closing or data tag. */
const LIKE_A_FENCE = new RegExp(
  `${ANGLE}(?=${PASSED}${SLASH}|${PASSED}${[..."data"].map(like).join("")})`,
  "giu",
);
const ESCAPED = "&lt;";

/** Control characters and direction marks. Line breaks and tabs are kept. */
const UNSEEN = /[\p{Cc}\p{Bidi_Control}\u2028\u2029\ufeff]/gu;
const keepBreaks = (mark: string): string => (mark === "\n" || mark === "\t" ? mark : " ");

/** Invisible characters, which could hide words from people. */
const NOT_SHOWN = /[\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** Most text is plain; this check is ten times faster than the others. */
const PLAIN = /^[\x20-\x7e\n\t]*$/;

/** Makes people see everything that a model reads. */
const seen = (text: string): string =>
  PLAIN.test(text) ? text : text.toWellFormed().replace(UNSEEN, keepBreaks).replace(NOT_SHOWN, "");

/** Fences text of others as data. Nothing in the text can end the fence. */
export const fenced = (text: string): string => framed(seen(text).replace(LIKE_A_FENCE, ESCAPED));

export const framed = (text: string): string => `${OPEN}\n${text}\n${CLOSE}`;

export const oneLine = (text: string, charsMax: number): string => {
  const line = seen(text).replace(/\s+/g, " ").trim();
  return line.length <= charsMax ? line : `${cutText(line, charsMax - 1)}…`;
};
