import { firstAtLeast } from "../../text/index.ts";
import type { CommandRow, JournalHead, JournalRow, ModelCallRow } from "./chain.ts";
import type { CommandFilter, JournalFilter, ModelCallFilter } from "./event-query.ts";
import type { JournalReader } from "./journal.ts";
import type { Snapshot } from "./snapshots.ts";
import type { StartMark, StartState } from "./start-state.ts";
import { type ChainVerdict, ChainWalk } from "./verify-chain.ts";

/** So many events share one recorded hash. A hash cannot be compressed. */
const HASH_EVERY = 64;

/** All of a journal but its snapshots, in columns of equal length, as JSON. */
export type JournalCopy = {
  readonly path: string;
  readonly base: StartState | null;
  readonly head: JournalHead;
  /** The kinds and principals of the events, which `kind` and `principal` number. */
  readonly names: readonly string[];
  readonly events: {
    readonly at_ms: readonly number[];
    readonly kind: readonly number[];
    /** -1 if no principal acted. */
    readonly principal: readonly number[];
    readonly body: readonly string[];
  };
  readonly transactions: {
    readonly last_seq: readonly number[];
    readonly command: readonly string[];
    readonly timed_out: readonly boolean[];
  };
  readonly calls: { readonly seq: readonly number[]; readonly body: readonly string[] };
  /** The hash of every `HASH_EVERY`th event. */
  readonly hashes: readonly string[];
  /** The hashes of events whose texts are left out. They cannot be computed. */
  readonly stated: { readonly seq: readonly number[]; readonly hash: readonly string[] };
};

export const copyOfJournal = (journal: JournalReader, path: string): JournalCopy => {
  const names = new Map<string, number>();
  const numberOf = (name: string): number => {
    const number = names.get(name) ?? names.size;
    names.set(name, number);
    return number;
  };
  const head = journal.head();
  const upTo = head.seq;
  const rows = [...journal.events({ upTo })];
  const commands = [...journal.transactions({ upTo })];
  const calls = [...journal.modelCalls({ upTo })];
  const events = {
    at_ms: rows.map(({ atMs }) => atMs),
    kind: rows.map(({ kind }) => numberOf(kind)),
    principal: rows.map(({ principal }) => (principal === null ? -1 : numberOf(principal))),
    body: rows.map(({ body }) => body),
  };
  return {
    path,
    base: journal.base(),
    head,
    names: [...names.keys()],
    events,
    transactions: {
      last_seq: commands.map(({ lastSeq }) => lastSeq),
      command: commands.map(({ command }) => command),
      timed_out: commands.map(({ timedOut }) => timedOut),
    },
    calls: { seq: calls.map(({ seq }) => seq), body: calls.map(({ body }) => body) },
    hashes: rows.flatMap(({ hash }, at) => ((at + 1) % HASH_EVERY === 0 ? [hash] : [])),
    stated: { seq: [], hash: [] },
  };
};

/** Reads a copy of a journal. Hashes of events are computed, because the copy has few of them. */
export class CopiedJournal implements JournalReader {
  readonly path: string;
  readonly #copy: JournalCopy;
  /** The number of the event before the first. */
  readonly #before: number;
  readonly #hashes: string[] = [];
  readonly #snapshots: Snapshot[] = [];
  readonly #stated: ReadonlyMap<number, string>;

  constructor(copy: JournalCopy) {
    this.path = copy.path;
    this.#copy = copy;
    this.#before = copy.base?.seq ?? 0;
    const { seq, hash } = copy.stated;
    this.#stated = new Map(seq.map((each, at) => [each, hash[at] ?? ""]));
  }

  /** Keeps a state, from which `restore` can start. Call it with rising numbers. */
  keepSnapshot(snapshot: Snapshot): void {
    this.#snapshots.push(snapshot);
  }

  head(): JournalHead {
    return this.#copy.head;
  }

