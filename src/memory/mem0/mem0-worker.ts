import { AsyncLocalStorage } from "node:async_hooks";
import { workerData } from "node:worker_threads";
import type { QdrantClient } from "@qdrant/js-client-rest";
import type { Memory, MemoryItem } from "mem0ai/oss";
import { serve } from "../../channel/index.ts";
import type { Id } from "../../kernel/index.ts";
import { spelledVector } from "../embedder/hashed.ts";
import {
  bySimilarity,
  type IndexedRecord,
  type MemoryRecord,
  type NearestQuery,
  type Recalled,
} from "../port/memory-store.ts";
import { pointId, type QdrantPlace, runHash } from "../qdrant/qdrant-place.ts";
import { asking, clientOf } from "../qdrant/qdrant-requests.ts";
import { runPoints } from "../qdrant/run-points.ts";

/** A search asks mem0 for `limit` times this many results, to find the newest of equal results. */
const SPARE_FACTOR = 4;
const ASKED_MIN = 32;
const BLANK = "(nothing)";

const { fetch } = globalThis;
/** Refuses redirects, because the client sends the server's key with each request. */
globalThis.fetch = (address, init) => fetch(address, { ...init, redirect: "error" });

const place: QdrantPlace = workerData;
const client = clientOf(place);

type Vectors = ReadonlyMap<string, Float32Array>;

/** The vectors that the current request needs, by text. */
const vectors = new AsyncLocalStorage<Vectors>();

type Opened = {
  readonly memory: Promise<Memory>;
  /** In its first write, mem0 learns what the server supports. Later writes wait for this write. */
  firstWrite: Promise<void> | null;
};

let current: Opened | null = null;

/**
 * Runs `ask` with the current mem0. mem0 gets the vectors `known` through its interface for
 * LangChain embedders. After a failure, the next request starts a new mem0. A mem0 whose start
 * failed would fail again. A mem0 with a refused write would send no keywords with later writes.
 */
const using = async <Given>(
  known: Vectors,
  ask: (opened: Opened) => Promise<Given>,
): Promise<Given> => {
  current ??= { memory: newMemory([...known.values()][0]?.length ?? 0), firstWrite: null };
  const opened = current;
  try {
    return await vectors.run(known, () => ask(opened));
  } catch (error) {
    if (current === opened) current = null;
    throw error;
  }
};

const put = async ([first, ...others]: readonly IndexedRecord[]): Promise<void> => {
  if (first === undefined) return;
  const rows = [first, ...others];
  const known = new Map(
    rows.map(({ record, vector }) => [textOf(record), vector ?? spelledVector(record.text)]),
  );
  await using(known, async (opened) => {
    const memory = await opened.memory;
    // Makes the first write alone. A server without keyword search refuses it, and mem0 repeats it
    // without keywords. If the server refused several writes at once, mem0 would repeat only one.
    const isFirst = opened.firstWrite === null;
    opened.firstWrite ??= add(memory, first.record);
    await opened.firstWrite;
    const remaining = isFirst ? others : rows;
    await Promise.all(remaining.map(({ record }) => add(memory, record)));
  });
};

const nearest = async ({
  artifacts,
  text,
  vector,
  limit,
}: NearestQuery): Promise<readonly Recalled[]> => {
  if (limit < 1) return [];
  const query = text.trim() || BLANK;
  return using(new Map([[query, vector ?? spelledVector(text)]]), async (opened) => {
    const memory = await opened.memory;
    const found = artifacts.map(async (artifact) => {
      const { results } = await memory.search(query, {
        topK: Math.max(limit * SPARE_FACTOR, ASKED_MIN),
        threshold: 0,
        filters: { user_id: artifact, run_id: runHash(place.run) },
      });
      return results.map((item) => recalledFrom(artifact, item));
    });
    return (await Promise.all(found)).flat().sort(bySimilarity).slice(0, limit);
  });
};

/** Loads mem0 on first use, because mem0 imports the clients of all services that it supports. */
const newMemory = async (dimension: number): Promise<Memory> => {
  const { Memory } = await import("mem0ai/oss");
  /** Returns the vector of a known text, or zeros for an entity name, which is not stored. */
  const vectorFor = (text: string): number[] => [
    ...(vectors.getStore()?.get(text) ?? new Float32Array(dimension)),
  ];
  return new Memory({
    disableHistory: true,
    embedder: {
      provider: "langchain",
      config: {
        model: {
          embedQuery: async (text: string) => vectorFor(text),
          embedDocuments: async (texts: readonly string[]) => texts.map(vectorFor),
        },
      },
    },
    vectorStore: {
      provider: "qdrant",
      config: { client: qdrantForMem0(), collectionName: place.collection, dimension },
    },
    // mem0 requires a model, but `infer: false` never calls the model. This provider needs no key.
    llm: { provider: "langchain", config: { model: { invoke: noModel } } },
  });
};

type Second<Name extends keyof QdrantClient> = Parameters<QdrantClient[Name]>[1];

/** Wraps the Qdrant client for mem0: points get our ids, and mem0's own collections are skipped. */
const qdrantForMem0 = () => {
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

const noModel = async (): Promise<never> => {
  throw new Error("mem0 has no language model here");
};

const textOf = ({ text }: MemoryRecord): string => text.toWellFormed().trim() || BLANK;

const add = async (memory: Memory, record: MemoryRecord): Promise<void> => {
  const { artifact, number, atMs, kind } = record;
  await memory.add(textOf(record), {
    userId: artifact,
    runId: runHash(place.run),
    metadata: { number, at_ms: atMs, kind },
    infer: false,
  });
};

const recalledFrom = (artifact: Id, { memory, score, metadata = {} }: MemoryItem): Recalled => ({
  artifact,
  number: Number(metadata.number),
  atMs: Number(metadata.at_ms),
  kind: metadata.kind === "observation" ? "observation" : "action",
  text: memory,
  similarity: Math.min(1, Math.max(0, score ?? 0)),
});

const fields = { runField: ["run_id", runHash(place.run)], artifactField: "user_id" } as const;
const points = runPoints({ ...place, ...fields }, asking(place, new AbortController().signal));
const answers = { ...points, put, nearest };
export type Mem0Calls = typeof answers;

serve("concurrent", answers);
