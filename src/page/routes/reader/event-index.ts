import { setImmediate } from "node:timers/promises";
import { addTo } from "../../../figures/index.ts";
import { firstAtLeast } from "../../../text/index.ts";
import type { JournalReader, JournalRow } from "../../../world/index.ts";

/** A part of a run in ms of run time, with both ends. A null end is that of the run. */
export type AskedPeriod = { readonly fromMs: number | null; readonly toMs: number | null };

/** A filter for events. A null field matches all events. */
type IndexFilter = {
  readonly kind: string | null;
  /** The id of a principal. If no principal has this id, all ids with this prefix match. */
  readonly principal: string | null;
};

/** The number of events from one known time to the next. */
const TIME_EVERY = 64;

/** Keeps the kind and principal of each event in memory, to filter without the journal. */
export class EventIndex {
  readonly #firstSeq: number;
  readonly #numbers = new Map<string, number>();
  readonly #kinds: number[] = [];
  readonly #principals: number[] = [];
  readonly #counts = new Map<string, number>();
  /** The times in ms of the first event and of every `TIME_EVERY`-th event after it. */
  readonly #times: number[] = [];

  /** `afterSeq` is one less than the number of the first event. */
  constructor(afterSeq: number) {
    this.#firstSeq = afterSeq + 1;
  }

  get lastSeq(): number {
    return this.#firstSeq + this.#kinds.length - 1;
  }

  get firstSeq(): number {
    return this.#firstSeq;
  }

  get counts(): ReadonlyMap<string, number> {
    return this.#counts;
  }

  event({ row }: { readonly row: Pick<JournalRow, "kind" | "principal" | "atMs"> }): void {
    const { kind, principal, atMs } = row;
    if (this.#kinds.length % TIME_EVERY === 0) this.#times.push(atMs);
    this.#kinds.push(this.#numberOf(kind));
    this.#principals.push(principal === null ? 0 : this.#numberOf(principal));
    addTo(this.#counts, kind);
  }

  /** Returns the number of the first event at or after a run time, or one more than the last. */
  firstSince(atMs: number, journal: JournalReader): number {
    const block = Math.max(0, firstAtLeast(this.#times, atMs) - 1);
    const after = this.#firstSeq - 1 + block * TIME_EVERY;
    const upTo = Math.min(after + TIME_EVERY, this.lastSeq);
    const [row] = journal.events({ after, upTo, sinceMs: atMs, limit: 1 });
    return row?.seq ?? upTo + 1;
  }

  /** The first and the last event of a period, up to event `upTo`. Before it: `last < first`. */
  between({ fromMs, toMs, upTo }: AskedPeriod & { readonly upTo: number }, journal: JournalReader) {
    const end = toMs === null ? this.lastSeq : this.firstSince(toMs + 1, journal) - 1;
    return {
      first: fromMs === null ? this.#firstSeq : this.firstSince(fromMs, journal),
      last: Math.min(upTo, this.lastSeq, end),
    };
  }

  *matching(
    { kind, principal }: IndexFilter,
    { after, upTo }: { readonly after: number; readonly upTo: number },
  ): Generator<number, void> {
    const kindNumber = kind === null ? null : (this.#numbers.get(kind) ?? -1);
    const principalNumbers = principal === null ? null : this.#numbersOf(principal);
    const last = Math.min(upTo, this.lastSeq);
    for (let seq = Math.max(after + 1, this.#firstSeq); seq <= last; seq += 1) {
      const place = seq - this.#firstSeq;
      if (kindNumber !== null && this.#kinds[place] !== kindNumber) continue;
      if (principalNumbers?.has(this.#principals[place] ?? 0) === false) continue;
      yield seq;
    }
  }

  /** Returns the numbers of a principal's latest events of some kinds, newest first. */
  latest(principal: string, { kinds, before, limit }: LatestQuery): readonly number[] {
    const who = this.#numbers.get(principal);
    const wanted = new Set(kinds.map((kind) => this.#numbers.get(kind) ?? -1));
    const found: number[] = [];
    const last = Math.min(before - 1, this.lastSeq);
    for (let seq = last; who !== undefined && seq >= this.#firstSeq; seq -= 1) {
      const place = seq - this.#firstSeq;
      if (this.#principals[place] !== who || !wanted.has(this.#kinds[place] ?? 0)) continue;
      found.push(seq);
      if (found.length >= limit) break;
    }
    return found;
  }

  #numbersOf(principal: string): ReadonlySet<number> {
    const exact = this.#numbers.get(principal);
    if (exact !== undefined) return new Set([exact]);
    return new Set(
      [...this.#numbers].flatMap(([name, number]) => (name.startsWith(principal) ? [number] : [])),
    );
  }

  /** Returns the number for a kind or a principal. Numbers start at 1; 0 means no principal. */
  #numberOf(name: string): number {
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    const number = this.#numbers.size + 1;
    this.#numbers.set(name, number);
    return number;
  }
}

type LatestQuery = {
  readonly kinds: readonly string[];
  readonly before: number;
  readonly limit: number;
};

/** `text` is a case-insensitive substring of the event. An empty `text` matches all events. */
export type EventFilter = IndexFilter & { readonly text: string };

/** The number of events to check before yielding to other requests. */
const SLICE_EVENTS = 4_000;

/** The numbers of all events that match one filter. The list grows with the run. */
export class EventList {
  readonly #journal: JournalReader;
  readonly #index: EventIndex;
  readonly #filter: EventFilter;
  /** The search text in lower case: once unescaped and once escaped as in JSON. */
  readonly #texts: readonly string[];
  readonly #seqs: number[] = [];
  #checkedTo: number;
  #checking: Promise<void> | null = null;

  constructor(
    filter: EventFilter,
    { journal, index }: { journal: JournalReader; index: EventIndex },
  ) {
    this.#filter = filter;
    const text = filter.text.toLowerCase();
    this.#texts = [text, JSON.stringify(text).slice(1, -1)];
    this.#journal = journal;
    this.#index = index;
    this.#checkedTo = index.firstSeq - 1;
  }

  async catchUp(): Promise<void> {
    this.#checking ??= this.#check().finally(() => {
      this.#checking = null;
    });
    await this.#checking;
  }

  /** Returns the number of matching events up to event `upTo`, by binary search. */
  total(upTo: number): number {
    return firstAtLeast(this.#seqs, upTo + 1);
  }

  slice(from: number, to: number): readonly number[] {
    return this.#seqs.slice(from, to);
  }

  async #check(): Promise<void> {
    while (this.#checkedTo < this.#index.lastSeq) {
      const upTo = Math.min(this.#checkedTo + SLICE_EVENTS, this.#index.lastSeq);
      const after = this.#checkedTo;
      if (this.#filter.text === "") {
        for (const seq of this.#index.matching(this.#filter, { after, upTo })) this.#seqs.push(seq);
      } else this.#search({ after, upTo });
      this.#checkedTo = upTo;
      await setImmediate();
    }
  }

  #search({ after, upTo }: { readonly after: number; readonly upTo: number }): void {
    const kind = this.#filter.kind ?? undefined;
    const principal = this.#filter.principal ?? undefined;
    for (const row of this.#journal.events({ kind, principal, after, upTo })) {
      const all = `${row.kind} ${row.principal ?? ""} ${row.body}`.toLowerCase();
      if (this.#texts.some((text) => all.includes(text))) this.#seqs.push(row.seq);
    }
  }
}
