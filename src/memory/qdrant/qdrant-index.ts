import type { Schemas } from "@qdrant/js-client-rest";
import { z } from "zod";
import { errorLine } from "../../channel/index.ts";
import { asId, type Id, MEMORY_KINDS } from "../../kernel/index.ts";
import { realTime, type Time } from "../../model/index.ts";
import { spelledVector } from "../embedder/hashed.ts";
import {
  bySimilarity,
  type IndexedRecord,
  type MemoryIndex,
  type MemoryRecord,
  type NearestQuery,
  type Recalled,
  type VectorCache,
} from "../port/memory-store.ts";
import { sqliteIndex } from "../sqlite/sqlite-index.ts";
import { Collection, vectorName } from "./collection.ts";
import { pointId, type QdrantPlace } from "./qdrant-place.ts";
import { type AskQdrant, asking, statusOf } from "./qdrant-requests.ts";
import { runPoints } from "./run-points.ts";

/** Limits of one request. Qdrant accepts 32 MB by default. */
const POINTS_MAX = 128;
const SEARCHES_MAX = 32;
const REQUEST_BYTES_MAX = 4_000_000;
/** Numbers of requests in progress. */
const WRITES_MAX = 4;
const READS_MAX = 8;
/** At most this many batches of records are embedded and written at the same time. */
const LANES = 8;

/** The JSON of a number of a vector has at most about 22 characters. */
const NUMBER_BYTES = 22;
const POINT_BYTES = 400;

/** A search asks for at least this many points, to find the newest of equal memories. */
const ASKED_MIN = 32;
const ASKED_MAX = 8_192;
const ASKED_FACTOR = 4;

const pointSchema = z.object({
  artifact: z.string(),
  number: z.int(),
  at_ms: z.number(),
  kind: z.enum(MEMORY_KINDS),
  text: z.string(),
});

type IndexStart = {
  readonly place: QdrantPlace;
  readonly folder: string;
  readonly embedder: string;
  readonly time?: Time;
};

/**
 * Opens an index in one collection on a Qdrant server, which many runs share, and a local file that
 * caches vectors. Each request names its run and its artifacts. Connects at the first use.
 */
export const qdrantIndex = (
  { place, folder, embedder, time = realTime }: IndexStart,
  warn: (text: string) => void,
): { readonly index: MemoryIndex; readonly cache: VectorCache } => {
  const local = sqliteIndex({ folder, run: null, embedder }, warn);
  const index = new QdrantIndex({ place, embedder, time, cacheFile: local.index });
  return { index, cache: local.cache };
};

type IndexParts = Required<Omit<IndexStart, "folder">> & {
  readonly cacheFile: Pick<MemoryIndex, "close">;
};

/** Requests that can be joined are joined; see `Batches`. */
class QdrantIndex implements MemoryIndex {
  readonly skipsKnown = false;
  readonly lanes = LANES;
  readonly #run: string;
  /** The name of the vectors. */
  readonly #name: string;
  readonly #collection: Collection;
  readonly #points: ReturnType<typeof runPoints>;
  readonly #upserts: ReturnType<typeof upsertsOf>;
  readonly #searches: ReturnType<typeof searchesOf>;
  readonly #closing = new AbortController();
  /** The numbers at the last cut. The server has no later records, except what this index put. */
  #cut: ReadonlyMap<Id, number> | null = null;
  readonly #cacheFile: Pick<MemoryIndex, "close">;
  #lost: () => void = () => {};

