import type { Id } from "../../kernel/index.ts";
import { realTime, type Time } from "../model/index.ts";
import { tellingPart } from "./agent-memory.ts";
import type { Distil } from "./distil.ts";
import { unit } from "./embedder/hashed.ts";
import type { GivenVector, IndexedRecord, MemoryIndex } from "./memory-index.ts";
import type { Embedder, MemoryRecord, MemoryStore, Recall, Recalled } from "./memory-store.ts";
import { WaitingRecords } from "./waiting-records.ts";
import { problemOf } from "./worker-serve.ts";

/** So many records go through embedder and index at once. */
const BATCH_RECORDS = 16;
/** So many may wait before work on them begins though nobody asks. */
const IDLE_RECORDS_MAX = 32;
const OUTAGES_TOLD_MAX = 5;
/** So long nobody waits again after a search that took too long. */
const DOWN_MS = 30_000;

export type StoreParts = {
  readonly index: MemoryIndex;
  readonly embedder: Embedder;
  /** Makes of a record's text what is to be remembered of it; null: the text itself. */
  readonly distil: Distil | null;
  readonly warn: (text: string) => void;
  /** How long a search may take; null: as long as it takes, since nothing can hang. */
  readonly patienceMs: number | null;
  /** Real where it is not given. */
  readonly time?: Time;
};

type Cut = {
  readonly counts: ReadonlyMap<Id, number>;
  readonly before: readonly (Promise<unknown> | null | undefined)[];
  /** Null while nobody tries. */
  making: Promise<void> | null;
};

/**
 * A store over an index and an embedder. Records wait until a search or a flush needs them, or
 * until enough have gathered; no timer plays a part, and a search works off the records of its own
 * agent first, so that what is found never depends on how fast the machine is.
 *
 * After trouble the records are kept, and the next search, flush or add tries again. While one of
 * them tries, other searches are answered at once with the trouble; after a search that took longer
 * than `patienceMs` all are, for half a minute.
 */
export class IndexedStore implements MemoryStore {
  readonly #parts: StoreParts;
  readonly #waiting: WaitingRecords;
  /** The batch in work that holds records of an agent: never two of one agent. */
  readonly #busy = new Map<Id, Promise<string | null>>();
  #draining: Promise<void> | null = null;
  #drainAt = IDLE_RECORDS_MAX;
  /** A cut that the index has not made yet. Nothing is put or found before it. */
  #cut: Cut | null = null;
  #trouble: string | null = null;
  #trying = false;
  #downUntilMs = Number.NEGATIVE_INFINITY;
  #outages = 0;
  #closed = false;

  constructor(parts: StoreParts) {
    this.#parts = parts;
    this.#waiting = new WaitingRecords(parts.warn);
  }

