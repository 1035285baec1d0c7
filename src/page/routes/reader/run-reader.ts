import {
  type CountedFrom,
  countedFrom,
  type LogCall,
  type LogEntry,
  LogFollower,
  type MeterSnapshot,
  newMeter,
  type PriceChange,
  type RunMeter,
  readLogInSlices,
  stateCountedFrom,
  UNCOUNTED,
} from "../../../figures/index.ts";
import { asId, commit, errorMessage, evolve, type State } from "../../../kernel/index.ts";
import {
  AgentHistories,
  type AgentMoment,
  type MomentListener,
  MomentSearch,
} from "../../../read/index.ts";
import { clientMind } from "../../../seats/index.ts";
import { type JournalReader, readingProblem, restore } from "../../../world/index.ts";
import { type EventFilter, EventIndex, EventList } from "./event-index.ts";
import { MarkIndex } from "./mark-index.ts";
import { PaymentIndex } from "./payment-index.ts";

const PAST_MAX = 4;
const LISTS_MAX = 8;
const MEASURED_MAX = 16;
const SNAPSHOTS_MAX = 8;

export type StateAt = { readonly seq: number; readonly atMs: number; readonly state: State };

/** A part of what a meter measures. `name` tells it from the other parts. */
type Measure = { readonly name: string; readonly of: (meter: RunMeter) => object };

/** What was read, or a problem in one line. */
type Reading<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly problem: string };

/** Reads one run without a lock, even while the run is being written. */
export class RunReader {
  readonly journal: JournalReader;
  readonly base: CountedFrom;
  /** The state at `base`. */
  readonly earlier: State;
  readonly index: EventIndex;
  readonly calls: CallIndex;
  /** The landmarks of the run, as far as it has been read. */
  readonly marks: MarkIndex;
  readonly payments: PaymentIndex;
  /** All changes of prices that moved the price index, in order. */
  readonly priceChanges: PriceChange[] = [];
  readonly moments: MomentReader;
  readonly #meter: RunMeter;
  readonly #past = new Map<number, StateAt>();
  readonly #pastAnswers = new Map<string, Promise<object>>();
  readonly #snapshots = new Map<number, Promise<MeterSnapshot>>();
  /** Whether a person plays an agent, for the agents that have sent messages. */
  readonly #people = new Map<string, boolean>();
  readonly #lists = new Map<string, EventList>();
  readonly #follower: LogFollower;
  #now: StateAt;
  /** What was measured after the last event. */
  readonly #measuredNow = new Map<string, object>();
  /** A meter that has counted the events up to a past moment. */
  #pastMeter: { readonly meter: RunMeter; readonly seq: number } | null = null;
  /** Resolves when no request counts with the past meter. */
  #pastIsFree: Promise<unknown> = Promise.resolve();

  /** Reads the journal's state. If this fails, closes the journal. */
  static open(journal: JournalReader): Reading<RunReader> {
    try {
      return { ok: true, value: new RunReader(journal) };
    } catch (error) {
      const problem = problemOf(error, journal);
      journal.close();
      return { ok: false, problem };
    }
  }

