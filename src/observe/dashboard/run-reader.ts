import { setImmediate as turn } from "node:timers/promises";
import { commit, decodeEvent, evolve, type State } from "../../kernel/index.ts";
import { isBookkeeping, type Journal, type JournalRow, restore } from "../../world/index.ts";
import { type CountedFrom, countedFrom, type RunMeter, type RunMetrics } from "../metrics/index.ts";
import { newMeter } from "../run-reading.ts";
import { CallIndex } from "./call-index.ts";
import { type Earlier, earlierThan } from "./earlier.ts";
import { EventIndex } from "./event-index.ts";
import { EventList, type ListWish } from "./event-list.ts";

/** So long rows are read before requests have a turn. */
const SLICE_MS = 20;
/** Rows between two looks at the time. */
const LOOK_EVERY = 128;
const PAST_KEPT = 4;
const LISTS_KEPT = 8;

/** A state after an event. */
export type Moment = { readonly seq: number; readonly atMs: number; readonly state: State };

/**
 * One run as its journal tells it, also while another process or thread writes it. It follows the
 * file like any other reader and never holds it, and it needs memory for what there is in the world
 * and a few bytes for each event, however long the run goes on.
 */
export class RunReader {
  readonly journal: Journal;
  readonly base: CountedFrom;
  readonly earlier: Earlier;
  readonly index: EventIndex;
  readonly calls: CallIndex;
  readonly #meter: RunMeter;
  readonly #past = new Map<number, Moment>();
  readonly #pastMetrics = new Map<number, Promise<RunMetrics>>();
  readonly #lists = new Map<string, EventList>();
  #now: Moment;
  #lastSeq: number;
  #following: Promise<void> | null = null;
  #metrics: RunMetrics | null = null;

  constructor(journal: Journal) {
    this.journal = journal;
    const base = countedFrom(journal);
    const { state, seq, atMs } = restore(journal);
    this.#now = { state, seq, atMs };
    this.#lastSeq = base.seq;
    this.index = new EventIndex(base.seq);
    this.calls = new CallIndex(journal);
    this.base = base;
    this.earlier = earlierThan(journal, base);
    this.#meter = newMeter(journal, base);
  }

  /** As it is after the last event that it has read. */
  get now(): Moment {
    return this.#now;
  }

  /** All that was measured up to the transaction that holds an event; null: up to now. */
  async metrics(seq: number | null): Promise<RunMetrics> {
    await this.catchUp();
    const upTo = seq === null ? null : this.at(seq).seq;
    if (upTo === null || upTo >= this.#now.seq) {
      this.#metrics ??= this.#meter.metrics();
      return this.#metrics;
    }
    const known = this.#pastMetrics.get(upTo) ?? this.#measured(upTo);
    keepNewest(this.#pastMetrics, { key: upTo, value: known, most: PAST_KEPT });
    return known;
  }

  /** The state at the end of the transaction that holds an event; null: as it is now. */
  at(seq: number | null): Moment {
    if (seq === null || seq >= this.#now.seq) return this.#now;
    const upTo = this.journal.transactionEnd(seq) ?? this.index.firstSeq - 1;
    if (upTo >= this.#now.seq) return this.#now;
    const known = this.#past.get(upTo);
    const moment = known ?? restore(this.journal, { upTo });
    keepNewest(this.#past, { key: upTo, value: moment, most: PAST_KEPT });
    return moment;
  }

  /** The events that fit a wish, as far as they have been read. */
  async list(wish: ListWish): Promise<EventList> {
    const key = JSON.stringify(wish);
    const list = this.#lists.get(key) ?? new EventList(wish, this);
    keepNewest(this.#lists, { key, value: list, most: LISTS_KEPT });
    await list.catchUp();
    return list;
  }

  /** Reads what has come since. */
  catchUp(): Promise<void> {
    this.#following ??= this.#follow().finally(() => {
      this.#following = null;
    });
    return this.#following;
  }

  close(): void {
    this.journal.close();
  }

  async #measured(upTo: number): Promise<RunMetrics> {
    const meter = newMeter(this.journal, this.base);
    const rows = this.journal.events({ after: this.base.seq, upTo });
    await inSlices(rows, (row) => meter.count(row));
    return meter.metrics();
  }

  async #follow(): Promise<void> {
    await inSlices(this.journal.events({ after: this.#lastSeq }), (row) => this.#take(row));
  }

  #take(row: JournalRow): void {
    this.#lastSeq = row.seq;
    this.#metrics = null;
    this.index.add(row);
    this.#meter.count(row);
    if (row.seq <= this.#now.seq) return;
    const { state } = this.#now;
    if (!isBookkeeping(row.kind)) {
      evolve(state, decodeEvent(row));
      commit(state);
    }
    this.#now = { state, seq: row.seq, atMs: row.atMs };
  }
}

/** Takes rows one by one, and lets requests have a turn meanwhile. */
const inSlices = async (
  rows: Iterable<JournalRow>,
  take: (row: JournalRow) => void,
): Promise<void> => {
  let untilMs = performance.now() + SLICE_MS;
  let taken = 0;
  for (const row of rows) {
    take(row);
    taken += 1;
    if (taken % LOOK_EVERY !== 0 || performance.now() < untilMs) continue;
    await turn();
    untilMs = performance.now() + SLICE_MS;
  }
};

type Keeping<Key, Value> = { readonly key: Key; readonly value: Value; readonly most: number };

const keepNewest = <Key, Value>(
  map: Map<Key, Value>,
  { key, value, most }: Keeping<Key, Value>,
): void => {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > most && oldest !== undefined) map.delete(oldest);
};
