import assert from "node:assert/strict";
import type { DatabaseSync } from "node:sqlite";
import type { Result } from "../../kernel/index.ts";
import { jsonCountsOf } from "../core/packed-json.ts";
import {
  type CommandRow,
  eventHash,
  type JournalHead,
  type JournalRow,
  type JournalTransaction,
  type ModelCallRow,
} from "./chain.ts";
import * as query from "./event-query.ts";
import { type CommittedListener, GroupWriter, type WriterSettings } from "./group-writer.ts";
import { createDatabase, openForReading, openForWriting } from "./open-database.ts";
import * as snapshots from "./snapshots.ts";
import { failureFrom, guarded, JournalFailure } from "./sqlite.ts";
import {
  type PackedStartState,
  readStartMark,
  readStartState,
  type StartMark,
  type StartState,
} from "./start-state.ts";
import { type ChainVerdict, verifyChain } from "./verify-chain.ts";

type Opened = Result<{ journal: Journal }>;

type NewJournal = WriterSettings & { readonly base?: PackedStartState };

type SnapshotExtent = Pick<snapshots.SnapshotPart, "upTo" | "bodies">;
const ALL_SNAPSHOTS: SnapshotExtent = { upTo: null, bodies: true };

/**
 * The record of a run: an append-only, hash-chained list of events in one SQLite file, with the
 * commands that caused the events. One process writes the file (see `RunLock`). Any number of
 * processes may read it.
 *
 * Events are committed in groups. `events` and `onCommitted` show only committed events. `durable`
 * resolves when all events appended so far are on disk. Every method throws a `JournalFailure` if
 * the file fails. After a failed commit, every write throws the same failure.
 */
export class Journal {
  readonly path: string;
  readonly readOnly: boolean;
  readonly #database: DatabaseSync;
  readonly #writer: GroupWriter | null;
  #modelCalls = 0;
  #closed = false;

  /** Callers use `create` or `open` instead. `settings` is null for a read-only journal. */
  constructor(path: string, database: DatabaseSync, settings: WriterSettings | null) {
    this.path = path;
    this.readOnly = settings === null;
    this.#database = database;
    this.#writer = settings === null ? null : new GroupWriter(database, path, settings);
    this.#modelCalls = query.lastModelCall(database);
  }

  /** Creates the file; fails if it exists. Event numbers and hashes continue those of `base`. */
  static create(path: string, { base, ...settings }: NewJournal): Opened {
    assert(
      base === undefined || jsonCountsOf(base.state) !== null,
      "a base must have its own hash",
    );
    const opened = createDatabase(path, settings, base);
    if (!opened.ok) return opened;
    return { ok: true, journal: new Journal(path, opened.database, settings) };
  }

  /** Opens an existing journal. Reading is possible even while another process writes the file. */
  static open(path: string, settings: WriterSettings | { readonly readOnly: true }): Opened {
    const reading = "readOnly" in settings;
    const opened = reading ? openForReading(path) : openForWriting(path, settings);
    if (!opened.ok) return opened;
    try {
      if (!reading) query.requireSoundEnd(opened.database, path);
      return { ok: true, journal: new Journal(path, opened.database, reading ? null : settings) };
    } catch (error) {
      opened.database.close();
      return { ok: false, problem: failureFrom(error, path).message };
    }
  }

  /**
   * Numbers and hashes the events, then buffers them for the next commit. Commits at once if the
   * group is full, or if the group is overdue because the process was too busy to run its timer.
   */
  append(transaction: JournalTransaction): { readonly firstSeq: number; readonly lastSeq: number } {
    const { command, timedOut, events } = transaction;
    assert(events.length > 0, "a transaction must have an event");
    const writer = this.#open;
    const rows: JournalRow[] = [];
    let { seq, hash } = writer.head;
    const firstSeq = seq + 1;
    for (const event of events) {
      assert(Number.isSafeInteger(event.atMs), "run time must be whole milliseconds");
      seq += 1;
      const { atMs, kind, principal, body } = event;
      hash = eventHash(
        hash,
        { seq, atMs, kind, principal, body },
        seq === firstSeq ? { command, timedOut } : null,
      );
      rows.push({ seq, atMs, kind, principal, body, hash });
    }
    writer.add(rows, { firstSeq, lastSeq: seq, command, timedOut });
    return { firstSeq, lastSeq: seq };
  }

  /** Buffers a model call for the next commit, outside the hash chain. `write` makes the body. */
  noteModelCall(write: (id: number) => string): void {
    const writer = this.#open;
    this.#modelCalls += 1;
    const id = this.#modelCalls;
    writer.addModelCall({ id, seq: writer.head.seq, body: write(id) });
  }

  /** Runs `work` and commits all its appends together. A crash leaves all of them or none. */
  inOneCommit<T>(work: () => T): T {
    return this.#open.inOneCommit(work);
  }

