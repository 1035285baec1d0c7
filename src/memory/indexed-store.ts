import { errorLine } from "../channel/index.ts";
import type { Id, Result } from "../kernel/index.ts";
import { realTime, type Time } from "../model/index.ts";
import { CachedEmbedder } from "./embedder/embedders.ts";
import type { ExtractFacts } from "./fact-extraction.ts";
import { withoutFrame } from "./port/agent-memory.ts";
import type {
  Embedder,
  GivenVector,
  IndexedRecord,
  MemoryIndex,
  MemoryRecord,
  MemoryStore,
  Recall,
  Recalled,
  VectorCache,
} from "./port/memory-store.ts";
import { unit } from "./port/vector.ts";

const BATCH_RECORDS = 16;
/** A search indexes pending records. After this many new records, `add` starts the indexing. */
const IDLE_RECORDS_MAX = 32;
const WARNINGS_MAX = 5;
/** For this time in ms after a search took too long, other searches fail immediately. */
const COOLDOWN_MS = 30_000;
/** The maximum number of vectors in memory: about 8 MB if each vector has 512 numbers. */
const CACHED_TEXTS_MAX = 4_096;

export type StoreParts = {
  readonly index: MemoryIndex;
  readonly embedder: Embedder;
  readonly cache?: VectorCache;
  readonly extract: ExtractFacts | null;
  readonly warn: (text: string) => void;
  /** The maximum time of a search in ms, or null for no limit. */
  readonly patienceMs: number | null;
  readonly time?: Time;
  /** The maximum number of records that wait to be indexed. */
  readonly pendingMax?: number;
};

/**
 * A memory store with an index and an embedder. New records are pending until the next search or
 * flush, or until `IDLE_RECORDS_MAX` records are pending. A search first indexes the records of its
 * memory artifacts. There is no timer, so results do not depend on the speed of the machine.
 *
 * After a failure, the failed records are pending again. Until an attempt succeeds, only one search
 * at a time tries, and other searches fail immediately.
 */
export class IndexedStore implements MemoryStore {
  readonly #parts: StoreParts;
  readonly #time: Time;
  readonly #embedder: Embedder;
  readonly #pending: PendingRecords;
  readonly #closing = new AbortController();
  readonly #busy = new Map<Id, Promise<string | null>>();
  #draining: Promise<string | null> | null = null;
  #drainAt = IDLE_RECORDS_MAX;
  /** The counts of an unfinished `cutBack`. Each put or search first finishes the `cutBack`. */
  #owedCut: ReadonlyMap<Id, number> | null = null;
  #cutting: Promise<void> | null = null;
  #failure: string | null = null;
  #trying = false;
  #downUntilMs = Number.NEGATIVE_INFINITY;
  #outages = 0;

  constructor(parts: StoreParts) {
    const { embedder, cache, warn, time = realTime, pendingMax } = parts;
    this.#parts = parts;
    this.#time = time;
    this.#embedder =
      cache === undefined || embedder.bySpelling
        ? embedder
        : new CachedEmbedder(embedder, cache, CACHED_TEXTS_MAX);
    this.#pending = new PendingRecords(warn, pendingMax);
  }

