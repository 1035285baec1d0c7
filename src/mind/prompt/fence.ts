import { shortened } from "../../text/index.ts";

const OPEN = "<data>";
const CLOSE = "</data>";

/** Characters that look like `<`. */
const ANGLE = "[<＜﹤‹«〈〈《⟨⟪❬❮❰⦑⧼˂ᐸ≺≪]";
const SLASH = "[/／⁄∕⧸╱⟋\\\\＼]";
/** Characters that a reader ignores inside a word. */
const PASSED = "[\\s\\p{M}\\p{Cf}]*";

/** Matches a letter. Also matches any non-ASCII character, because it may look like the letter. */
const like = (letter: string): string => `(?:${letter}|[^\\x00-\\x7f])${PASSED}`;

/** Matches a `<`, or a similar character, that seems to begin a closing tag or a data tag. */
const LIKE_A_FENCE = new RegExp(
  `${ANGLE}(?=${PASSED}${SLASH}|${PASSED}${[..."data"].map(like).join("")})`,
  "giu",
);
const ESCAPED = "&lt;";

/** Control characters and direction marks. `keepBreaks` keeps line breaks and tabs. */
const UNSEEN = /[\p{Cc}\p{Bidi_Control}\u2028\u2029\ufeff]/gu;
const keepBreaks = (mark: string): string => (mark === "\n" || mark === "\t" ? mark : " ");

/** Invisible characters, which could hide text from people. */
const NOT_SHOWN = /[\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** Matches plain text. Plain text does not need the slower checks. Most text is plain. */
const PLAIN = /^[\x20-\x7e\n\t]*$/;

/** Removes or replaces characters that a model reads but people do not see. */
const seen = (text: string): string =>
  PLAIN.test(text) ? text : text.toWellFormed().replace(UNSEEN, keepBreaks).replace(NOT_SHOWN, "");

/** Puts text of other agents between data tags. Nothing in the text can close the tags. */
export const fenced = (text: string): string => framed(fenceless(text));

/** Returns a text in which nothing looks like a data tag, and nothing is invisible to people. */
export const fenceless = (text: string): string =>
  PLAIN.test(text) && !text.includes("<") ? text : seen(text).replace(LIKE_A_FENCE, ESCAPED);

export const framed = (text: string): string => `${OPEN}\n${text}\n${CLOSE}`;

/** Matches plain words with one space between them. Most names and descriptions are so. */
const PLAIN_LINE = /^[!-~]+(?: [!-~]+)*$/;

export const oneLine = (text: string, charsMax: number): string => {
  if (text.length <= charsMax && PLAIN_LINE.test(text)) return text;
  const line = seen(text).replace(/\s+/g, " ").trim();
  return shortened(line, charsMax);
};
