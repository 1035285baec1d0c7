import { hash } from "node:crypto";
import { cutText } from "../../../kernel/index.ts";
import { type Model, parseModelId, readVectors, VECTORS } from "../../model/index.ts";
import type { Embedder, VectorCache } from "../memory-store.ts";
import { moduleUrl, WorkerClient } from "../worker-thread.ts";
import { hashedEmbedder } from "./hashed.ts";
import type { OfflineCalls } from "./offline-worker.ts";

/** The embedder that `memory.embedder` names. Starts and connects nothing before its first use. */
export const embedderNamed = (name: string, model: Model): Embedder => {
  if (name === "hashed") return hashedEmbedder();
  return name === "offline" ? offlineEmbedder() : providerEmbedder(name, model);
};

/** The maximum text length. The cost grows with it, and a memory begins with what matters. */
const OFFLINE_UNITS_MAX = 320;
/** The texts per request. Few, so that a single text does not wait long for other texts. */
const REQUEST_TEXTS_MAX = 8;

/** The Universal Sentence Encoder in a thread. Its weights come in a package. */
export const offlineEmbedder = (): Embedder => {
  const client = new WorkerClient<OfflineCalls>({
    url: moduleUrl(import.meta.url, "./offline-worker"),
    name: "embedder",
    workerData: null,
    env: {},
  });
  return {
    name: "offline-use-lite-en-512-1",
    bySpelling: false,
    embed: async (texts) => {
      const cut = texts.map((text) => cutText(text, OFFLINE_UNITS_MAX));
      const requests: Promise<readonly Float32Array[]>[] = [];
      for (let i = 0; i < cut.length; i += REQUEST_TEXTS_MAX) {
        requests.push(client.ask("embed", cut.slice(i, i + REQUEST_TEXTS_MAX)));
      }
      return (await Promise.all(requests)).flat();
    },
    close: () => client.close(),
  };
};

const PROVIDER_UNITS_MAX = 4_000;

/** Embeds by the model `provider/model`. The run pays, within its limits and budget. */
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
      const request = { ...about, prompt, temperature: null, maxTokens: 0 };
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
  /** The vectors by last use, oldest first. */
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
      // Failed texts are asked for again. Each caller has its own copy of the promise.
      vector.then(null, () => this.#recent.delete(key));
      vectors.set(key, vector);
      this.#remember(key, vector);
    }
    return Promise.all(keys.map((key) => vectors.get(key) ?? new Float32Array()));
  }

  close(): Promise<void> {
    return this.#embedder.close();
  }

  /** The vectors of texts that are not in memory, by key. */
  async #make(
    wanted: readonly (readonly [key: string, text: string])[],
  ): Promise<ReadonlyMap<string, Float32Array>> {
    if (wanted.length === 0) return new Map();
    const [cached] = await Promise.allSettled([this.#cache.find(wanted.map(([key]) => key))]);
    const known = cached.status === "fulfilled" ? cached.value : [];
    const vectors = new Map(
      wanted.flatMap(([key], i) => (known[i] ? [[key, known[i]] as const] : [])),
    );
    const missing = wanted.filter(([key]) => !vectors.has(key));
    if (missing.length === 0) return vectors;
    const made = await this.#embedder.embed(missing.map(([, text]) => text));
    const entries = missing.map(([key], i) => ({ key, vector: made[i] ?? new Float32Array() }));
    for (const { key, vector } of entries) vectors.set(key, vector);
    await Promise.allSettled([this.#cache.keep(entries)]);
    return vectors;
  }

  #remember(key: string, vector: Promise<Float32Array>): void {
    this.#recent.delete(key);
    this.#recent.set(key, vector);
    const [oldest] = this.#recent.keys();
    if (this.#recent.size > this.#textsMax && oldest !== undefined) this.#recent.delete(oldest);
  }
}
