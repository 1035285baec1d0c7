import { cutText } from "../../kernel/index.ts";
import { hashedVector } from "../../memory/index.ts";

/** The kinds of nodes of the graph of a life. */
export type NodeLabel = "Actor" | "Space" | "Thing" | "Narrative" | "Moment";

/** The start of a prose that its terms depend on. */
export const PROSE_CHARS_COMPARED = 2_000;
const PROSE_CHARS_MIN = 10;
const TERMS_MAX = 4;
const TERM_PARTS_MAX = 2;
const TERM_CHARS_MAX = 15;

/** A term must be this similar to the prose, as the cosine of their vectors. */
const SIMILARITY_MIN = 0.1;
/** A term must be this similar to the prose, as a share of the similarity of the best term. */
const SIMILARITY_SHARE_MIN = 0.5;

/** A name has few features, so most slots of its vector are 0. Only the others are kept. */
type Sparse = { readonly slots: Uint16Array; readonly weights: Float32Array };

const sparseOf = (name: string): Sparse => {
  const vector = hashedVector(name);
  const slots = [...vector.keys()].filter((slot) => vector[slot] !== 0);
  return {
    slots: Uint16Array.from(slots),
    weights: Float32Array.from(slots, (slot) => vector[slot] ?? 0),
  };
};

const similarity = ({ slots, weights }: Sparse, vector: Float32Array): number => {
  let sum = 0;
  for (let at = 0; at < slots.length; at += 1) {
    sum += (weights[at] ?? 0) * (vector[slots[at] ?? 0] ?? 0);
  }
  return sum;
};

type Known = { readonly name: string; readonly term: string | null; sparse: Sparse | null };

type Choice = {
  /** How many of the names count, the oldest first. All by default. */
  readonly count?: number;
  /** A name that does not count. */
  readonly without?: string;
};

/**
 * The names of all nodes except moments, in the order in which they became known. A moment gets its
 * terms from the names that were known when it ended, so that later events do not change its name.
 * Vectors are made when a name is first compared.
 */
export class NodeNames {
  readonly #names: Known[] = [];
  readonly #known = new Set<string>();

  get count(): number {
    return this.#names.length;
  }

  add(name: string): void {
    if (name === "" || this.#known.has(name)) return;
    this.#known.add(name);
    this.#names.push({ name, term: termOf(name), sparse: null });
  }

  /**
   * The names that a prose is most about, as terms: at most four, the best first. A prose with
   * fewer than ten characters, without spaces, has none.
   */
  termsFor(prose: string, { count = this.count, without }: Choice = {}): readonly string[] {
    if (prose.replaceAll(/\s/g, "").length < PROSE_CHARS_MIN) return [];
    const vector = hashedVector(cutText(prose, PROSE_CHARS_COMPARED));
    const best = new Map<string, number>();
    for (let at = 0; at < count; at += 1) {
      const known = this.#names[at];
      if (known === undefined || known.term === null || known.name === without) continue;
      known.sparse ??= sparseOf(known.name);
      const score = similarity(known.sparse, vector);
      if (score >= SIMILARITY_MIN && score > (best.get(known.term) ?? 0)) {
        best.set(known.term, score);
      }
    }
    const ranked = [...best].sort(([, a], [, b]) => b - a).slice(0, TERMS_MAX);
    const least = (ranked[0]?.[1] ?? 0) * SIMILARITY_SHARE_MIN;
    return ranked.flatMap(([term, score]) => (score >= least ? [term] : []));
  }
}

/** `agent-graph.test.ts` becomes `AgentGraph`. Null for a name that is too long or has no word. */
export const termOf = (name: string): string | null => {
  const parts = name.split(/[\s_./-]+/).filter((part) => part.length > 1);
  const words = parts.map(
    (part) => `${part.slice(0, 1).toUpperCase()}${part.slice(1).toLowerCase()}`,
  );
  const term = words.slice(0, TERM_PARTS_MAX).join("");
  return term === "" || term.length > TERM_CHARS_MAX ? null : term;
};

/** The verb and the terms, or the verb and the type, such as `Working_Completion`. */
export const momentName = ({
  verb,
  terms,
  type,
}: {
  readonly verb: string;
  readonly terms: readonly string[];
  readonly type: string;
}): string => {
  const [first = "", ...others] = type.toLowerCase();
  const words = terms.length > 0 ? terms : [`${first.toUpperCase()}${others.join("")}`];
  return [verb, ...words].join("_");
};

type MomentVerb =
  | "Debugging"
  | "Discovering"
  | "Refactoring"
  | "Exploring"
  | "Building"
  | "Working";

/** Whole words only: `debug` is not a bug, and `no errors found` is not an error. */
const SAID: readonly (readonly [verb: MomentVerb, words: RegExp])[] = [
  ["Debugging", /\b(bugs?|error)\b/i],
  ["Discovering", /\b(found|discovered)\b/i],
  ["Refactoring", /\brefactor(s|ed|ing)?\b/i],
];

/** How many times as many files are read as written, when a moment is an exploration. */
const EXPLORING_FACTOR = 2;

/** What someone does, by what they say, and else by the tools that they use. */
export const momentVerb = (prose: string, toolsUsed: readonly string[]): MomentVerb => {
  const said = SAID.find(([, words]) => words.test(prose));
  if (said !== undefined) return said[0];
  const works = toolsUsed.map(workOf);
  const reads = works.filter((work) => work === "read").length;
  const writes = works.filter((work) => work === "write").length;
  if (reads > EXPLORING_FACTOR * writes) return "Exploring";
  return writes > reads ? "Building" : "Working";
};

/** What the tools of the known coding agents do with files. Others are not counted. */
const READS = new Set(
  (
    "Read Glob Grep LS NotebookRead read_file read_many_files list_directory glob grep_search " +
    "search_file_content read_artifact"
  ).split(" "),
);
const WRITES = new Set(
  "Edit MultiEdit Write NotebookEdit replace write_file file_change write_artifact".split(" "),
);

/** Whether a tool reads, writes, or does something else (null). */
const workOf = (tool: string): "read" | "write" | null =>
  READS.has(tool) ? "read" : WRITES.has(tool) ? "write" : null;
