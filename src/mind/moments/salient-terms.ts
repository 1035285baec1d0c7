import { cutText } from "../../kernel/index.ts";
import { dot, unit } from "../memory/index.ts";

/** The start of a prose that its terms depend on. */
export const PROSE_CHARS_COMPARED = 2_000;
const PROSE_CHARS_MIN = 10;
const CANDIDATES_MAX = 500;
export const TERMS_MAX = 4;
const TERM_PARTS_MAX = 2;
const TERM_CHARS_MAX = 15;

/** Converts texts to vectors. May reject, or return no vectors if it cannot. */
export type Embed = (texts: readonly string[]) => Promise<readonly Float32Array[]>;

/**
 * The names that a text is most about, by meaning: at most four, best first, each as a short word.
 * A text with fewer than ten characters has none, and neither has one without candidates.
 */
export const salientTerms = async (
  prose: string,
  names: readonly string[],
  embed: Embed,
): Promise<readonly string[]> => {
  if (!hasTerms(prose)) return [];
  const candidates = [...new Set(names)]
    .filter((name) => termOf(name) !== null)
    .slice(0, CANDIDATES_MAX);
  if (candidates.length === 0) return [];
  const vectors = await embed([cutText(prose, PROSE_CHARS_COMPARED), ...candidates]);
  if (vectors.length <= candidates.length) return [];
  const [whole = new Float32Array(), ...others] = vectors.map(unit);
  const ranked = candidates
    .map((name, at) => ({ name, similarity: dot(whole, others[at] ?? new Float32Array()) }))
    .sort((a, b) => b.similarity - a.similarity)
    .slice(0, TERMS_MAX);
  return [...new Set(ranked.flatMap(({ name }) => termOf(name) ?? []))];
};

/** A prose with fewer characters, without spaces, has no salient terms. */
export const hasTerms = (prose: string): boolean =>
  prose.replaceAll(/\s/g, "").length >= PROSE_CHARS_MIN;

/** `agent-graph.test.ts` becomes `AgentGraph`. Null for a name that is too long or has no word. */
export const termOf = (name: string): string | null => {
  const parts = name.split(/[\s_./-]+/).filter((part) => part.length > 1);
  const words = parts.map(
    (part) => `${part.slice(0, 1).toUpperCase()}${part.slice(1).toLowerCase()}`,
  );
  const term = words.slice(0, TERM_PARTS_MAX).join("");
  return term === "" || term.length > TERM_CHARS_MAX ? null : term;
};