  add(records: readonly MemoryRecord[]): boolean {
    if (this.#closed) return true;
    const isTaken = this.#pending.add(records);
    if (this.#pending.size >= this.#drainAt) void this.#drain();
    return isTaken;
  }

  room(): Promise<void> {
    return this.#pending.room();
  }

  onLoss(listener: () => void): void {
    const { index, warn } = this.#parts;
    index.onLoss?.(() => {
      warn("the server of the memories has lost them; they are indexed again from the journal");
      listener();
    });
  }

  async counts(): Promise<Result<{ counts: ReadonlyMap<Id, number> }>> {
    try {
      return { ok: true, counts: await this.#parts.index.counts() };
    } catch (error) {
      return { ok: false, problem: errorLine(error) };
    }
  }

  async search(artifacts: readonly Id[], query: string, limit: number): Promise<Recall> {
    if (this.#closed) return { ok: false, problem: "the memory is closed" };
    const isDown = this.#trying || this.#time.now() < this.#downUntilMs;
    if (this.#failure !== null && isDown) return { ok: false, problem: this.#failure };
    this.#trying = this.#failure !== null;
    try {
      const found = await this.#withPatience(this.#find(artifacts, query, limit));
      this.#trying = false;
      this.#recover();
      return { ok: true, found };
    } catch (error) {
      this.#trying = false;
      return { ok: false, problem: this.#fail(error) };
    }
  }

  async flush(): Promise<string | null> {
    if (this.#closed) return null;
    const problem = await this.#drain();
    try {
      await this.#parts.index.flush();
      return problem;
    } catch (error) {
      return this.#fail(error);
    }
  }

  async cutBack(counts: ReadonlyMap<Id, number>): Promise<string | null> {
    if (this.#closed) return null;
    this.#pending.keep(({ artifact, number }) => number <= (counts.get(artifact) ?? 0));
    this.#owedCut = counts;
    try {
      await this.#makeCut();
      return null;
    } catch (error) {
      return this.#fail(error);
    }
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.allSettled([this.#parts.index.close(), this.#embedder.close()]);
  }

  get #closed(): boolean {
    return this.#closing.signal.aborted;
  }

  /** Rejects after `patienceMs`. The search still continues and makes later searches faster. */
  #withPatience<Found>(finding: Promise<Found>): Promise<Found> {
    const { patienceMs } = this.#parts;
    if (patienceMs === null) return finding;
    return new Promise((resolve, reject) => {
      const disarm = this.#time.after(patienceMs, () => {
        this.#downUntilMs = this.#time.now() + COOLDOWN_MS;
        reject(new Error(`the search took longer than ${patienceMs / 1_000} s`));
      });
      void finding.then(resolve, reject).finally(disarm);
    });
  }

  /** Indexes the pending records of the artifacts. Sends the last batch together with the query. */
  async #find(
    artifacts: readonly Id[],
    query: string,
    limit: number,
  ): Promise<readonly Recalled[]> {
    await this.#makeCut();
    let found: readonly Recalled[] | null = null;
    while (found === null) {
      const busy = artifacts.map((id) => this.#busy.get(id)).find((work) => work !== undefined);
      const batch = busy === undefined ? this.#pending.takeOf(artifacts, BATCH_RECORDS) : [];
      const isLast = busy === undefined && !artifacts.some((id) => this.#pending.has(id));
      const search = async (): Promise<void> => {
        const asked = [this.#vectorsOf([query]), this.#rowsOf(batch)] as const;
        const [[vector = null], puts] = await Promise.all(asked);
        found = await this.#parts.index.nearest({ artifacts, text: query, vector, limit, puts });
      };
      const problem = await (busy ?? this.#work(batch, isLast ? search : () => this.#index(batch)));
      if (problem !== null) throw new Error(problem);
    }
    return found;
  }

  /**
   * Indexes all pending records. Stops if a batch fails, and resolves with the problem. Concurrent
   * calls share one promise.
   */
  #drain(): Promise<string | null> {
    this.#draining ??= this.#drainLanes().finally(() => {
      this.#draining = null;
      this.#drainAt = this.#pending.size + IDLE_RECORDS_MAX;
    });
    return this.#draining;
  }

  async #drainLanes(): Promise<string | null> {
    const lanes = Array.from({ length: this.#parts.index.lanes }, () => this.#drainLane());
    return (await Promise.all(lanes)).find((problem) => problem !== null) ?? null;
  }

  async #drainLane(): Promise<string | null> {
    while (!this.#closed && this.#pending.size + this.#busy.size > 0) {
      const batch = this.#pending.take(BATCH_RECORDS, (artifact) => !this.#busy.has(artifact));
      const work =
        batch.length > 0
          ? this.#work(batch, () => this.#index(batch))
          : Promise.race(this.#busy.values());
      const problem = await work;
      if (problem !== null) return problem;
    }
    return null;
  }

  /** Runs `action`. Returns null, or the problem if it fails. A failed batch is pending again. */
  #work(batch: readonly MemoryRecord[], action: () => Promise<void>): Promise<string | null> {
    const work = this.#settle(batch, action);
    const artifacts = new Set(batch.map(({ artifact }) => artifact));
    for (const artifact of artifacts) this.#busy.set(artifact, work);
    return work.finally(() => {
      for (const artifact of artifacts) this.#busy.delete(artifact);
    });
  }

  async #settle(
    batch: readonly MemoryRecord[],
    action: () => Promise<void>,
  ): Promise<string | null> {
    try {
      await action();
      this.#recover();
      return null;
    } catch (error) {
      this.#pending.putBack(batch);
      return this.#fail(error);
    }
  }

  async #index(batch: readonly MemoryRecord[]): Promise<void> {
    await this.#makeCut();
    const rows = await this.#rowsOf(batch);
    if (rows.length > 0) await this.#parts.index.put(rows);
  }

  /** Returns rows for the records that the index lacks. If rows are free, returns rows for all. */
  async #rowsOf(batch: readonly MemoryRecord[]): Promise<readonly IndexedRecord[]> {
    const { index, extract } = this.#parts;
    if (batch.length === 0) return [];
    const isFree = extract === null && this.#embedder.bySpelling && index.skipsKnown;
    const missing = isFree ? batch : await index.missing(batch);
    const { signal } = this.#closing;
    const records =
      extract === null ? missing : await Promise.all(missing.map((each) => extract(each, signal)));
    if (records.length === 0) return [];
    const vectors = await this.#vectorsOf(records.map(({ text }) => text));
    return records.map((record, i) => ({ record, vector: vectors[i] ?? null }));
  }

  async #vectorsOf(texts: readonly string[]): Promise<readonly GivenVector[]> {
    if (this.#embedder.bySpelling) return texts.map(() => null);
    const vectors = await this.#embedder.embed(texts.map(withoutFrame));
    return texts.map((_, i) => unit(vectors[i] ?? new Float32Array()));
  }

  async #makeCut(): Promise<void> {
    const counts = this.#owedCut;
    if (counts === null) return;
    this.#cutting ??= this.#cutIndex(counts).finally(() => {
      this.#cutting = null;
    });
    await this.#cutting;
  }

