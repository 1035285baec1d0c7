/** Control characters (C0 and C1) except newline and tab, separators, and direction marks. */
export const ACTIVE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to replace
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** Makes a JSON document safe to print: escapes each `ACTIVE` character. The value is the same. */
export const printableJson = (json: string): string =>
  json.replace(ACTIVE, (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** Makes an agent's text safe to show. Replaces each `ACTIVE` character by its code as `\u{…}`. */
export const printable = (text: string): string =>
  text.replace(ACTIVE, (mark) => `\\u{${mark.codePointAt(0)?.toString(16) ?? ""}}`);