  constructor({ place, embedder, time, cacheFile }: IndexParts) {
    this.#cacheFile = cacheFile;
    const { run, collection } = place;
    const ask = asking(place, this.#closing.signal, time);
    const fields = { runField: ["run", run], artifactField: "artifact" } as const;
    this.#run = run;
    this.#name = vectorName(embedder);
    this.#collection = new Collection({ place, embedder, ask }, () => {
      this.#cut = new Map();
      this.#lost();
    });
    this.#points = runPoints({ collection, run, ...fields }, ask);
    this.#upserts = upsertsOf(collection, ask);
    this.#searches = searchesOf(collection, ask);
  }

  onLoss(listener: () => void): void {
    this.#lost = listener;
  }

  async missing(records: readonly MemoryRecord[]): Promise<readonly MemoryRecord[]> {
    const doubtful = records.filter((record) => !this.#isNew(record));
    if (doubtful.length === 0) return records;
    const absent = new Set((await this.#used(() => this.#points.missing(doubtful))) ?? records);
    return records.filter((record) => this.#isNew(record) || absent.has(record));
  }

  #isNew({ artifact, number }: MemoryRecord): boolean {
    return this.#cut !== null && number > (this.#cut.get(artifact) ?? 0);
  }

  async put(rows: readonly IndexedRecord[]): Promise<void> {
    const [first] = rows;
    if (first === undefined) return;
    const points = rows.map((row) => pointOf(row, this.#run, this.#name));
    const size = vectorOf(first).length;
    await this.#collection.use({ size, creates: true }, () =>
      Promise.all(points.map((point) => this.#upserts.ask(point))),
    );
  }

  async nearest({ puts, ...query }: NearestQuery): Promise<readonly Recalled[]> {
    await this.put(puts);
    const vector = [...(query.vector ?? spelledVector(query.text))];
    const about = { run: this.#run, name: this.#name, vector };
    const search = (limit: number) => this.#searches.ask(searchOf(query, { ...about, limit }));
    const use = { size: vector.length, creates: false };
    return (await this.#collection.use(use, () => nearestBy(search, query.limit))) ?? [];
  }

  async cutBack(counts: ReadonlyMap<Id, number>): Promise<ReadonlyMap<Id, number>> {
    const held = await this.#used(() => this.#points.cutBack(counts));
    this.#cut = counts;
    return held ?? new Map();
  }

  async counts(): Promise<ReadonlyMap<Id, number>> {
    return (await this.#used(() => this.#points.counts())) ?? new Map();
  }

  #used<Given>(work: () => Promise<Given>): Promise<Given | null> {
    return this.#collection.use({ size: null, creates: false }, work);
  }

  /** Does nothing: Qdrant confirms a write only after the write is in its log on disk. */
  async flush(): Promise<void> {}

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#cacheFile.close();
  }
}

/** True if the server may accept less at once. Servers in strict mode have limits of their own. */
const isTooLarge = (reason: unknown): boolean => {
  const status = statusOf(reason);
  return status === 413 || (status === 400 && /limit|exceed|too large/i.test(errorLine(reason)));
};

const upsertsOf = (collection_name: string, ask: AskQdrant) =>
  new Batches<Schemas["PointStruct"], unknown>({
    send: async (points) => {
      const body = { collection_name, wait: true, points: [...points] };
      const done = await ask((api, init) => api.upsertPoints(body, init));
      return points.map(() => done);
    },
    requestsMax: WRITES_MAX,
    itemsMax: POINTS_MAX,
    bytesMax: REQUEST_BYTES_MAX,
    bytesOf: ({ vector, payload }) =>
      POINT_BYTES +
      Object.values(vector)
        .map(numbersIn)
        .reduce((a, b) => a + b, 0) *
        NUMBER_BYTES +
      Buffer.byteLength(String(payload?.text)),
    isTooLarge,
  });

const numbersIn = (vector: unknown): number => (Array.isArray(vector) ? vector.length : 0);

type Found = Schemas["ScoredPoint"];

const searchesOf = (collection_name: string, ask: AskQdrant) =>
  new Batches<Schemas["QueryRequest"], readonly Found[]>({
    send: async (searches) => {
      const body = { collection_name, searches: [...searches] };
      const found = await ask((api, init) => api.queryBatchPoints(body, init));
      return found.map(({ points }) => points);
    },
    requestsMax: READS_MAX,
    itemsMax: SEARCHES_MAX,
    bytesMax: REQUEST_BYTES_MAX,
    bytesOf: ({ query }) => POINT_BYTES + numbersIn(query) * NUMBER_BYTES,
    isTooLarge,
  });

const vectorOf = ({ vector, record }: IndexedRecord): Float32Array =>
  vector ?? spelledVector(record.text);

const pointOf = (row: IndexedRecord, run: string, name: string): Schemas["PointStruct"] => {
  const { artifact, number, atMs: at_ms, kind, text } = row.record;
  return {
    id: pointId(run, artifact, number),
    vector: { [name]: [...vectorOf(row)] },
    // The server refuses half characters.
    payload: { run, artifact, number, at_ms, kind, text: text.toWellFormed() },
  };
};

type Asked = {
  readonly run: string;
  readonly name: string;
  readonly vector: readonly number[];
  readonly limit: number;
};

const searchOf = (
  { artifacts }: Pick<NearestQuery, "artifacts">,
  { run, name, vector, limit }: Asked,
): Schemas["QueryRequest"] => ({
  query: [...vector],
  using: name,
  filter: {
    must: [
      { key: "run", match: { value: run } },
      { key: "artifact", match: { any: [...artifacts] } },
    ],
  },
  params: { exact: true },
  limit,
  with_payload: true,
});

/**
 * Returns the nearest memories, and of equally near ones the newest. The server returns any of the
 * equals. So if the last result is as near as the last of the `limit`, this asks for more.
 */
const nearestBy = async (
  search: (limit: number) => Promise<readonly Found[]>,
  limit: number,
): Promise<readonly Recalled[]> => {
  if (limit < 1) return [];
  for (let asked = Math.max(limit, ASKED_MIN); ; asked *= ASKED_FACTOR) {
    const found = await search(asked);
    const isCut = found.length === asked && found[limit - 1]?.score === found.at(-1)?.score;
    if (isCut && asked < ASKED_MAX) continue;
    return found.map(recalledFrom).sort(bySimilarity).slice(0, limit);
  }
};

const recalledFrom = ({ payload, score }: Found): Recalled => {
  const { artifact, number, at_ms: atMs, kind, text } = pointSchema.parse(payload);
  const similarity = Math.min(1, Math.max(0, score));
  return { artifact: asId(artifact), number, atMs, kind, text, similarity };
};

type BatchParts<Item, Answer> = {
  /** Resolves with one answer for each item, in order. */
  readonly send: (items: readonly Item[]) => Promise<readonly Answer[]>;
  readonly requestsMax: number;
  readonly itemsMax: number;
  readonly bytesMax: number;
  readonly bytesOf: (item: Item) => number;
  /** True if the server may accept the items of a refused request in smaller requests. */
  readonly isTooLarge: (reason: unknown) => boolean;
};

type Waiting<Item, Answer> = {
  readonly item: Item;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (reason: unknown) => void;
};

/**
 * Joins the calls of many agents into few requests. While fewer than `requestsMax` requests are in
 * progress, the calls of one turn of the event loop leave together at its end, so no call waits for
 * others. Otherwise, calls wait for the end of a request, and leave together then. An item above
 * `bytesMax` gets its own request.
 */
class Batches<Item, Answer> {
  readonly #parts: BatchParts<Item, Answer>;
  readonly #waiting: Waiting<Item, Answer>[] = [];
  #requests = 0;
  #isDue = false;

  constructor(parts: BatchParts<Item, Answer>) {
    this.#parts = parts;
  }

  ask(item: Item): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      this.#sendSoon();
    });
  }

  #sendSoon(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    setImmediate(() => {
      this.#isDue = false;
      while (this.#waiting.length > 0 && this.#requests < this.#parts.requestsMax) {
        void this.#request(this.#next());
      }
    });
  }

  #next(): readonly Waiting<Item, Answer>[] {
    const { itemsMax, bytesMax, bytesOf } = this.#parts;
    let bytes = 0;
    let count = 0;
    for (const { item } of this.#waiting) {
      bytes += bytesOf(item);
      if (count === itemsMax || (count > 0 && bytes > bytesMax)) break;
      count += 1;
    }
    return this.#waiting.splice(0, count);
  }

  async #request(calls: readonly Waiting<Item, Answer>[]): Promise<void> {
    this.#requests += 1;
    const [outcome] = await Promise.allSettled([this.#send(calls.map(({ item }) => item))]);
    this.#requests -= 1;
    if (this.#waiting.length > 0) this.#sendSoon();
    for (const [at, { resolve, reject }] of calls.entries()) {
      const answer = outcome.status === "fulfilled" ? outcome.value[at] : undefined;
      if (answer !== undefined) resolve(answer);
      else reject(outcome.status === "rejected" ? outcome.reason : new Error("no answer"));
    }
  }

  /** Sends the items. If the server refuses their number or size, sends each half. */
  async #send(items: readonly Item[]): Promise<readonly Answer[]> {
    const { send, isTooLarge } = this.#parts;
    try {
      return await send(items);
    } catch (error) {
      if (items.length === 1 || !isTooLarge(error)) throw error;
    }
    const half = Math.ceil(items.length / 2);
    return [...(await this.#send(items.slice(0, half))), ...(await this.#send(items.slice(half)))];
  }
}
