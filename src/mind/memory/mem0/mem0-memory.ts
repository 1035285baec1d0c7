import { AsyncLocalStorage } from "node:async_hooks";
import type { QdrantClient } from "@qdrant/js-client-rest";
import type { Memory } from "mem0ai/oss";
import type { Id } from "../../../kernel/index.ts";
import { spelledVector } from "../embedder/hashed.ts";
import type { IndexedRecord, NearestQuery } from "../memory-index.ts";
import type { MemoryRecord, Recalled } from "../memory-store.ts";
import { type QdrantPlace, runKey } from "./qdrant-place.ts";
import { qdrantSeam } from "./qdrant-seam.ts";

/**
 * mem0 is asked for more than is wanted, since among equals it knows nothing of the newer. Of more
 * equals than this, which are the newest is not known.
 */
const SPARE_FACTOR = 4;
const ASKED_MIN = 32;
/** mem0 refuses the blank text. */
const BLANK = "(nothing)";

type Vectors = ReadonlyMap<string, Float32Array>;

type Mem0Memory = {
  put(rows: readonly IndexedRecord[]): Promise<void>;
  nearest(query: NearestQuery): Promise<readonly Recalled[]>;
};

/**
 * mem0 over Qdrant. Vectors are made outside and come with each question; mem0 takes them through
 * its seam for LangChain's embedders. It ranks by vector and, where the server can, by keyword.
 *
 * After trouble a new mem0 is made, since the old one keeps what failed at its start, and stops
 * sending keywords after one refused write.
 */
export const openMem0 = (place: QdrantPlace, client: QdrantClient): Mem0Memory => {
  const vectors = new AsyncLocalStorage<Vectors>();
  let current: Opened | null = null;

  const using = async <Given>(
    known: Vectors,
    ask: (opened: Opened) => Promise<Given>,
  ): Promise<Given> => {
    const dimension = [...known.values()][0]?.length ?? 0;
    current ??= { memory: newMemory({ place, client, dimension, vectors }), firstWrite: null };
    const mine = current;
    const [outcome] = await Promise.allSettled([vectors.run(known, () => ask(mine))]);
    if (outcome.status === "fulfilled") return outcome.value;
    if (current === mine) current = null;
    throw outcome.reason;
  };

  return {
    put: ([first, ...others]) => {
      if (first === undefined) return Promise.resolve();
      const rows = [first, ...others];
      const known = new Map(
        rows.map(({ record, vector }) => [textOf(record), vector ?? spelledVector(record.text)]),
      );
      return using(known, async (opened) => {
        const memory = await opened.memory;
        // Of writes at once that a server without keywords refuses, mem0 repeats only one.
        const alone = opened.firstWrite === null ? [first] : [];
        opened.firstWrite ??= add(memory, place, first.record);
        await opened.firstWrite;
        const rest = rows.filter((row) => !alone.includes(row));
        await Promise.all(rest.map(({ record }) => add(memory, place, record)));
      });
    },
    nearest: ({ agent, text, vector, limit }) => {
      if (limit < 1) return Promise.resolve([]);
      const query = text.trim() || BLANK;
      return using(new Map([[query, vector ?? spelledVector(text)]]), async (opened) => {
        const memory = await opened.memory;
        const { results } = await memory.search(query, {
          topK: Math.max(limit * SPARE_FACTOR, ASKED_MIN),
          threshold: 0,
          filters: { user_id: agent, run_id: runKey(place.run) },
        });
        return results
          .map((item) => recalledFrom(agent, item))
          .sort((a, b) => b.likeness - a.likeness || b.number - a.number)
          .slice(0, limit);
      });
    },
  };
};

type Opened = {
  readonly memory: Promise<Memory>;
  /** What is written first shows what the server can; the others wait for it. */
  firstWrite: Promise<void> | null;
};

type NewMemory = {
  readonly place: QdrantPlace;
  readonly client: QdrantClient;
  readonly dimension: number;
  readonly vectors: AsyncLocalStorage<Vectors>;
};

/** Loaded when it is first needed: mem0 brings along the clients of all the services it knows. */
const newMemory = async ({ place, client, dimension, vectors }: NewMemory): Promise<Memory> => {
  const { Memory } = await import("mem0ai/oss");
  /** A text that did not come with the question is an entity, and those are searched in vain. */
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
      config: {
        client: qdrantSeam(place, client),
        collectionName: place.collection,
        dimension,
      },
    },
    // Never asked, since `infer` is off; any other provider would want a key.
    llm: { provider: "langchain", config: { model: { invoke: noModel } } },
  });
};

const noModel = async (): Promise<never> => {
  throw new Error("mem0 has no language model here");
};

const textOf = ({ text }: MemoryRecord): string => text.toWellFormed().trim() || BLANK;

const add = async (memory: Memory, place: QdrantPlace, record: MemoryRecord): Promise<void> => {
  const { agent, number, atMs, kind } = record;
  await memory.add(textOf(record), {
    userId: agent,
    runId: runKey(place.run),
    metadata: { number, at_ms: atMs, kind },
    infer: false,
  });
};

type Item = {
  readonly memory: string;
  readonly score?: number;
  readonly metadata?: { readonly [name: string]: unknown };
};

const recalledFrom = (agent: Id, { memory, score, metadata = {} }: Item): Recalled => ({
  agent,
  number: Number(metadata.number),
  atMs: Number(metadata.at_ms),
  kind: metadata.kind === "observation" ? "observation" : "action",
  text: memory,
  likeness: Math.min(1, Math.max(0, score ?? 0)),
});
