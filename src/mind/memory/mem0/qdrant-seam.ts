import type { QdrantClient } from "@qdrant/js-client-rest";
import { pointId, type QdrantPlace } from "./qdrant-place.ts";

type Second<Name extends keyof QdrantClient> = QdrantClient[Name] extends (
  name: string,
  second: infer Given,
  ...rest: never[]
) => unknown
  ? Given
  : never;

/** The calls of Qdrant's client that mem0's store makes. */
export type QdrantSeam = {
  createCollection(name: string, settings: Second<"createCollection">): Promise<unknown>;
  getCollection(name: string): Promise<unknown>;
  createPayloadIndex(name: string, index: Second<"createPayloadIndex">): Promise<unknown>;
  upsert(name: string, change: Second<"upsert">): Promise<unknown>;
  search(name: string, query: Second<"search">): Promise<unknown>;
  query(name: string, query: Second<"query">): Promise<unknown>;
  scroll(name: string, page: Second<"scroll">): Promise<unknown>;
};

/**
 * Stands between mem0 and the client of Qdrant. It gives points the id that follows from agent and
 * number, where mem0 would draw one; and it answers itself for the two further collections that
 * mem0 keeps, of its telemetry's user and of entities, which are of no use without its telemetry
 * and its own fact extraction.
 */
export const qdrantSeam = (place: QdrantPlace, client: QdrantClient): QdrantSeam => {
  const isOurs = (name: string): boolean => name === place.collection;
  return {
    createCollection: async (name, settings) => {
      if (!isOurs(name)) return;
      await client.createCollection(name, settings);
      // A strict server refuses to delete by a field without an index.
      await client.createPayloadIndex(name, { field_name: "number", field_schema: "integer" });
    },
    getCollection: async (name) => (isOurs(name) ? client.getCollection(name) : {}),
    createPayloadIndex: async (name, index) => {
      if (isOurs(name)) await client.createPayloadIndex(name, index);
    },
    upsert: async (name, change) => {
      if (!isOurs(name)) return;
      if (!("points" in change)) throw new Error("mem0 wrote points in a form not known here");
      const points = change.points.map((point) => ({
        ...point,
        id: pointId(place.run, String(point.payload?.user_id), Number(point.payload?.number)),
      }));
      await client.upsert(name, { ...change, points });
    },
    search: async (name, query) => (isOurs(name) ? client.search(name, query) : []),
    query: async (name, query) => (isOurs(name) ? client.query(name, query) : { points: [] }),
    scroll: async (name, page) => (isOurs(name) ? client.scroll(name, page) : { points: [] }),
  };
};
