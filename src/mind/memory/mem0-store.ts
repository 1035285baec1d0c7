import { embeddedIndex } from "./embedded/embedded-index.ts";
import { CACHED_TEXTS_MAX, type EmbeddedStoreParts } from "./embedded-store.ts";
import { CachedEmbedder } from "./embedder/cached.ts";
import { IndexedStore } from "./indexed-store.ts";
import { mem0Index } from "./mem0/mem0-index.ts";
import type { QdrantPlace } from "./mem0/qdrant-place.ts";
import type { MemoryStore } from "./memory-store.ts";

export type Mem0StoreParts = Omit<EmbeddedStoreParts, "run"> & { readonly place: QdrantPlace };

/**
 * A store that mem0 keeps at a Qdrant server. The file in the run's folder is only the shelf of
 * vectors that were made before.
 */
export const mem0Store = (parts: Mem0StoreParts): MemoryStore => {
  const { place, folder, embedder, caches, distil, warn, patienceMs } = parts;
  const index = mem0Index(place, folder, warn);
  if (!caches) return new IndexedStore({ index, embedder, distil, warn, patienceMs });
  const local = embeddedIndex({ folder, run: null, embedder: embedder.name }, warn);
  const cached = new CachedEmbedder(embedder, local.shelf, CACHED_TEXTS_MAX);
  return new IndexedStore({
    index: {
      ...index,
      close: async () => {
        await Promise.all([index.close(), local.index.close()]);
      },
    },
    embedder: cached,
    distil,
    warn,
    patienceMs,
  });
};
