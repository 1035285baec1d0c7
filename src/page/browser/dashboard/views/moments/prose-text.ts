/** The words for the signs in the prose of a moment. Not every machine has a font with these. */
const WORDS: { readonly [sign: string]: string } = {
  "💭": "Thought:",
  "📝": "Text:",
  "🔧": "Call:",
  "→": "Result:",
};

/** The text of a moment, with words in place of the signs at the start of its lines. */
export const proseText = (prose: string): string =>
  prose.replace(/^(💭|📝|🔧|→)(?= )/gmu, (sign) => WORDS[sign] ?? sign);
