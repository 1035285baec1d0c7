import assert from "node:assert/strict";
import type { DatabaseSync } from "node:sqlite";
import { holdsText } from "../packed-json.ts";
import { sha256 } from "../sha256.ts";
import type { CommittedListener } from "./announcer.ts";
import {
  type Beginning,
  type BeginningMark,
  type PackedBeginning,
  readBeginning,
  readBeginningMark,
} from "./beginning.ts";
import { eventHash } from "./chain.ts";
import {
  type CommandFilter,
  countEvents,
  type EventFilter,
  eventPages,
  lastModelCall,
  type ModelCallFilter,
  storedCommands,
  storedModelCalls,
} from "./event-query.ts";
import { GroupWriter, type WriterSettings } from "./group-writer.ts";
import { hashAfter, storedHead, transactionEnd, whyNotToBeContinued } from "./head.ts";
import { JournalFailure } from "./journal-failure.ts";
import { readMeta, writeMeta } from "./meta.ts";
import {
  type Contents,
  createDatabase,
  openForReading,
  openForWriting,
  type UsableDatabase,
} from "./open-database.ts";
import type {
  CommandRow,
  JournalHead,
  JournalRow,
  JournalTransaction,
  ModelCallRow,
} from "./rows.ts";
import { OWN_KEY_PREFIX } from "./schema.ts";
import {
  insertSnapshot,
  listSnapshots,
  type PackedSnapshot,
  packed,
  type Snapshot,
  type SnapshotMark,
  soundSnapshot,
} from "./snapshots.ts";
import { failureFrom, guarded } from "./sqlite-trouble.ts";
import type { Upcast } from "./upcasts.ts";
import { type ChainVerdict, verifyChain } from "./verify-chain.ts";
import { type SnapshotPart, type SnapshotVerdict, verifySnapshots } from "./verify-snapshots.ts";

export type Opened =
  | { readonly ok: true; readonly journal: Journal }
  | { readonly ok: false; readonly problem: string };

type SnapshotExtent = Pick<SnapshotPart, "upTo" | "bodies">;
const ALL_SNAPSHOTS: SnapshotExtent = { upTo: null, bodies: true };

/**
 * The truth about a run: an append-only, hash-chained list of events in one SQLite file, with the
 * commands that caused them. One process writes it (see `RunLock`), any number read it.
 *
 * Appends are gathered and committed in groups. An append is not acknowledged (`durable`) or
 * shown (`onCommitted`, `events`) before its commit. Methods throw `JournalFailure` for trouble
 * with the file; after a failed commit the journal refuses all further writes with that same
 * failure.
 */
export class Journal {
  readonly path: string;
  readonly readOnly: boolean;
  /** The version of the format that it is written in. */
  readonly format: number;
  readonly #database: DatabaseSync;
  readonly #upcast: Upcast;
  /** Null for a journal that is only read. */
  readonly #writer: GroupWriter | null;
  #modelCalls = 0;
  #closed = false;

  /** For `create` and `open`. `settings` are null for a journal that is only read. */
  constructor(path: string, usable: UsableDatabase, settings: WriterSettings | null) {
    const { database, format, upcast } = usable;
    this.format = format;
    this.path = path;
    this.readOnly = settings === null;
    this.#database = database;
    this.#upcast = upcast;
    this.#writer = settings === null ? null : new GroupWriter(database, path, settings);
    this.#modelCalls = lastModelCall(database);
  }

  /**
   * Makes a new journal; a file must not be there yet. `meta` is written along with it. With a
   * `base` its first event is the one after that of the base, and the chain goes on from it.
   */
  static create(path: string, settings: WriterSettings & Contents): Opened {
    const { base } = settings;
    if (base !== undefined) assert(hasOwnHash(base), "a base has its own hash");
    const opened = createDatabase(path, settings, settings);
    if (!opened.ok) return opened;
    return { ok: true, journal: new Journal(path, opened, settings) };
  }

