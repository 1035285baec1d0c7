import { hash } from "node:crypto";
import { availableParallelism } from "node:os";
import { moduleUrl, WorkerClient } from "../../channel/index.ts";
import { cutText } from "../../kernel/index.ts";
import { type Model, parseModelId, readVectors, VECTORS } from "../../model/index.ts";
import type { Embedder, VectorCache } from "../port/memory-store.ts";
import { hashedEmbedder } from "./hashed.ts";
import type { OfflineCalls } from "./offline-worker.ts";

const OFFLINE = "offline-use-lite-en-512-2";

/** Returns the name of the embedder that `memory.embedder` names. */
export const embedderName = (setting: string): string => {
  if (setting === "hashed") return hashedEmbedder().name;
  return setting === "offline" ? OFFLINE : setting;
};

/** Returns the embedder that `memory.embedder` names. An embedder starts on first use. */
export const embedderNamed = (name: string, model: Model): Embedder => {
  if (name === "hashed") return hashedEmbedder();
  return name === "offline" ? offlineEmbedder() : providerEmbedder(name, model);
};

/** The maximum text length. Long texts take longer, and the start of a memory matters most. */
const OFFLINE_UNITS_MAX = 320;
const THREADS_MAX = 4;

/**
 * Embeds texts in worker threads with the Universal Sentence Encoder from an npm package. A text
 * goes to the thread with the fewest waiting texts. A thread starts with its first text.
 */
export const offlineEmbedder = (): Embedder => {
  const threads = Array.from(
    { length: Math.min(THREADS_MAX, availableParallelism()) },
    () =>
      new WorkerClient<OfflineCalls>({
        url: moduleUrl(import.meta.url, "./offline-worker"),
        name: "embedder",
        workerData: null,
        env: {},
      }),
  );
  const embedded = (text: string): Promise<Float32Array> => {
    const idlest = threads.reduce((a, b) => (b.waiting < a.waiting ? b : a));
    return idlest.ask("embed", cutText(text, OFFLINE_UNITS_MAX));
  };
  return {
    name: OFFLINE,
    bySpelling: false,
    embed: (texts) => Promise.all(texts.map(embedded)),
    close: async () => {
      await Promise.all(threads.map((thread) => thread.close()));
    },
  };
};

const PROVIDER_UNITS_MAX = 4_000;

/** Embeds texts with a provider's model. The run pays for the calls, within its budget. */
export const providerEmbedder = (name: string, model: Model): Embedder => {
  const closing = new AbortController();
  const parsed = parseModelId(name);
  const served = parsed.ok ? parsed.id : name;
  return {
    name,
    bySpelling: false,
    embed: async (texts) => {
      // Providers refuse the empty text.
      const values = texts.map((text) => cutText(text, PROVIDER_UNITS_MAX).trim() || "(nothing)");
      const about = { model: name, purpose: "embed", agent: null, system: "", form: VECTORS };
      const prompt = JSON.stringify(values);
      const limits = { temperature: null, maxTokens: 0, reasoning: null };
      const request = { ...about, ...limits, prompt };
      const reply = await model.ask(request, closing.signal);
      if (!reply.ok) throw new Error(`${name}: ${reply.fault}: ${reply.message}`);
      if (reply.servedBy !== served) {
        throw new Error(`vectors of ${reply.servedBy} cannot replace those of ${name}`);
      }
      return readVectors(reply.text);
    },
    close: async () => closing.abort(),
  };
};

/** Embeds only new texts. Keeps all vectors in `cache` and the latest `textsMax` in memory. */
export class CachedEmbedder implements Embedder {
  readonly name: string;
  readonly bySpelling = false;
  readonly #embedder: Embedder;
  readonly #cache: VectorCache;
  readonly #textsMax: number;
  /** The vectors by key, least recently used first. */
  readonly #recent = new Map<string, Promise<Float32Array>>();

  constructor(embedder: Embedder, cache: VectorCache, textsMax: number) {
    this.name = embedder.name;
    this.#embedder = embedder;
    this.#cache = cache;
    this.#textsMax = textsMax;
  }

  async embed(texts: readonly string[]): Promise<readonly Float32Array[]> {
    const keys = texts.map((text) => hash("sha256", `${this.name}\0${text}`));
    const known = new Map(keys.map((key) => [key, this.#recent.get(key)]));
    const textOf = new Map(keys.map((key, i) => [key, texts[i] ?? ""]));
    const making = this.#make([...textOf].filter(([key]) => known.get(key) === undefined));
    const vectors = new Map<string, Promise<Float32Array>>();
    for (const [key, found] of known) {
      const vector = found ?? making.then((made) => made.get(key) ?? new Float32Array());
      // If a vector fails, the caller gets the error. The next call computes the vector again.
      vector.then(null, () => this.#recent.delete(key));
      vectors.set(key, vector);
      this.#remember(key, vector);
    }
    return Promise.all(keys.map((key) => vectors.get(key) ?? new Float32Array()));
  }

  close(): Promise<void> {
    return this.#embedder.close();
  }

  /** Returns vectors from the cache. Embeds the texts that the cache lacks. */
  async #make(
    wanted: readonly (readonly [key: string, text: string])[],
  ): Promise<ReadonlyMap<string, Float32Array>> {
    if (wanted.length === 0) return new Map();
    const known = await this.#cache.find(wanted.map(([key]) => key)).catch(() => []);
    const vectors = new Map(
      wanted.flatMap(([key], i) => (known[i] ? [[key, known[i]] as const] : [])),
    );
    const missing = wanted.filter(([key]) => !vectors.has(key));
    if (missing.length === 0) return vectors;
    const made = await this.#embedder.embed(missing.map(([, text]) => text));
    const entries = missing.map(([key], i) => ({ key, vector: made[i] ?? new Float32Array() }));
    for (const { key, vector } of entries) vectors.set(key, vector);
    await this.#cache.keep(entries).catch(() => {
      // The texts are embedded again the next time.
    });
    return vectors;
  }

  #remember(key: string, vector: Promise<Float32Array>): void {
    this.#recent.delete(key);
    this.#recent.set(key, vector);
    const [oldest] = this.#recent.keys();
    if (this.#recent.size > this.#textsMax && oldest !== undefined) this.#recent.delete(oldest);
  }
}