  async #cutIndex(counts: ReadonlyMap<Id, number>): Promise<void> {
    const held = await this.#parts.index.cutBack(counts);
    this.#owedCut = null;
    // Drops the pending records that the index already has.
    if (held.size > 0)
      this.#pending.keep(({ artifact, number }) => number > (held.get(artifact) ?? 0));
  }

  #fail(reason: unknown): string {
    const problem = errorLine(reason);
    if (this.#failure === null && !this.#closed) {
      this.#outages += 1;
      const last = this.#outages === WARNINGS_MAX ? "; this warning is not repeated" : "";
      if (this.#outages <= WARNINGS_MAX) {
        this.#parts.warn(`agents cannot recall memories for now: ${problem}${last}`);
      }
    }
    this.#failure = problem;
    return problem;
  }

  /** After a failure, indexes the records that waited for its end. */
  #recover(): void {
    const wasDown = this.#failure !== null;
    this.#failure = null;
    this.#downUntilMs = Number.NEGATIVE_INFINITY;
    if (wasDown && this.#pending.size >= IDLE_RECORDS_MAX) void this.#drain();
  }
}

/** About 100 MB of records of usual length. */
const PENDING_RECORDS_MAX = 100_000;
/** After records were refused, this share of the maximum must be free before more are taken. */
const FREE_SHARE = 0.5;

/**
 * Records that are not in the index yet. The records of each artifact are sorted, oldest first. At
 * most `max` records wait. Refused records are still in the journal.
 */
class PendingRecords {
  readonly #byArtifact = new Map<Id, MemoryRecord[]>();
  readonly #warn: (text: string) => void;
  readonly #max: number;
  #size = 0;
  #isReported = false;
  #room: PromiseWithResolvers<void> | null = null;

  constructor(warn: (text: string) => void, max: number = PENDING_RECORDS_MAX) {
    this.#warn = warn;
    this.#max = max;
  }

  get size(): number {
    return this.#size;
  }

  has(artifact: Id): boolean {
    return this.#byArtifact.has(artifact);
  }

  /** Takes all records or, if they do not fit, none, and returns false. */
  add(records: readonly MemoryRecord[]): boolean {
    const isFull = this.#room !== null || this.#size + records.length > this.#max;
    // An empty queue takes any number, so that each record is taken at some time.
    if (isFull && this.#size > 0) {
      this.#warnFull();
      this.#room ??= Promise.withResolvers();
      return false;
    }
    this.#push(records);
    return true;
  }

  /** Resolves at once if no records were refused, else when enough records have left. */
  room(): Promise<void> {
    return this.#room?.promise ?? Promise.resolve();
  }

  takeOf(artifacts: Iterable<Id>, countMax: number): readonly MemoryRecord[] {
    const taken: MemoryRecord[] = [];
    for (const artifact of artifacts) {
      if (taken.length >= countMax) break;
      const list = this.#byArtifact.get(artifact) ?? [];
      taken.push(...list.splice(0, countMax - taken.length));
      if (list.length === 0) this.#byArtifact.delete(artifact);
    }
    this.#size -= taken.length;
    this.#makeRoom();
    return taken;
  }

  take(countMax: number, from: (artifact: Id) => boolean): readonly MemoryRecord[] {
    return this.takeOf(this.#artifacts(from), countMax);
  }

  *#artifacts(from: (artifact: Id) => boolean): Iterable<Id> {
    for (const artifact of this.#byArtifact.keys()) if (from(artifact)) yield artifact;
  }

  /** After a failed indexing, puts the records back at the front. */
  putBack(records: readonly MemoryRecord[]): void {
    this.#push([...records, ...this.#takeAll()]);
  }

  keep(isKept: (record: MemoryRecord) => boolean): void {
    this.#push(this.#takeAll().filter(isKept));
    this.#makeRoom();
  }

  #push(records: readonly MemoryRecord[]): void {
    for (const record of records) {
      const list = this.#byArtifact.get(record.artifact) ?? [];
      this.#byArtifact.set(record.artifact, list);
      list.push(record);
    }
    this.#size += records.length;
  }

  #takeAll(): readonly MemoryRecord[] {
    const all = [...this.#byArtifact.values()].flat();
    this.#byArtifact.clear();
    this.#size = 0;
    return all;
  }

  #makeRoom(): void {
    if (this.#size > this.#max * (1 - FREE_SHARE)) return;
    this.#room?.resolve();
    this.#room = null;
  }

  #warnFull(): void {
    if (this.#isReported) return;
    this.#isReported = true;
    this.#warn(
      `${this.#max} memories are waiting to be indexed, so later ones wait in the journal until ` +
        "these are indexed; this warning is not repeated",
    );
  }
}
