import { hash } from "node:crypto";
import { QdrantClient } from "@qdrant/js-client-rest";
import type { Id } from "../../../kernel/index.ts";
import type { MemoryRecord } from "../memory-store.ts";

const REQUEST_MS_MAX = 10_000;
const ARTIFACTS_PER_REQUEST = 100;

/** The place of a run's memories on a Qdrant server. */
export type QdrantPlace = {
  readonly url: string;
  readonly apiKey: string | null;
  readonly collection: string;
  /** The id of the run. Several runs may share a collection and use the same names. */
  readonly run: string;
};

/** Returns a hash of the run's id, because mem0 refuses ids with white space. */
export const runKey = (run: string): string => hash("sha256", run).slice(0, 32);

/** Returns the same UUID for the same record, so that adding a record twice stores it once. */
const pointId = (run: string, artifact: string, number: number): string => {
  const digits = hash("sha256", `${runKey(run)}/${artifact}/${number}`);
  const parts = [digits.slice(0, 8), digits.slice(8, 12), `8${digits.slice(13, 16)}`];
  return [...parts, `8${digits.slice(17, 20)}`, digits.slice(20, 32)].join("-");
};

/** Creates a client. Passes the path of `url` as `prefix`: the client ignores paths in URLs. */
export const clientOf = ({ url, apiKey }: QdrantPlace): QdrantClient => {
  const { origin, pathname } = new URL(url);
  const prefix = pathname.replace(/\/+$/, "");
  return new QdrantClient({
    url: origin,
    ...(prefix === "" ? {} : { prefix }),
    ...(apiKey === null ? {} : { apiKey }),
    timeout: REQUEST_MS_MAX,
    // The compatibility check would send a request immediately and print to the console.
    checkCompatibility: false,
  });
};

/** Returns functions for the queries that mem0 does not offer. */
export const qdrantQueries = ({ collection, run }: QdrantPlace, client: QdrantClient) => {
  const ofRun = { key: "run_id", match: { value: runKey(run) } };
  const ofArtifact = (artifact: Id) => ({ key: "user_id", match: { value: artifact } });
  const idOf = ({ artifact, number }: MemoryRecord): string => pointId(run, artifact, number);
  return {
    missing: async (records: readonly MemoryRecord[]) => {
      const ids = records.map(idOf);
      const asked = client.retrieve(collection, { ids, with_payload: false, with_vector: false });
      const present = new Set((await unlessAbsent(asked))?.map(({ id }) => String(id)));
      return records.filter((each) => !present.has(idOf(each)));
    },
    cutBack: async (counts: ReadonlyMap<Id, number>) => {
      const named = [...counts.keys()].map(ofArtifact);
      const others = { must: [ofRun], must_not: named };
      await unlessAbsent(client.delete(collection, { wait: true, filter: others }));
      for (const part of chunks([...counts], ARTIFACTS_PER_REQUEST)) {
        const past = part.map(([artifact, count]) => ({
          must: [ofArtifact(artifact), { key: "number", range: { gt: count } }],
        }));
        const filter = { must: [ofRun], should: past };
        await unlessAbsent(client.delete(collection, { wait: true, filter }));
      }
    },
  };
};

/** Returns the result of a query, or null if the collection does not exist yet. */
const unlessAbsent = async <Given>(asked: Promise<Given>): Promise<Given | null> => {
  const [outcome] = await Promise.allSettled([asked]);
  if (outcome.status === "fulfilled") return outcome.value;
  const reason: unknown = outcome.reason;
  if (reason instanceof Error && "status" in reason && reason.status === 404) return null;
  throw reason;
};

function* chunks<Item>(items: readonly Item[], size: number): Generator<readonly Item[]> {
  for (let i = 0; i < items.length; i += size) yield items.slice(i, i + size);
}

type Second<Name extends keyof QdrantClient> = Parameters<QdrantClient[Name]>[1];

/** Wraps the Qdrant client for mem0: points get our ids, and mem0's own collections are skipped. */
export const qdrantForMem0 = (place: QdrantPlace, client: QdrantClient) => {
  const isOurs = (name: string): boolean => name === place.collection;
  return {
    createCollection: async (name: string, settings: Second<"createCollection">) => {
      if (!isOurs(name)) return;
      await client.createCollection(name, settings);
      // `cutBack` deletes by `number`. Strict servers need an index to delete by a field.
      await client.createPayloadIndex(name, { field_name: "number", field_schema: "integer" });
    },
    getCollection: async (name: string) => (isOurs(name) ? client.getCollection(name) : {}),
    createPayloadIndex: async (name: string, index: Second<"createPayloadIndex">) => {
      if (isOurs(name)) await client.createPayloadIndex(name, index);
    },
    upsert: async (name: string, change: Second<"upsert">) => {
      if (!isOurs(name)) return;
      if (!("points" in change)) throw new Error("mem0 wrote points in an unknown form");
      const points = change.points.map((point) => ({
        ...point,
        id: pointId(place.run, String(point.payload?.user_id), Number(point.payload?.number)),
      }));
      await client.upsert(name, { ...change, points });
    },
    search: async (name: string, query: Second<"search">) =>
      isOurs(name) ? client.search(name, query) : [],
    query: async (name: string, query: Second<"query">) =>
      isOurs(name) ? client.query(name, query) : { points: [] },
    scroll: async (name: string, page: Second<"scroll">) =>
      isOurs(name) ? client.scroll(name, page) : { points: [] },
  };
};
