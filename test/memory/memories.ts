import { expect, onTestFinished } from "vitest";
import { asId } from "../../src/kernel/index.ts";
import { hashedEmbedder } from "../../src/memory/embedder/hashed.ts";
import { IndexedStore } from "../../src/memory/indexed-store.ts";
import { mem0Index } from "../../src/memory/mem0/mem0-index.ts";
import type {
  Embedder,
  MemoryRecord,
  MemoryStore,
  Recalled,
} from "../../src/memory/port/memory-store.ts";
import { qdrantIndex } from "../../src/memory/qdrant/qdrant-index.ts";
import { sqliteIndex } from "../../src/memory/sqlite/sqlite-index.ts";
import type { Time } from "../../src/model/index.ts";
import { QdrantServer } from "../support/qdrant-server/qdrant-server.ts";

export const ALICE = asId("alice");
export const BOB = asId("bob");

/** A record of an artifact; its number is also its time in s. */
export const memory = (artifact: string, number: number, text: string): MemoryRecord => ({
  artifact: asId(artifact),
  number,
  atMs: number * 1000,
  kind: "action",
  text,
});

export const memoriesOf = (artifact: string, texts: readonly string[]): readonly MemoryRecord[] =>
  texts.map((text, i) => memory(artifact, i + 1, text));

/** Memories of one artifact that repeat after 280. */
export const repetitive = (artifact: string, count: number): readonly MemoryRecord[] =>
  memoriesOf(
    artifact,
    Array.from({ length: count }, (_, i) => `task ${i % 40} of kind ${i % 7}`),
  );

export const failOnWarning = (text: string): void => expect.fail(`warned: ${text}`);

/** A Qdrant server that stops after the test. */
export const startedQdrant = async (): Promise<QdrantServer> => {
  const server = await new QdrantServer().start();
  onTestFinished(() => server.stop());
  return server;
};

/** Creates a collection with these vectors. */
export const collectionOf = async (
  server: QdrantServer,
  vectors: object,
  name = "memories",
): Promise<void> => {
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ vectors });
  const made = await fetch(`${server.url}/collections/${name}`, { method: "PUT", headers, body });
  expect(made.status).toBe(200);
};

type StoreOptions = {
  readonly folder: string;
  readonly embedder?: Embedder;
  readonly run?: string;
  /** By default a warning fails the test. */
  readonly warn?: (text: string) => void;
};

export const openSqlite = ({ folder, ...options }: StoreOptions): IndexedStore => {
  const { embedder = hashedEmbedder(), run = "run", warn = failOnWarning } = options;
  const opened = sqliteIndex({ folder, run, embedder: embedder.name }, warn);
  return new IndexedStore({ ...opened, embedder, extract: null, patienceMs: null, warn });
};

type ServerOptions = StoreOptions & {
  readonly url: string;
  readonly apiKey?: string;
  readonly pendingMax?: number;
  readonly time?: Time;
};

/** A store on a Qdrant server without mem0. */
export const openQdrant = ({ url, folder, ...options }: ServerOptions): IndexedStore => {
  const { run = "run one", apiKey = null, warn = failOnWarning, pendingMax, time } = options;
  const { embedder = hashedEmbedder() } = options;
  const place = { url, apiKey, collection: "memories", run };
  const clock = time === undefined ? {} : { time };
  const opened = qdrantIndex({ place, folder, embedder: embedder.name, ...clock }, warn);
  const parts = { ...opened, embedder, extract: null, warn };
  const limit = pendingMax === undefined ? {} : { pendingMax };
  return new IndexedStore({ ...parts, ...limit, patienceMs: null });
};

/** A store of mem0 on a Qdrant server. */
export const openMem0 = ({ url, folder, ...options }: ServerOptions): IndexedStore => {
  const { run = "run one", apiKey = null, warn = failOnWarning } = options;
  const embedder = hashedEmbedder();
  const place = { url, apiKey, collection: "memories", run };
  const opened = mem0Index({ place, folder, embedder: embedder.name }, warn);
  return new IndexedStore({ ...opened, embedder, extract: null, patienceMs: null, warn });
};

export const closing = <Store extends MemoryStore>(store: Store): Store => {
  onTestFinished(() => store.close());
  return store;
};

/** What is recalled; fails if the search fails. */
export const recalled = async (
  store: MemoryStore,
  asked: { readonly artifact: string; readonly query: string; readonly limit?: number },
): Promise<readonly Recalled[]> => {
  const { artifact, query, limit = 5 } = asked;
  const recall = await store.search([asId(artifact)], query, limit);
  if (!recall.ok) throw new Error(recall.problem);
  return recall.found;
};

export const textsOf = (found: readonly Recalled[]): readonly string[] =>
  found.map(({ text }) => text);

export const numbersOf = (found: readonly Recalled[]): readonly number[] =>
  found.map(({ number }) => number);

export const sortedNumbersOf = (found: readonly Recalled[]): readonly number[] =>
  numbersOf(found).toSorted((a, b) => a - b);

export const upTo = (last: number): readonly number[] =>
  Array.from({ length: last }, (_, i) => i + 1);
