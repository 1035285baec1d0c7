import type { Schemas } from "@qdrant/js-client-rest";
import { type QdrantPlace, shownAddress } from "./qdrant-place.ts";
import { type AskQdrant, statusOf, unlessAbsent } from "./qdrant-requests.ts";

type Found = Schemas["CollectionInfo"];

/** `size` is null for requests without vectors. */
type Use = { readonly size: number | null; readonly creates: boolean };

/** The fields of a point's payload. `run` groups the points of one run on the server's disk. */
const INDEXES: readonly Schemas["CreateFieldIndex"][] = [
  { field_name: "run", field_schema: { type: "keyword", is_tenant: true } },
  { field_name: "artifact", field_schema: "keyword" },
  { field_name: "number", field_schema: "integer" },
];

/** Returns the name of an embedder's vectors in a collection. Qdrant uses it as a folder's name. */
export const vectorName = (embedder: string): string => embedder.replace(/[^A-Za-z0-9.-]/g, "_");

export const inspectCollection = (
  { collection: collection_name }: Pick<QdrantPlace, "collection">,
  ask: AskQdrant,
): Promise<Found | null> =>
  unlessAbsent(ask((api, init) => api.getCollection({ collection_name }, init)));

/**
 * Says why a collection cannot hold the vectors of an embedder, and how to fix that. Null if it
 * can. `size` is the length of the embedder's vectors, or null if it is not known yet.
 */
export const misfitOf = (
  { config }: Pick<Found, "config">,
  embedder: string,
  { url, collection, size }: Pick<QdrantPlace, "url" | "collection"> & { size: number | null },
): string | null => {
  const { vectors = {} } = config.params;
  const where = `the collection ${collection} at ${shownAddress(url)}`;
  const cure = "set memory.qdrant.collection to another name";
  if ("distance" in vectors) return `${where} has vectors of mem0 or another program; ${cure}`;
  const found = Object.entries(vectors).find(([name]) => name === vectorName(embedder))?.[1];
  if (found === undefined) {
    const names = Object.keys(vectors).join(", ") || "none";
    return `${where} has vectors of the embedder ${names}, not of ${embedder}; ${cure}`;
  }
  if (size === null || found.size === size) return null;
  const lengths = `vectors of ${found.size} numbers, but ${embedder} makes ${size}`;
  return `${where} has ${lengths}; ${cure}`;
};

/**
 * The collection of an index, shared by runs with the same embedder. The first memory creates it.
 * It has no graph for approximate searches, because searches are exact and each compares only the
 * memories of a few artifacts.
 */
export class Collection {
  readonly #place: QdrantPlace;
  readonly #embedder: string;
  readonly #ask: AskQdrant;
  /** Resolves with the collection, or with null before it exists. Null until the first use. */
  #opening: Promise<Found | null> | null = null;
  #losses = 0;
  readonly #onLoss: () => void;

  /** `onLoss` is called each time when the server has lost the collection. */
  constructor(
    { place, embedder, ask }: { place: QdrantPlace; embedder: string; ask: AskQdrant },
    onLoss: () => void,
  ) {
    this.#place = place;
    this.#embedder = embedder;
    this.#ask = ask;
    this.#onLoss = onLoss;
  }

  /**
   * Makes requests, after a check that the collection fits vectors of this length. Null if there is
   * no collection, unless `creates` is set. If the server loses the collection, the requests are
   * made again.
   */
  async use<Given>(use: Use, work: () => Promise<Given>): Promise<Given | null> {
    for (let tries = 1; ; tries += 1) {
      if ((await this.#open(use)) === null) return null;
      const losses = this.#losses;
      try {
        return await work();
      } catch (error) {
        if (statusOf(error) !== 404 || tries > 1) throw error;
        // Concurrent requests notice the same loss.
        if (this.#losses === losses) this.#lose();
      }
    }
  }

  #lose(): void {
    this.#losses += 1;
    this.#opening = null;
    this.#onLoss();
  }

  /** Returns null before the collection exists. @throws Error if the collection does not fit. */
  async #open({ size, creates }: Use): Promise<Found | null> {
    this.#opening ??= this.#inspect();
    let found = await this.#settled(this.#opening);
    if (found === null && creates && size !== null) {
      this.#opening ??= this.#create(size);
      found = await this.#settled(this.#opening);
    }
    const misfit = found && misfitOf(found, this.#embedder, { ...this.#place, size });
    if (misfit === null) return found;
    this.#opening = null;
    throw new Error(misfit);
  }

  /** What is known of the collection stays known only if there is a collection. */
  async #settled(opening: Promise<Found | null>): Promise<Found | null> {
    let found: Found | null = null;
    try {
      found = await opening;
      return found;
    } finally {
      if (found === null && this.#opening === opening) this.#opening = null;
    }
  }

  async #inspect(): Promise<Found | null> {
    const info = await inspectCollection(this.#place, this.#ask);
    if (info === null || misfitOf(info, this.#embedder, { ...this.#place, size: null }))
      return info;
    const missing = INDEXES.filter(({ field_name }) => !(field_name in info.payload_schema));
    await this.#createIndexes(missing);
    return info;
  }

  async #create(size: number): Promise<Found | null> {
    const { collection: collection_name } = this.#place;
    const body = {
      vectors: { [vectorName(this.#embedder)]: { size, distance: "Cosine" } },
      hnsw_config: { m: 0 },
    } as const;
    try {
      await this.#ask((api, init) => api.createCollection({ collection_name, ...body }, init));
    } catch (error) {
      // Another run may have created it at the same moment, with another embedder.
      if (statusOf(error) !== 409) throw error;
    }
    return this.#inspect();
  }

  async #createIndexes(indexes: readonly Schemas["CreateFieldIndex"][]): Promise<void> {
    const { collection: collection_name } = this.#place;
    for (const index of indexes) {
      const body = { collection_name, wait: true, ...index };
      await this.#ask((api, init) => api.createFieldIndex(body, init));
    }
  }
}
