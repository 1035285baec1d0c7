/** What the marks of the journal mean. Not every machine has a font with these signs. */
const WORDS: { readonly [mark: string]: string } = {
  "💭": "Thought:",
  "📝": "Text:",
  "🔧": "Call:",
  "→": "Result:",
};

/** The text of a moment, with words in place of the signs at the start of its lines. */
export const proseText = (prose: string): string =>
  prose.replace(/^(💭|📝|🔧|→)(?= )/gmu, (mark) => WORDS[mark] ?? mark);