  *events(filter: JournalFilter = {}): Generator<JournalRow, void> {
    const { names, events } = this.#copy;
    const kind = filter.kind === undefined ? null : names.indexOf(filter.kind);
    const principal = filter.principal === undefined ? null : names.indexOf(filter.principal);
    const last = Math.min(filter.upTo ?? Number.MAX_SAFE_INTEGER, this.#copy.head.seq);
    let left = filter.limit ?? Number.MAX_SAFE_INTEGER;
    for (let seq = Math.max(filter.after ?? 0, this.#before) + 1; seq <= last && left > 0; seq++) {
      const at = seq - this.#before - 1;
      if (kind !== null && events.kind[at] !== kind) continue;
      if (principal !== null && events.principal[at] !== principal) continue;
      if ((events.at_ms[at] ?? 0) < (filter.sinceMs ?? 0)) continue;
      left -= 1;
      yield this.#row(seq);
    }
  }

  countOf(kinds: readonly string[]): number {
    const wanted = new Set(kinds.map((kind) => this.#copy.names.indexOf(kind)));
    return this.#copy.events.kind.filter((kind) => wanted.has(kind)).length;
  }

  *transactions({ after = 0, upTo }: CommandFilter = {}): Generator<CommandRow, void> {
    const { last_seq: ends, command, timed_out: timedOut } = this.#copy.transactions;
    for (let at = firstAtLeast(ends, after + 1); at < ends.length; at++) {
      const firstSeq = (ends[at - 1] ?? this.#before) + 1;
      const lastSeq = ends[at] ?? 0;
      if (lastSeq > (upTo ?? Number.MAX_SAFE_INTEGER)) return;
      if (firstSeq <= after) continue;
      yield { firstSeq, lastSeq, command: command[at] ?? "", timedOut: timedOut[at] ?? false };
    }
  }

  *modelCalls({ after = 0, upTo, limit }: ModelCallFilter = {}): Generator<ModelCallRow, void> {
    const { seq: seqs, body } = this.#copy.calls;
    const end = Math.min(seqs.length, after + (limit ?? seqs.length));
    for (let at = after; at < end; at++) {
      const seq = seqs[at] ?? 0;
      if (seq <= (upTo ?? Number.MAX_SAFE_INTEGER)) yield { id: at + 1, seq, body: body[at] ?? "" };
    }
  }

  transactionEnd(seq: number): number | null {
    if (seq === this.#before) return seq;
    if (seq < this.#before) return null;
    const ends = this.#copy.transactions.last_seq;
    return ends[firstAtLeast(ends, seq)] ?? null;
  }

  base(): StartState | null {
    return this.#copy.base;
  }

  baseMark(): StartMark | null {
    return this.#copy.base;
  }

  latestSnapshot(upToSeq = Number.MAX_SAFE_INTEGER): Snapshot | null {
    return this.#snapshots.findLast(({ seq }) => seq <= upToSeq) ?? null;
  }

  verifyChain(upTo: number | null = null): ChainVerdict {
    const { head, hashes } = this.#copy;
    const walk = this.#walk();
    let sound = this.#before;
    const bad = (seq: number): ChainVerdict => ({
      ok: false,
      seq: sound + 1,
      soundSeq: sound,
      detail: `one of the events ${sound + 1} to ${seq} was changed or is missing`,
    });
    for (const { event, cause, stated } of this.#chained({ upTo: upTo ?? undefined })) {
      const { seq } = event;
      const place = seq - this.#before;
      const hash = place % HASH_EVERY === 0 ? (hashes[place / HASH_EVERY - 1] ?? "") : null;
      if (walk.step({ event: { ...event, hash }, cause, stated }) !== null) return bad(seq);
      if (hash !== null) sound = seq;
    }
    if (upTo === null && walk.whyNotEnd(head) !== null) return bad(head.seq);
    return { ok: true, head: walk.head, events: walk.head.seq - this.#before };
  }

  /** A copy has no recorded snapshots. */
  verifySnapshots(): { readonly ok: true; readonly snapshots: number } {
    return { ok: true, snapshots: 0 };
  }

  close(): void {}

  #event(seq: number): Omit<JournalRow, "hash"> {
    const { names, events } = this.#copy;
    const at = seq - this.#before - 1;
    const { at_ms: times, kind, principal, body } = events;
    return {
      seq,
      atMs: times[at] ?? 0,
      kind: names[kind[at] ?? -1] ?? "",
      principal: names[principal[at] ?? -1] ?? null,
      body: body[at] ?? "",
    };
  }

  #row(seq: number): JournalRow {
    const hashOf = (): string => this.hashOf(seq);
    return {
      ...this.#event(seq),
      // Few readers need the hash.
      get hash() {
        return hashOf();
      },
    };
  }

  /** The hash of event `seq`. Computes the hashes of all events before it, once. */
  hashOf(seq: number): string {
    const hashes = this.#hashes;
    const last = { seq: this.#before + hashes.length, hash: hashes.at(-1) };
    const walk = this.#walk();
    if (last.hash !== undefined) walk.start({ seq: last.seq, hash: last.hash });
    for (const { event, cause, stated } of this.#chained({ after: last.seq })) {
      // Only whole transactions are hashed.
      if (cause !== null && hashes.length >= seq - this.#before) break;
      walk.step({ event: { ...event, hash: null }, cause, stated });
      hashes.push(walk.head.hash);
    }
    return hashes[seq - this.#before - 1] ?? "";
  }

  #walk(): ChainWalk {
    const walk = new ChainWalk();
    const { base } = this.#copy;
    if (base !== null) walk.start(base);
    return walk;
  }

  *#chained(filter: CommandFilter) {
    for (const command of this.transactions(filter)) {
      for (let { firstSeq: seq } = command; seq <= command.lastSeq; seq++) {
        const cause = seq === command.firstSeq ? command : null;
        yield { event: this.#event(seq), cause, stated: this.#stated.get(seq) };
      }
    }
  }
}