  add(records: readonly MemoryRecord[]): void {
    if (this.#closed) return;
    this.#waiting.add(records);
    if (this.#waiting.size >= this.#drainAt) void this.#drain();
  }

  async search(agent: Id, query: string, limit: number): Promise<Recall> {
    if (this.#closed) return { ok: false, problem: "the memory is closed" };
    const isDown = this.#trying || this.#time.now() < this.#downUntilMs;
    if (this.#trouble !== null && isDown) return { ok: false, problem: this.#trouble };
    this.#trying = this.#trouble !== null;
    const finding = this.#patiently(this.#find(agent, query, limit));
    const [outcome] = await Promise.allSettled([finding]);
    this.#trying = false;
    if (outcome.status === "fulfilled") {
      this.#recover();
      return { ok: true, found: outcome.value };
    }
    return { ok: false, problem: this.#fail(outcome.reason) };
  }

  async flush(): Promise<void> {
    if (this.#closed) return;
    await this.#drain();
    const [outcome] = await Promise.allSettled([this.#parts.index.flush()]);
    if (outcome.status === "rejected") this.#fail(outcome.reason);
  }

  async cutBack(counts: ReadonlyMap<Id, number>): Promise<void> {
    if (this.#closed) return;
    this.#waiting.cutBack(counts);
    this.#drainAt = this.#waiting.size + IDLE_RECORDS_MAX;
    const owed = this.#cut;
    this.#cut = {
      counts: owed === null ? counts : lesser(owed.counts, counts),
      // Batches in work were taken before the cut and must have ended when it is made.
      before: [...this.#busy.values(), owed?.making],
      making: null,
    };
    const [outcome] = await Promise.allSettled([this.#makeCut()]);
    if (outcome.status === "rejected") this.#fail(outcome.reason);
  }

  async close(): Promise<void> {
    this.#closed = true;
    const { index, embedder } = this.#parts;
    await Promise.allSettled([index.close(), embedder.close()]);
  }

  get #time(): Time {
    return this.#parts.time ?? realTime;
  }

  /** Rejects when it takes too long. What was begun goes on, of use to those who come later. */
  #patiently<Found>(finding: Promise<Found>): Promise<Found> {
    const { patienceMs } = this.#parts;
    if (patienceMs === null) return finding;
    return new Promise((resolve, reject) => {
      const disarm = this.#time.after(patienceMs, () => {
        this.#downUntilMs = this.#time.now() + DOWN_MS;
        reject(new Error(`nothing was found within ${patienceMs / 1_000} s`));
      });
      void finding.then(resolve, reject).finally(disarm);
    });
  }

  async #find(agent: Id, query: string, limit: number): Promise<readonly Recalled[]> {
    if (this.#cut !== null) await this.#makeCut();
    const asking = this.#vectorsOf([query]);
    const [[vector = null], batch] = await Promise.all([asking, this.#lastBatchOf(agent)]);
    const about = { agent, text: query, vector, limit };
    let found: readonly Recalled[] = [];
    // What waits of the agent goes along with the question: one way to the index and back.
    const problem = await this.#work(batch, async () => {
      const puts = await this.#rowsOf(batch);
      found = await this.#parts.index.nearest({ ...about, puts });
    });
    if (problem !== null) throw new Error(problem);
    return found;
  }

  /** Works off what waits of one agent, but for a last batch, which is given. */
  async #lastBatchOf(agent: Id): Promise<readonly MemoryRecord[]> {
    let batch: readonly MemoryRecord[] = [];
    while (this.#busy.has(agent) || this.#waiting.has(agent)) {
      const busy = this.#busy.get(agent);
      if (busy === undefined) {
        batch = this.#waiting.takeOf(agent, BATCH_RECORDS);
        if (!this.#waiting.has(agent)) return batch;
      }
      const problem = await (busy ?? this.#work(batch, () => this.#index(batch)));
      if (problem !== null) throw new Error(problem);
    }
    return [];
  }

  /** Works off all that waits, until it is done or there is trouble. One at a time does so. */
  #drain(): Promise<void> {
    this.#draining ??= this.#drainAll().finally(() => {
      this.#draining = null;
      this.#drainAt = this.#waiting.size + IDLE_RECORDS_MAX;
    });
    return this.#draining;
  }

  async #drainAll(): Promise<void> {
    while (!this.#closed && this.#waiting.size + this.#busy.size > 0) {
      const batch = this.#waiting.take(BATCH_RECORDS, (agent) => !this.#busy.has(agent));
      const work =
        batch.length > 0
          ? this.#work(batch, () => this.#index(batch))
          : Promise.race(this.#busy.values());
      if ((await work) !== null) return;
    }
  }

  /** Brings a batch into the index, or back to those that wait. Returns the trouble, or null. */
  #work(batch: readonly MemoryRecord[], doing: () => Promise<void>): Promise<string | null> {
    const work = this.#settle(batch, doing);
    const agents = new Set(batch.map(({ agent }) => agent));
    for (const agent of agents) this.#busy.set(agent, work);
    return work.finally(() => {
      for (const agent of agents) this.#busy.delete(agent);
    });
  }

  async #settle(
    batch: readonly MemoryRecord[],
    doing: () => Promise<void>,
  ): Promise<string | null> {
    const { cuts } = this.#waiting;
    const [outcome] = await Promise.allSettled([doing()]);
    if (outcome.status === "fulfilled") {
      this.#recover();
      return null;
    }
    this.#waiting.putBack(batch, cuts);
    return this.#fail(outcome.reason);
  }

  async #index(batch: readonly MemoryRecord[]): Promise<void> {
    if (this.#cut !== null) await this.#makeCut();
    const rows = await this.#rowsOf(batch);
    if (rows.length > 0) await this.#parts.index.put(rows);
  }

  /** What of a batch the index needs; it is not asked where that is as much work as to put it. */
  async #rowsOf(batch: readonly MemoryRecord[]): Promise<readonly IndexedRecord[]> {
    const { index, embedder, distil } = this.#parts;
    if (batch.length === 0) return [];
    const isFree = distil === null && embedder.bySpelling && index.knowsItsOwn;
    const missing = isFree ? batch : await index.missing(batch);
    const records = distil === null ? missing : await Promise.all(missing.map(distil));
    if (records.length === 0) return [];
    const vectors = await this.#vectorsOf(records.map(({ text }) => text));
    return records.map((record, i) => ({ record, vector: vectors[i] ?? null }));
  }

  async #vectorsOf(texts: readonly string[]): Promise<readonly GivenVector[]> {
    const { embedder } = this.#parts;
    if (embedder.bySpelling) return texts.map(() => null);
    const vectors = await embedder.embed(texts.map(tellingPart));
    return texts.map((_, i) => unit(vectors[i] ?? new Float32Array()));
  }

  /** Makes the cut that is owed. One that failed is tried again by whoever comes next. */
  async #makeCut(): Promise<void> {
    const cut = this.#cut;
    if (cut === null) return;
    cut.making ??= this.#cutIndex(cut);
    const [outcome] = await Promise.allSettled([cut.making]);
    if (outcome.status === "fulfilled") {
      if (this.#cut === cut) this.#cut = null;
      return;
    }
    cut.making = null;
    throw outcome.reason;
  }

  /** What the index then holds need not be put into it again. */
  async #cutIndex({ before, counts }: Cut): Promise<void> {
    await Promise.allSettled(before);
    this.#waiting.leaveOut(await this.#parts.index.cutBack(counts));
  }

  #fail(reason: unknown): string {
    const problem = problemOf(reason);
    if (this.#trouble === null && !this.#closed) {
      this.#outages += 1;
      const last = this.#outages === OUTAGES_TOLD_MAX ? "; this is not told again" : "";
      if (this.#outages <= OUTAGES_TOLD_MAX) {
        this.#parts.warn(`agents recall nothing for now: ${problem}${last}`);
      }
    }
    this.#trouble = problem;
    return problem;
  }

  #recover(): void {
    this.#trouble = null;
    this.#downUntilMs = Number.NEGATIVE_INFINITY;
  }
}

/** What two cuts after one another leave. */
const lesser = (
  first: ReadonlyMap<Id, number>,
  second: ReadonlyMap<Id, number>,
): ReadonlyMap<Id, number> =>
  new Map([...second].map(([agent, count]) => [agent, Math.min(count, first.get(agent) ?? 0)]));