  /** Opens a journal to go on writing it, or to read it (also while another process writes). */
  static open(path: string, settings: WriterSettings | { readonly readOnly: true }): Opened {
    const reading = "readOnly" in settings;
    const opened = reading ? openForReading(path) : openForWriting(path, settings);
    if (!opened.ok) return opened;
    try {
      const journal = new Journal(path, opened, reading ? null : settings);
      const cut = reading ? null : whyNotToBeContinued(opened.database, path);
      if (cut === null) return { ok: true, journal };
      opened.database.close();
      return { ok: false, problem: cut };
    } catch (error) {
      opened.database.close();
      return { ok: false, problem: failureFrom(error, path).message };
    }
  }

  /**
   * Gives the events their numbers and hashes at once and buffers them for the next commit. Commits
   * itself when the group has waited long enough, because a busy program starves timers, and when
   * it is full, and then waits for the group before it.
   * @throws JournalFailure when the journal can take nothing more.
   */
  append(transaction: JournalTransaction): { readonly firstSeq: number; readonly lastSeq: number } {
    const { command, fused, events } = transaction;
    assert(events.length > 0, "a transaction has at least one event");
    const writer = this.#open;
    const rows: JournalRow[] = [];
    let { seq, hash } = writer.head;
    const firstSeq = seq + 1;
    for (const event of events) {
      assert(Number.isSafeInteger(event.atMs), "run time is whole milliseconds");
      seq += 1;
      const { atMs, kind, principal, body } = event;
      hash = eventHash(
        hash,
        { seq, atMs, kind, principal, body },
        seq === firstSeq ? { command, fused } : null,
      );
      rows.push({ seq, atMs, kind, principal, body, hash });
    }
    writer.add(rows, { firstSeq, lastSeq: seq, command, fused }, { seq, hash });
    return { firstSeq, lastSeq: seq };
  }

  /**
   * Keeps the record of a call of a language model with the next commit. It takes no number of the
   * chain; `write` is told the one under which it will be found.
   * @throws JournalFailure when the journal can take nothing more.
   */
  noteModelCall(write: (id: number) => string): void {
    const writer = this.#open;
    this.#modelCalls += 1;
    const id = this.#modelCalls;
    writer.addModelCall({ id, seq: writer.head.seq, body: write(id) });
  }

  /** What `work` appends is committed together when it has ended; a crash leaves all or none. */
  inOneCommit<T>(work: () => T): T {
    return this.#open.inOneCommit(work);
  }

  /**
   * COMMIT POINT. Writes everything appended so far as one SQLite transaction, then resolves
   * `durable`, then calls the listeners.
   * @throws JournalFailure when it cannot; nothing of it is then on disk or acknowledged.
   */
  flush(): void {
    this.#open.flush();
  }

  /**
   * Resolves when everything appended so far is on disk: after the wait that `CommitPace` allows a
   * group for which somebody waits, and the time of the disk. Rejects with the `JournalFailure`
   * that prevented it.
   */
  durable(): Promise<void> {
    return this.#writer?.durable() ?? Promise.resolve();
  }

  /** Calls `listener` after each commit with its events in order. Returns the way to end that. */
  onCommitted(listener: CommittedListener): () => void {
    return this.#writer?.onCommitted(listener) ?? (() => {});
  }

  /** The last event appended, committed or not; for a reader, the last committed by the writer. */
  head(): JournalHead {
    return this.#writer?.head ?? guarded(this.path, () => storedHead(this.#database));
  }

  /** The failure that ended writing, or null. */
  failure(): JournalFailure | null {
    return this.#writer?.failure ?? null;
  }

  /** Committed events that pass the filter, in order, read as they are asked for. */
  *events(filter: EventFilter = {}): Generator<JournalRow, void, undefined> {
    for (const page of this.#guardedRows(eventPages(this.#database, filter))) {
      for (const row of page) yield this.#upcast.event(row);
    }
  }

