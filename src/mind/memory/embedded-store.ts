import type { Distil } from "./distil.ts";
import { embeddedIndex } from "./embedded/embedded-index.ts";
import { CachedEmbedder } from "./embedder/cached.ts";
import { IndexedStore } from "./indexed-store.ts";
import type { Embedder, MemoryStore } from "./memory-store.ts";

/** Vectors that stay in memory: of 512 numbers each, some 8 MB. */
export const CACHED_TEXTS_MAX = 4_096;

export type EmbeddedStoreParts = {
  /** Where `memory.db` is, or is made. */
  readonly folder: string;
  /** Names the run that it is of. */
  readonly run: string;
  readonly embedder: Embedder;
  /** False for an embedder that is faster than a look into the cache. */
  readonly caches: boolean;
  readonly distil: Distil | null;
  /** How long a search may take; null: as long as it takes. */
  readonly patienceMs: number | null;
  readonly warn: (text: string) => void;
};

/** A store in a file of the run's own folder, which needs no server. */
export const embeddedStore = (parts: EmbeddedStoreParts): MemoryStore => {
  const { folder, run, embedder, caches, distil, warn, patienceMs } = parts;
  const { index, shelf } = embeddedIndex({ folder, run, embedder: embedder.name }, warn);
  return new IndexedStore({
    index,
    embedder: caches ? new CachedEmbedder(embedder, shelf, CACHED_TEXTS_MAX) : embedder,
    distil,
    warn,
    patienceMs,
  });
};
