/** Advance widths of Arial, in thousandths of the font size, for the characters 32 to 126. */
const WIDTHS = (
  "278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 " +
  "556 556 556 556 556 556 556 556 556 556 278 278 584 584 584 556 " +
  "1015 667 667 722 722 667 611 778 722 278 500 667 556 833 722 778 " +
  "667 778 722 667 611 722 667 944 667 667 611 278 278 278 469 556 " +
  "333 556 556 500 556 556 278 556 556 222 222 500 222 833 556 556 " +
  "556 556 333 500 278 556 500 722 500 500 500 334 260 334 584"
)
  .split(" ")
  .map(Number);
const FIRST = 32;
/** For other characters: of alphabets, and of scripts with wide characters. */
const OTHER = 600;
const WIDE = 1_000;
const WIDE_FROM = 0x1100;

/** The width of a text in pixels, in Arial or a font with equal widths. */
export const textWidth = (text: string, fontSize: number): number => {
  let width = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    width += WIDTHS[code - FIRST] ?? (code < WIDE_FROM ? OTHER : WIDE);
  }
  return (width * fontSize) / 1_000;
};

/** A text that is at most `max` pixels wide. A longer text loses its end and gets the mark `…`. */
export const fittedText = (text: string, fontSize: number, max: number): string => {
  if (textWidth(text, fontSize) <= max) return text;
  const characters = [...text];
  while (characters.length > 0 && textWidth(`${characters.join("")}…`, fontSize) > max) {
    characters.pop();
  }
  return `${characters.join("").trimEnd()}…`;
};

/** As `fittedText`, but a longer text loses its middle: names of cells differ at their ends. */
export const fittedName = (text: string, fontSize: number, max: number): string => {
  if (textWidth(text, fontSize) <= max) return text;
  const [head, tail] = [[...text], [...text]];
  head.length = Math.ceil(head.length / 2);
  tail.splice(0, head.length);
  const joined = (): string => `${head.join("")}…${tail.join("")}`;
  while (head.length > 0 && textWidth(joined(), fontSize) > max) {
    head.pop();
    if (textWidth(joined(), fontSize) > max) tail.shift();
  }
  return joined();
};