  /** How many committed events of these kinds the journal has of its own. */
  countOf(kinds: readonly string[]): number {
    return guarded(this.path, () => countEvents(this.#database, kinds));
  }

  /** Committed commands all of whose events lie past `after` and not past `upTo`, in order. */
  *transactions(filter: CommandFilter = {}): Generator<CommandRow, void, undefined> {
    for (const row of this.#guardedRows(storedCommands(this.#database, filter))) {
      yield this.#upcast.command(row);
    }
  }

  /** Committed records of model calls, in the order in which they were noted. */
  *modelCalls(filter: ModelCallFilter = {}): Generator<ModelCallRow, void, undefined> {
    yield* this.#guardedRows(storedModelCalls(this.#database, filter));
  }

  /**
   * The last event of the transaction that event `seq` belongs to; `seq` itself where the journal
   * begins. Null when there is no such event here, or not yet.
   */
  transactionEnd(seq: number): number | null {
    return guarded(this.path, () => transactionEnd(this.#database, seq));
  }

  /**
   * What the journal goes on from; null when it begins with a new world.
   * @throws JournalFailure also when it is not what was kept.
   */
  base(): Beginning | null {
    return guarded(this.path, () => readBeginning(this.#database, this.path));
  }

  /** The same without its state. */
  baseMark(): BeginningMark | null {
    return guarded(this.path, () => readBeginningMark(this.#database, this.path));
  }

  /**
   * Commits what is buffered, then the snapshot, which is on disk when `durable` says so. Its `seq`
   * must be a past event or where the journal begins. Old ones may lose their bodies by it (see
   * `keepsBody`).
   */
  saveSnapshot(given: Snapshot | PackedSnapshot): void {
    const snapshot = "packed" in given ? given : packed(given);
    this.#open.ship(snapshot.packed.length, () => {
      const at = hashAfter(this.#database, snapshot.seq);
      assert(at !== null, "a snapshot is taken after an event of this journal");
      insertSnapshot(this.#database, snapshot, at);
    });
  }

  /** All snapshots without their bodies, in the order they were saved. */
  snapshots(): readonly SnapshotMark[] {
    return guarded(this.path, () => listSnapshots(this.#database));
  }

  /** The newest undamaged snapshot that includes no event past `upToSeq`, or null. */
  latestSnapshot(upToSeq: number = Number.MAX_SAFE_INTEGER): Snapshot | null {
    return guarded(this.path, () => soundSnapshot(this.#database, upToSeq));
  }

  /** A note about the run that is not part of the chain, or null. */
  meta(key: string): string | null {
    return guarded(this.path, () => readMeta(this.#database, key));
  }

  setMeta(key: string, value: string): void {
    assert(!key.startsWith(OWN_KEY_PREFIX), `${OWN_KEY_PREFIX}* belongs to the journal itself`);
    this.#open.write(value.length, () => writeMeta(this.#database, key, value));
  }

  /** Checks committed events and commands, up to an event or all (see `verify-chain.ts`). */
  verifyChain(upTo: number | null = null): ChainVerdict {
    return verifyChain({ database: this.#database, path: this.path, upTo });
  }

  /** Checks snapshots with their bodies, or only their marks (see `verify-snapshots.ts`). */
  verifySnapshots({ upTo, bodies }: SnapshotExtent = ALL_SNAPSHOTS): SnapshotVerdict {
    return verifySnapshots({ database: this.#database, path: this.path, upTo, bodies });
  }

  /** Commits what is buffered and closes the file, also when the commit fails. Once is enough. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    const failure = this.#writer?.close() ?? null;
    this.#database.close();
    if (failure !== null) throw failure;
  }

  *#guardedRows<T>(rows: Iterator<T, void>): Generator<T, void, undefined> {
    for (let next = guarded(this.path, () => rows.next()); !next.done; ) {
      yield next.value;
      next = guarded(this.path, () => rows.next());
    }
  }

  /** @throws JournalFailure where nothing can be written, or nothing more. */
  get #open(): GroupWriter {
    if (this.#writer === null) {
      throw new JournalFailure(`journal failed: ${this.path}: it was opened for reading only`);
    }
    this.#writer.assertWritable();
    return this.#writer;
  }
}

const hasOwnHash = (base: Beginning | PackedBeginning): boolean =>
  "state" in base ? sha256(base.state) === base.stateHash : holdsText(base.packed, base.stateHash);
