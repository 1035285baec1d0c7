import {
  hashedVector,
  hasTerms,
  PROSE_CHARS_COMPARED,
  TERMS_MAX,
  termOf,
} from "../../mind/index.ts";

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

type Found = { readonly name: string; readonly score: number };

/**
 * The names of all nodes except moments, in the order in which they became known. A moment gets its
 * terms from the names that were known when it ended, so that later events do not change its name.
 * Vectors are made when a name is first compared.
 */
export class LifeNames {
  readonly #names: string[] = [];
  readonly #known = new Set<string>();
  readonly #vectors: Sparse[] = [];

  get count(): number {
    return this.#names.length;
  }

  add(name: string): void {
    if (name === "" || this.#known.has(name)) return;
    this.#known.add(name);
    this.#names.push(name);
  }

  /** The most similar of the first `count` names, without `self`, as terms, the best first. */
  termsFor(prose: string, count: number, self: string): readonly string[] {
    if (!hasTerms(prose)) return [];
    const vector = hashedVector(prose.slice(0, PROSE_CHARS_COMPARED));
    const best: Found[] = [];
    for (let at = 0; at < count; at += 1) {
      const name = this.#names[at];
      if (name === undefined || name === self) continue;
      this.#vectors[at] ??= sparseOf(name);
      const score = similarity(this.#vectors[at] ?? sparseOf(name), vector);
      if (score <= (best[TERMS_MAX - 1]?.score ?? 0)) continue;
      best.push({ name, score });
      best.sort((a, b) => b.score - a.score);
      best.length = Math.min(best.length, TERMS_MAX);
    }
    const terms = best.map(({ name }) => termOf(name)).filter((term) => term !== null);
    return [...new Set(terms)];
  }
}