  constructor(journal: JournalReader) {
    this.journal = journal;
    const base = countedFrom(journal);
    const { state, seq, atMs } = restore(journal);
    this.#now = { state, seq, atMs };
    this.index = new EventIndex(base.seq);
    this.calls = new CallIndex(journal);
    this.marks = new MarkIndex((id) => this.#isPerson(id));
    this.moments = new MomentReader(journal, base.seq);
    this.base = base;
    this.earlier = stateCountedFrom(journal, base);
    this.#meter = newMeter(journal, base);
    this.payments = new PaymentIndex(this.#meter.ownerOf);
    // The owner of a hold, which payments need, is that before the meter counts the event.
    const projections = [
      this.index,
      this.marks,
      this.payments,
      this.#meter,
      { event: (entry: LogEntry) => this.#advance(entry) },
    ];
    const skipped = { upTo: seq, kinds: UNCOUNTED };
    this.#follower = new LogFollower(journal, projections, base.seq, skipped);
  }

  get now(): StateAt {
    return this.#now;
  }

  /** True if the journal has events after `now`. */
  get isBehind(): boolean {
    return this.journal.head().seq > this.#now.seq;
  }

  /** Calls `answer` when this reader has read all events. `answer` may assume valid rows. */
  async read<Value>(answer: () => Value | Promise<Value>): Promise<Reading<Value>> {
    try {
      if (this.isBehind) await this.catchUp();
      return { ok: true, value: await answer() };
    } catch (error) {
      return { ok: false, problem: problemOf(error, this.journal) };
    }
  }

  /** What to measure after the transaction of event `seq`. A null `seq` means the last event. */
  async measured(seq: number | null, measure: Measure): Promise<object> {
    await this.catchUp();
    const { name, of } = measure;
    const upTo = seq === null ? null : this.#endOf(seq);
    if (upTo === null || upTo >= this.#now.seq) {
      const make = (): object => of(this.#meter);
      return cached(this.#measuredNow, name, { most: MEASURED_MAX, make });
    }
    const make = (): Promise<object> => this.#measuredAt(upTo, of);
    return cached(this.#pastAnswers, `${name} ${upTo}`, { most: PAST_MAX, make });
  }

  /** The values after event `seq`, which must end a transaction, and the sums up to it. */
  async snapshot(seq: number): Promise<MeterSnapshot> {
    await this.catchUp();
    if (seq >= this.#now.seq) return this.#meter.snapshot();
    const make = (): Promise<MeterSnapshot> => this.#measuredAt(seq, (meter) => meter.snapshot());
    return cached(this.#snapshots, seq, { most: SNAPSHOTS_MAX, make });
  }

  /** The state after the transaction of event `seq`. A null `seq` means the last event. */
  at(seq: number | null): StateAt {
    if (seq === null || seq >= this.#now.seq) return this.#now;
    const upTo = this.#endOf(seq);
    if (upTo >= this.#now.seq) return this.#now;
    const make = (): StateAt => restore(this.journal, { upTo });
    return cached(this.#past, upTo, { most: PAST_MAX, make });
  }

  async list(filter: EventFilter): Promise<EventList> {
    const key = JSON.stringify(filter);
    const make = (): EventList => new EventList(filter, this);
    const list = cached(this.#lists, key, { most: LISTS_MAX, make });
    await list.catchUp();
    return list;
  }

  catchUp(): Promise<void> {
    return this.#follower.catchUp();
  }

  close(): void {
    this.journal.close();
  }

  /** The last event of the transaction of event `seq`. */
  #endOf(seq: number): number {
    return this.journal.transactionEnd(seq) ?? this.index.firstSeq - 1;
  }

  #isPerson(id: string): boolean {
    const known = this.#people.get(id);
    if (known !== undefined) return known;
    const content = this.#now.state.artifacts.get(asId(id))?.content;
    const isPerson = clientMind(content ?? "") === "seat";
    this.#people.set(id, isPerson);
    return isPerson;
  }

  /**
   * Counts the events up to `upTo`. Continues from the last past moment if that is earlier, so that
   * a page that plays the run reads each event once. The result shares nothing with the meter.
   * Requests wait for each other, because they count with the same meter.
   */
  #measuredAt<Value>(upTo: number, of: (meter: RunMeter) => Value): Promise<Value> {
    const measured = this.#pastIsFree.then(() => this.#measureAt(upTo, of));
    this.#pastIsFree = measured.then(
      () => {},
      () => {},
    );
    return measured;
  }

  async #measureAt<Value>(upTo: number, of: (meter: RunMeter) => Value): Promise<Value> {
    const kept = this.#pastMeter;
    const isEarlier = kept !== null && kept.seq <= upTo;
    // If reading fails, the meter has counted only some of the events.
    if (isEarlier) this.#pastMeter = null;
    const from = isEarlier
      ? kept
      : { meter: newMeter(this.journal, this.base), seq: this.base.seq };
    const extent = { withoutBodies: UNCOUNTED, after: from.seq, upTo };
    await readLogInSlices(this.journal, [from.meter], extent);
    this.#pastMeter = { meter: from.meter, seq: upTo };
    return structuredClone(of(from.meter));
  }

  #advance(entry: LogEntry): void {
    const { seq, atMs } = entry.row;
    this.#measuredNow.clear();
    const { priceChange } = this.#meter;
    if (priceChange?.seq === seq) this.priceChanges.push(priceChange);
    const { state } = this.#now;
    // The state has the events that were there when it was read.
    if (seq <= this.#now.seq) return;
    if (entry.event !== null) {
      evolve(state, entry.event);
      commit(state);
    }
    this.#now = { state, seq, atMs };
  }
}

/** Why reading threw `error`: the damage of the journal, or the error's own message. */
const problemOf = (error: unknown, journal: JournalReader): string =>
  readingProblem(error, [journal]) ?? errorMessage(error);

/**
 * Gets or makes the value of `key`. Above `most` values, drops the least recently used value. Does
 * not keep a promise that rejects.
 */
const cached = <Key, Value>(
  map: Map<Key, Value>,
  key: Key,
  { most, make }: { readonly most: number; readonly make: () => Value },
): Value => {
  const value = map.get(key) ?? make();
  map.delete(key);
  map.set(key, value);
  if (value instanceof Promise) value.then(undefined, () => map.delete(key));
  const [oldest] = map.keys();
  if (map.size > most && oldest !== undefined) map.delete(oldest);
  return value;
};

export type CallLine = ReturnType<typeof lineOf>;

export type CallText = NonNullable<Awaited<ReturnType<CallIndex["text"]>>>;

/** The model calls of each agent in order. Nothing is read before the first question. */
export class CallIndex {
  readonly #follower: LogFollower;
  readonly #byAgent = new Map<string, CallLine[]>();

  constructor(journal: JournalReader) {
    this.#follower = new LogFollower(journal, [this], 0);
  }

  call(logged: LogCall): void {
    const { agent } = logged.call.request;
    if (agent === null) return;
    const lines = this.#byAgent.get(agent);
    if (lines === undefined) this.#byAgent.set(agent, [lineOf(logged)]);
    else lines.push(lineOf(logged));
  }

  /** The calls of an agent after event `after` and before event `before`. */
  async between(agent: string, after: number, before: number): Promise<readonly CallLine[]> {
    await this.#follower.catchUp();
    const calls = this.#byAgent.get(agent) ?? [];
    return calls.filter(({ seq }) => seq >= after && seq < before);
  }

  async text(id: number) {
    const logged = await this.#follower.callAt(id);
    if (logged === null) return null;
    const { request, reply } = logged.call;
    return {
      ...lineOf(logged),
      agent: request.agent,
      system: request.system,
      prompt: request.prompt,
      reply: reply.ok ? reply.text : reply.message,
      input_tokens: reply.usage.input,
      output_tokens: reply.usage.output,
      latency_ms: reply.latencyMs,
    };
  }
}

const lineOf = ({ id, seq, call: { request, reply, costMicros } }: LogCall) => ({
  id,
  seq,
  purpose: request.purpose,
  /** The model that answered, or the last model called if no model answered. */
  model: reply.servedBy,
  ok: reply.ok,
  cost_micros: costMicros,
});

/**
 * The moments of a run, for the pages that ask for them. Nothing is read before the first request.
 * The vectors of the search are made at the first search, which reads the journal again.
 */
class MomentReader {
  readonly #journal: JournalReader;
  readonly #after: number;
  #followed: { readonly histories: AgentHistories; readonly follower: LogFollower } | null = null;
  #search: MomentSearch | null = null;

  /** `after` is the last event before those of the run. */
  constructor(journal: JournalReader, after: number) {
    this.#journal = journal;
    this.#after = after;
  }

  /** All moments up to now. */
  async histories(): Promise<AgentHistories> {
    this.#followed ??= this.#open();
    const { histories, follower } = this.#followed;
    await follower.catchUp();
    return histories;
  }

  /** Sorts the moments among `moments` that are similar to `words`, best first. */
  async similar(moments: readonly AgentMoment[], words: string): Promise<readonly AgentMoment[]> {
    if (this.#search === null) {
      const search = new MomentSearch();
      this.#search = search;
      this.#followed = this.#open((moment, iteration) => search.add(moment, iteration));
    }
    await this.histories();
    return this.#search.sorted(moments, words);
  }

  #open(listener: MomentListener | null = null) {
    const histories = new AgentHistories(this.#journal, listener);
    return { histories, follower: new LogFollower(this.#journal, [histories], this.#after) };
  }
}