  /**
   * COMMIT POINT. Writes all buffered events in one SQLite transaction, then resolves `durable`,
   * then calls the listeners. If the transaction fails, stores none of these events and throws.
   */
  flush(): void {
    this.#open.flush();
  }

  /** Resolves when all events appended so far are on disk. Rejects with a `JournalFailure`. */
  durable(): Promise<void> {
    return this.#writer?.durable() ?? Promise.resolve();
  }

  /** Calls `listener` with the events of each commit, in order. Returns an unsubscribe function. */
  onCommitted(listener: CommittedListener): () => void {
    return this.#writer?.onCommitted(listener) ?? (() => {});
  }

  /** The last appended event, even before its commit. If read-only, the last committed event. */
  head(): JournalHead {
    return this.#writer?.head ?? guarded(this.path, () => query.storedHead(this.#database));
  }

  failure(): JournalFailure | null {
    return this.#writer?.failure ?? null;
  }

  /** The committed events, in order. All generators of a journal read their rows lazily. */
  events(filter: query.JournalFilter = {}): Generator<JournalRow, void> {
    return this.#rows(query.eventPages(this.#database, filter));
  }

  /** The number of committed events of these kinds. Events included in the base do not count. */
  countOf(kinds: readonly string[]): number {
    return guarded(this.path, () => query.countEvents(this.#database, kinds));
  }

  /** The committed commands whose events are all numbered from `after` + 1 to `upTo`, in order. */
  transactions(filter: query.CommandFilter = {}): Generator<CommandRow, void> {
    return this.#rows(query.commandPages(this.#database, filter));
  }

  modelCalls(filter: query.ModelCallFilter = {}): Generator<ModelCallRow, void> {
    return this.#rows(query.modelCallPages(this.#database, filter));
  }

  /** The last event of the transaction with event `seq`, or null. For the base's `seq`: `seq`. */
  transactionEnd(seq: number): number | null {
    return guarded(this.path, () => query.transactionEnd(this.#database, seq));
  }

  /** The base, or null if the journal starts with a new world. Throws if the base was changed. */
  base(): StartState | null {
    return guarded(this.path, () => readStartState(this.#database, this.path));
  }

  baseMark(): StartMark | null {
    return guarded(this.path, () => readStartMark(this.#database, this.path));
  }

  /**
   * Commits the buffered events, then the snapshot, and deletes old bodies (see `keepsBody`).
   * `snapshot.seq` must name an event or the base. `durable` resolves once all this is on disk.
   */
  saveSnapshot(snapshot: snapshots.PackedSnapshot): void {
    this.#open.commitAlone(() => {
      const at = query.hashAfter(this.#database, snapshot.seq);
      assert(at !== null, "a snapshot must belong to an event of this journal");
      snapshots.insertSnapshot(this.#database, snapshot, at);
    });
  }

  /** The marks of all snapshots, in the order in which they were saved. */
  snapshots(): readonly snapshots.SnapshotMark[] {
    return guarded(this.path, () => snapshots.listSnapshots(this.#database));
  }

  /** The newest undamaged snapshot that includes no event after `upToSeq`, or null. */
  latestSnapshot(upToSeq: number = Number.MAX_SAFE_INTEGER): snapshots.Snapshot | null {
    return guarded(this.path, () => snapshots.soundSnapshot(this.#database, upToSeq));
  }

  /** Checks all committed events and commands, or only those up to event `upTo`. */
  verifyChain(upTo: number | null = null): ChainVerdict {
    return verifyChain({ database: this.#database, path: this.path, upTo });
  }

  /** Checks the snapshots up to event `upTo`. If `bodies` is false, skips their bodies. */
  verifySnapshots({ upTo, bodies }: SnapshotExtent = ALL_SNAPSHOTS): snapshots.SnapshotVerdict {
    return snapshots.verifySnapshots({ database: this.#database, path: this.path, upTo, bodies });
  }

  /** Commits the buffered events, closes the file, then throws if the commit failed. Idempotent. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    const failure = this.#writer?.close() ?? null;
    this.#database.close();
    if (failure !== null) throw failure;
  }

  *#rows<T>(pages: Iterator<readonly T[], void>): Generator<T, void> {
    while (true) {
      const page = guarded(this.path, () => pages.next());
      if (page.done) return;
      yield* page.value;
    }
  }

  /** The writer. Throws if the journal is read-only or closed, or if a commit has failed. */
  get #open(): GroupWriter {
    if (this.#writer === null) {
      throw new JournalFailure(`journal failed: ${this.path}: it was opened for reading only`);
    }
    this.#writer.assertWritable();
    return this.#writer;
  }
}

/** The part of a journal that replay, reports and pages read. */
export type JournalReader = Pick<
  Journal,
  | "path"
  | "head"
  | "events"
  | "countOf"
  | "transactions"
  | "modelCalls"
  | "transactionEnd"
  | "base"
  | "baseMark"
  | "latestSnapshot"
  | "verifyChain"
  | "verifySnapshots"
  | "close"
>;
