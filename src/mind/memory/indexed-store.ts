import type { Id } from "../../kernel/index.ts";
import { tellingPart } from "./agent-memory.ts";
import type { Distil } from "./distil.ts";
import { unit } from "./embedder/hashed.ts";
import type { MemoryIndex } from "./memory-index.ts";
import type { Embedder, MemoryRecord, MemoryStore, Recall, Recalled } from "./memory-store.ts";
import { WaitingRecords } from "./waiting-records.ts";
import { problemOf } from "./worker-serve.ts";

/** So many records go through embedder and index at once. */
const BATCH_RECORDS = 16;
/** So many may wait before work on them begins though nobody asks. */
const IDLE_RECORDS_MAX = 32;
const OUTAGES_TOLD_MAX = 5;

export type StoreParts = {
  readonly index: MemoryIndex;
  readonly embedder: Embedder;
  /** Makes of a record's text what is to be remembered of it; null: the text itself. */
  readonly distil: Distil | null;
  readonly warn: (text: string) => void;
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
 * them tries, other searches are answered at once with the trouble.
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
    if (this.#trouble !== null && this.#trying) return { ok: false, problem: this.#trouble };
    this.#trying = this.#trouble !== null;
    const [outcome] = await Promise.allSettled([this.#find(agent, query, limit)]);
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

  async #find(agent: Id, query: string, limit: number): Promise<readonly Recalled[]> {
    const { index, embedder } = this.#parts;
    await this.#makeCut();
    const [vectors, problem] = await Promise.all([
      embedder.embed([tellingPart(query)]),
      this.#drainAgent(agent),
    ]);
    if (problem !== null) throw new Error(problem);
    const [vector = new Float32Array()] = vectors;
    return index.nearest({ agent, text: query, vector: unit(vector), limit });
  }

  /** Works off what waits of one agent. Returns the trouble that it met with, or null. */
  async #drainAgent(agent: Id): Promise<string | null> {
    while (this.#busy.has(agent) || this.#waiting.has(agent)) {
      const busy = this.#busy.get(agent);
      const problem = await (busy ?? this.#work(this.#waiting.takeOf(agent, BATCH_RECORDS)));
      if (problem !== null) return problem;
    }
    return null;
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
      const work = batch.length > 0 ? this.#work(batch) : Promise.race(this.#busy.values());
      if ((await work) !== null) return;
    }
  }

  /** Brings a batch into the index, or back to those that wait. Returns the trouble, or null. */
  #work(batch: readonly MemoryRecord[]): Promise<string | null> {
    const work = this.#settle(batch);
    const agents = new Set(batch.map(({ agent }) => agent));
    for (const agent of agents) this.#busy.set(agent, work);
    return work.finally(() => {
      for (const agent of agents) this.#busy.delete(agent);
    });
  }

  async #settle(batch: readonly MemoryRecord[]): Promise<string | null> {
    const { cuts } = this.#waiting;
    const [outcome] = await Promise.allSettled([this.#index(batch)]);
    if (outcome.status === "fulfilled") {
      this.#recover();
      return null;
    }
    this.#waiting.putBack(batch, cuts);
    return this.#fail(outcome.reason);
  }

  async #index(batch: readonly MemoryRecord[]): Promise<void> {
    const { index, embedder, distil } = this.#parts;
    await this.#makeCut();
    const missing = await index.missing(batch);
    const records = distil === null ? missing : await Promise.all(missing.map(distil));
    if (records.length === 0) return;
    const vectors = await embedder.embed(records.map(({ text }) => tellingPart(text)));
    await index.put(
      records.map((record, i) => ({ record, vector: unit(vectors[i] ?? new Float32Array()) })),
    );
  }

  /** Makes the cut that is owed. One that failed is tried again by whoever comes next. */
  async #makeCut(): Promise<void> {
    const cut = this.#cut;
    if (cut === null) return;
    cut.making ??= Promise.allSettled(cut.before).then(() => this.#parts.index.cutBack(cut.counts));
    const [outcome] = await Promise.allSettled([cut.making]);
    if (outcome.status === "fulfilled") {
      if (this.#cut === cut) this.#cut = null;
      return;
    }
    cut.making = null;
    throw outcome.reason;
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
  }
}

/** What two cuts after one another leave. */
const lesser = (
  first: ReadonlyMap<Id, number>,
  second: ReadonlyMap<Id, number>,
): ReadonlyMap<Id, number> =>
  new Map([...second].map(([agent, count]) => [agent, Math.min(count, first.get(agent) ?? 0)]));
