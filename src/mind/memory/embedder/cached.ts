import { hash } from "node:crypto";
import type { Embedder } from "../memory-store.ts";

/** What keeps vectors beyond the process. Both may reject: then vectors are made again. */
export type VectorShelf = {
  find(keys: readonly string[]): Promise<readonly (Float32Array | null)[]>;
  keep(entries: readonly { readonly key: string; readonly vector: Float32Array }[]): Promise<void>;
};

type Wanted = { readonly key: string; readonly text: string };

/**
 * Asks an embedder only for texts that it was not asked for before, in this process or in an
 * earlier one. The newest `textsMax` vectors stay in memory, the shelf has the others.
 */
export class CachedEmbedder implements Embedder {
  readonly name: string;
  readonly bySpelling = false;
  readonly #embedder: Embedder;
  readonly #shelf: VectorShelf;
  readonly #textsMax: number;
  /** In the order of their last use, the longest unused first. */
  readonly #near = new Map<string, Promise<Float32Array>>();

  constructor(embedder: Embedder, shelf: VectorShelf, textsMax: number) {
    this.name = embedder.name;
    this.#embedder = embedder;
    this.#shelf = shelf;
    this.#textsMax = textsMax;
  }

  async embed(texts: readonly string[]): Promise<readonly Float32Array[]> {
    const wanted = texts.map((text) => ({ key: hash("sha256", `${this.name}\0${text}`), text }));
    const missing = new Map(wanted.map((each) => [each.key, each]));
    const vectors = new Map<string, Promise<Float32Array>>();
    for (const key of [...missing.keys()]) {
      const vector = this.#near.get(key);
      if (vector === undefined) continue;
      missing.delete(key);
      vectors.set(key, vector);
      this.#remember(key, vector);
    }
    for (const [key, vector] of this.#start([...missing.values()])) {
      vectors.set(key, vector);
      this.#remember(key, vector);
    }
    return Promise.all(wanted.map(({ key }) => vectors.get(key) ?? new Float32Array()));
  }

  close(): Promise<void> {
    return this.#embedder.close();
  }

  #start(wanted: readonly Wanted[]): readonly (readonly [string, Promise<Float32Array>])[] {
    if (wanted.length === 0) return [];
    const making = this.#make(wanted);
    return wanted.map(({ key }, i) => {
      const vector = making.then((vectors) => vectors[i] ?? new Float32Array());
      // What failed is asked for again; who waits for it is told by his own copy of the promise.
      vector.then(null, () => this.#near.delete(key));
      return [key, vector];
    });
  }

  async #make(wanted: readonly Wanted[]): Promise<readonly Float32Array[]> {
    const [shelved] = await Promise.allSettled([this.#shelf.find(wanted.map(({ key }) => key))]);
    const known = shelved.status === "fulfilled" ? shelved.value : [];
    const missing = wanted.filter((_, i) => (known[i] ?? null) === null);
    const fresh = new Map<string, Float32Array>();
    if (missing.length > 0) {
      const made = await this.#embedder.embed(missing.map(({ text }) => text));
      const entries = missing.map(({ key }, i) => ({ key, vector: made[i] ?? new Float32Array() }));
      for (const { key, vector } of entries) fresh.set(key, vector);
      await Promise.allSettled([this.#shelf.keep(entries)]);
    }
    return wanted.map(({ key }, i) => known[i] ?? fresh.get(key) ?? new Float32Array());
  }

  #remember(key: string, vector: Promise<Float32Array>): void {
    this.#near.delete(key);
    this.#near.set(key, vector);
    const [oldest] = this.#near.keys();
    if (this.#near.size > this.#textsMax && oldest !== undefined) this.#near.delete(oldest);
  }
}
