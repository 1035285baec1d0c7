import { hash } from "node:crypto";
import type { Embedder, VectorCache } from "../memory-store.ts";

type Wanted = { readonly key: string; readonly text: string };

/**
 * Asks an embedder only for texts that it has not embedded before, in this process or an earlier
 * one. The last `textsMax` vectors stay in memory; the cache keeps the others.
 */
export class CachedEmbedder implements Embedder {
  readonly name: string;
  readonly bySpelling = false;
  readonly #embedder: Embedder;
  readonly #cache: VectorCache;
  readonly #textsMax: number;
  /** By last use, oldest first. */
  readonly #recent = new Map<string, Promise<Float32Array>>();

  constructor(embedder: Embedder, cache: VectorCache, textsMax: number) {
    this.name = embedder.name;
    this.#embedder = embedder;
    this.#cache = cache;
    this.#textsMax = textsMax;
  }

  async embed(texts: readonly string[]): Promise<readonly Float32Array[]> {
    const wanted = texts.map((text) => ({ key: hash("sha256", `${this.name}\0${text}`), text }));
    const missing = new Map(wanted.map((each) => [each.key, each]));
    const vectors = new Map<string, Promise<Float32Array>>();
    for (const key of [...missing.keys()]) {
      const vector = this.#recent.get(key);
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
      // Failed texts are asked for again. Each caller has its own copy of the promise.
      vector.then(null, () => this.#recent.delete(key));
      return [key, vector];
    });
  }

  async #make(wanted: readonly Wanted[]): Promise<readonly Float32Array[]> {
    const [cached] = await Promise.allSettled([this.#cache.find(wanted.map(({ key }) => key))]);
    const known = cached.status === "fulfilled" ? cached.value : [];
    const missing = wanted.filter((_, i) => (known[i] ?? null) === null);
    const fresh = new Map<string, Float32Array>();
    if (missing.length > 0) {
      const made = await this.#embedder.embed(missing.map(({ text }) => text));
      const entries = missing.map(({ key }, i) => ({ key, vector: made[i] ?? new Float32Array() }));
      for (const { key, vector } of entries) fresh.set(key, vector);
      await Promise.allSettled([this.#cache.keep(entries)]);
    }
    return wanted.map(({ key }, i) => known[i] ?? fresh.get(key) ?? new Float32Array());
  }

  #remember(key: string, vector: Promise<Float32Array>): void {
    this.#recent.delete(key);
    this.#recent.set(key, vector);
    const [oldest] = this.#recent.keys();
    if (this.#recent.size > this.#textsMax && oldest !== undefined) this.#recent.delete(oldest);
  }
}
