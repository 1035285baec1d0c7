/**
 * Characters that would do something to a terminal instead of being seen: C0 and C1 controls but
 * for newline and tab, and the marks that turn the direction of text.
 */
const ACTIVE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Text that agents wrote, as it may be shown: what is active is written out as `\u{…}`. */
export const printable = (text: string): string =>
  text.replace(ACTIVE, (mark) => `\\u{${mark.codePointAt(0)?.toString(16) ?? ""}}`);
