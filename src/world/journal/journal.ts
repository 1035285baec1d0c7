import assert from "node:assert/strict";
import type { DatabaseSync } from "node:sqlite";
import { Announcer, type CommittedListener } from "./announcer.ts";
import {
  type Beginning,
  type BeginningMark,
  readBeginning,
  readBeginningMark,
} from "./beginning.ts";
import { eventHash, sha256 } from "./chain.ts";
import { emptyGroup, type Group, GroupCommit, sizeOf } from "./commit-group.ts";
import { CommitPace } from "./commit-pace.ts";
import {
  type CommandFilter,
  type EventFilter,
  eventPages,
  lastModelCall,
  type ModelCallFilter,
  storedCommands,
  storedModelCalls,
} from "./event-query.ts";
import { hashAfter, storedHead, transactionEnd, whyNotToBeContinued } from "./head.ts";
import { JournalFailure } from "./journal-failure.ts";
import { readMeta, writeMeta } from "./meta.ts";
import {
  type Contents,
  createDatabase,
  openForReading,
  openForWriting,
  type UsableDatabase,
  type WriteSettings,
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
import { type SnapshotVerdict, verifySnapshots } from "./verify-snapshots.ts";

export type JournalSettings = WriteSettings & {
  /**
   * How long an append waits for company; longer, within a bound, where commits would otherwise
   * take most of the time. 0: each append is a commit of its own.
   */
  readonly groupMs: number;
};

export type Opened =
  | { readonly ok: true; readonly journal: Journal }
  | { readonly ok: false; readonly problem: string };

/** A group is committed when it has this many events and model calls, whatever its age. */
const GROUP_ROWS_MAX = 1_024;

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
  readonly #database: DatabaseSync;
  readonly #upcast: Upcast;
  readonly #commits: GroupCommit | null;
  readonly #pace: CommitPace;
  readonly #announcer = new Announcer();
  #group: Group = emptyGroup();
  #groupSinceMs = 0;
  #held = false;
  #modelCalls = 0;
  #timer: NodeJS.Timeout | undefined;
  #acknowledgement: PromiseWithResolvers<void> | null = null;
  #head: JournalHead;
  #committedHead: JournalHead;
  #failure: JournalFailure | null = null;
  #closed = false;

  /** For `create` and `open`. `groupMs` is null for a journal that is only read. */
  constructor(path: string, { database, upcast }: UsableDatabase, groupMs: number | null) {
    this.path = path;
    this.readOnly = groupMs === null;
    this.#database = database;
    this.#upcast = upcast;
    this.#commits = groupMs === null ? null : new GroupCommit(database);
    this.#pace = new CommitPace(groupMs ?? 0);
    this.#head = storedHead(database);
    this.#committedHead = this.#head;
    this.#modelCalls = lastModelCall(database);
  }

  /**
   * Makes a new journal; a file must not be there yet. `meta` is written along with it. With a
   * `base` its first event is the one after that of the base, and the chain goes on from it.
   */
  static create(path: string, settings: JournalSettings & Contents): Opened {
    const { base } = settings;
    assert(base === undefined || sha256(base.state) === base.stateHash, "a base has its own hash");
    const opened = createDatabase(path, settings, settings);
    if (!opened.ok) return opened;
    return { ok: true, journal: new Journal(path, opened, settings.groupMs) };
  }

  /** Opens a journal to go on writing it, or to read it (also while another process writes). */
  static open(path: string, settings: JournalSettings | { readonly readOnly: true }): Opened {
    const reading = "readOnly" in settings;
    const opened = reading ? openForReading(path) : openForWriting(path, settings);
    if (!opened.ok) return opened;
    try {
      const journal = new Journal(path, opened, reading ? null : settings.groupMs);
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
   * itself when the group is full or has waited long enough, because a busy program starves timers.
   * @throws JournalFailure when the journal can take nothing more.
   */
  append(transaction: JournalTransaction): { readonly firstSeq: number; readonly lastSeq: number } {
    const { command, fused, events } = transaction;
    assert(events.length > 0, "a transaction has at least one event");
    this.#assertWritable();
    const firstSeq = this.#head.seq + 1;
    let { seq, hash } = this.#head;
    for (const event of events) {
      assert(Number.isSafeInteger(event.atMs), "run time is whole milliseconds");
      seq += 1;
      const { atMs, kind, principal, body } = event;
      hash = eventHash(
        hash,
        { seq, atMs, kind, principal, body },
        seq === firstSeq ? { command, fused } : null,
      );
      this.#group.rows.push({ seq, atMs, kind, principal, body, hash });
    }
    this.#group.commands.push({ firstSeq, lastSeq: seq, command, fused });
    this.#head = { seq, hash };
    this.#startWaiting();
    return { firstSeq, lastSeq: seq };
  }

  /**
   * Keeps the record of a call of a language model with the next commit. It takes no number of the
   * chain; `write` is told the one under which it will be found.
   * @throws JournalFailure when the journal can take nothing more.
   */
  noteModelCall(write: (id: number) => string): void {
    this.#assertWritable();
    this.#modelCalls += 1;
    const id = this.#modelCalls;
    this.#group.modelCalls.push({ id, seq: this.#head.seq, body: write(id) });
    this.#startWaiting();
  }

  /** What `work` appends is committed together when it has ended; a crash leaves all or none. */
  inOneCommit<T>(work: () => T): T {
    this.#held = true;
    const done = work();
    this.#held = false;
    this.flush();
    return done;
  }

  /**
   * COMMIT POINT. Writes everything appended so far as one SQLite transaction, then resolves
   * `durable`, then calls the listeners.
   * @throws JournalFailure when it cannot; nothing of it is then on disk or acknowledged.
   */
  flush(): void {
    this.#assertWritable();
    const failure = this.#commitGroup();
    if (failure !== null) throw failure;
  }

  /**
   * Resolves when everything appended so far is on disk, about `groupMs` later and under load at
   * most ten times that; rejects with the `JournalFailure` that prevented it.
   */
  durable(): Promise<void> {
    if (this.#failure !== null) return Promise.reject(this.#failure);
    if (sizeOf(this.#group) === 0) return Promise.resolve();
    this.#acknowledgement ??= Promise.withResolvers<void>();
    return this.#acknowledgement.promise;
  }

  /** Calls `listener` after each commit with its events in order. Returns the way to end that. */
  onCommitted(listener: CommittedListener): () => void {
    return this.#announcer.add(listener);
  }

  /** The last event appended, committed or not; for a reader, the last committed by the writer. */
  head(): JournalHead {
    if (!this.readOnly || this.#closed) return this.#head;
    return guarded(this.path, () => storedHead(this.#database));
  }

  /** The failure that ended writing, or null. */
  failure(): JournalFailure | null {
    return this.#failure;
  }

  /** Committed events that pass the filter, in order, read as they are asked for. */
  *events(filter: EventFilter = {}): Generator<JournalRow, void, undefined> {
    for (const page of this.#guardedRows(eventPages(this.#database, filter))) {
      for (const row of page) yield this.#upcast.event(row);
    }
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
   * Commits what is buffered, then the snapshot. Its `seq` must be a past event or where the
   * journal begins. Old snapshots may lose their bodies by it (see `keepsBody`).
   */
  saveSnapshot(given: Snapshot | PackedSnapshot): void {
    const snapshot = "packed" in given ? given : packed(given);
    this.flush();
    this.#write(() => {
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
    this.#assertWritable();
    this.#write(() => writeMeta(this.#database, key, value));
  }

  /** Checks every committed event and command (see `verify-chain.ts`). */
  verifyChain(): ChainVerdict {
    return verifyChain(this.#database, this.path);
  }

  /** Checks every snapshot (see `verify-snapshots.ts`). */
  verifySnapshots(): SnapshotVerdict {
    return verifySnapshots(this.#database, this.path);
  }

  /** Commits what is buffered and closes the file, also when the commit fails. Once is enough. */
  close(): void {
    if (this.#closed) return;
    const failure = this.#failure === null ? this.#commitGroup() : null;
    this.#closed = true;
    this.#database.close();
    if (failure !== null) throw failure;
  }

  *#guardedRows<T>(rows: Iterator<T, void>): Generator<T, void, undefined> {
    for (let next = guarded(this.path, () => rows.next()); !next.done; ) {
      yield next.value;
      next = guarded(this.path, () => rows.next());
    }
  }

  #startWaiting(): void {
    if (this.#held) return;
    const nowMs = performance.now();
    if (this.#timer === undefined) this.#groupSinceMs = nowMs;
    const leftMs = this.#pace.dueMs(this.#groupSinceMs) - nowMs;
    if (leftMs <= 0 || sizeOf(this.#group) >= GROUP_ROWS_MAX) {
      this.flush();
    } else {
      // A failure is kept and thrown by the next write; whoever awaits `durable` is told at once.
      this.#timer ??= setTimeout(() => this.#commitGroup(), leftMs);
    }
  }

  #commitGroup(): JournalFailure | null {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const group = this.#group;
    if (sizeOf(group) === 0) return null;
    const acknowledgement = this.#acknowledgement;
    this.#group = emptyGroup();
    this.#acknowledgement = null;
    const beganMs = performance.now();
    try {
      this.#commits?.write(group, this.#head);
    } catch (error) {
      this.#failure = failureFrom(error, this.path);
      this.#head = this.#committedHead;
      acknowledgement?.reject(this.#failure);
      return this.#failure;
    }
    this.#committedHead = this.#head;
    this.#pace.note(beganMs, performance.now());
    acknowledgement?.resolve();
    if (group.rows.length > 0) this.#announcer.announce(group.rows);
    return null;
  }

  #write(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#failure = failureFrom(error, this.path);
      throw this.#failure;
    }
  }

  #assertWritable(): void {
    if (this.#failure !== null) throw this.#failure;
    if (this.#closed) throw new JournalFailure(`journal failed: ${this.path}: it is closed`);
    if (this.readOnly) {
      throw new JournalFailure(`journal failed: ${this.path}: it was opened for reading only`);
    }
  }
}
