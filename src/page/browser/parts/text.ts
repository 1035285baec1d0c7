export const jsonText = (value: unknown): string => JSON.stringify(value, null, 2) ?? "";

export const fieldsOf = (value: unknown): { readonly [name: string]: unknown } =>
  typeof value === "object" && value !== null ? Object.fromEntries(Object.entries(value)) : {};

/** Joins the words that are not empty. Example: `invoke_artifact shop run`. */
export const wordsText = (...words: readonly unknown[]): string => words.filter(Boolean).join(" ");

export const actionText = (action: unknown): string => {
  if (typeof action !== "object" || action === null) return String(action ?? "nothing");
  const [[kind = "nothing", given] = []] = Object.entries(action);
  const { artifact_id: target, method } = fieldsOf(given);
  return wordsText(kind, target, method);
};

type Typed = { readonly ok: true; readonly value: unknown } | { readonly problem: string };

/** Reads JSON that a person has typed, or says where it is wrong. */
export const readTypedJson = (text: string): Typed => {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch (error) {
    return { problem: `this is not JSON: ${error instanceof Error ? error.message : ""}` };
  }
};

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
