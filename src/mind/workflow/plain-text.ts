/** Text that can be kept: without NUL, and without halves of characters. */
export const plainText = (text: string): string =>
  text.replaceAll("\u0000", "").replace(/\p{Surrogate}/gu, "\uFFFD");
