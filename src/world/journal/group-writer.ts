import { closeSync, fdatasync, fdatasyncSync, openSync } from "node:fs";
import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import type { CommandRow, JournalHead, JournalRow, ModelCallRow } from "./chain.ts";
import { CommitPace } from "./commit-pace.ts";
import { storedHead } from "./event-query.ts";
import { hasWal, type WriteSettings } from "./open-database.ts";
import { HEAD_KEY, headText } from "./schema.ts";
import { diskFailure, failureFrom, inTransaction, JournalFailure } from "./sqlite.ts";

export type WriterSettings = WriteSettings & {
  /** How long a group waits for more events, in ms (see `CommitPace`). 0 means no wait. */
  readonly groupMs: number;
};

/** A group is full when it has this many events and model calls in total. */
const GROUP_ROWS_MAX = 1_024;

export type CommittedListener = (rows: readonly JournalRow[]) => void;

type Columns = readonly SQLInputValue[];

/** Rows that are committed together, and what waits for them. */
type Group = {
  readonly rows: JournalRow[];
  readonly events: Columns[];
  readonly modelCalls: Columns[];
  /** The last event that is stored once this group is. */
  head: JournalHead;
  acknowledgement: PromiseWithResolvers<void> | null;
  /** Whether to commit the next group as soon as this group is on disk. */
  isNextDue: boolean;
};

const emptyGroup = (head: JournalHead): Group => ({
  rows: [],
  events: [],
  modelCalls: [],
  head,
  acknowledgement: null,
  isNextDue: false,
});

const rowCountOf = ({ events, modelCalls }: Group): number => events.length + modelCalls.length;

/**
 * Collects rows into groups and commits the groups, in the background if possible, so that the
 * process does not wait for the disk. `flush` commits synchronously. Once a group is on disk, its
 * `durable` promises resolve and the listeners get its rows, group by group. After a failed commit,
 * nothing more is written, and every method that writes throws the same failure.
 *
 * With `sync: full`, a commit writes into the WAL and then syncs the WAL itself, because a thread of
 * Node can wait for that. SQLite only syncs what must be on disk before its next step: the WAL before
 * it is merged into the main file, and the header of a WAL that starts again
 * (https://sqlite.org/pragma.html#pragma_synchronous, `NORMAL`).
 */
export class GroupWriter {
  readonly #database: DatabaseSync;
  readonly #path: string;
  /** Whether a commit must sync the WAL, and whether it may do so in the background. */
  readonly #syncs: boolean;
  readonly #syncsLater: boolean;
  readonly #insertEvents: RowInsert;
  readonly #insertModelCalls: RowInsert;
  readonly #updateHead: StatementSync;
  readonly #pace: CommitPace;
  readonly #listeners = new Set<CommittedListener>();
  readonly #unannounced: (readonly JournalRow[])[] = [];
  #isAnnouncing = false;
  #group: Group;
  #groupSinceMs = 0;
  #held = false;
  #timer: NodeJS.Timeout | undefined;
  /** The group that is committed but not yet known to be on disk. */
  #inFlight: Group | null = null;
  #head: JournalHead;
  #safeHead: JournalHead;
  /** The descriptor of the WAL, once it was needed. */
  #wal: number | null = null;
  #failure: JournalFailure | null = null;
  #closed = false;

  constructor(database: DatabaseSync, path: string, { groupMs, sync }: WriterSettings) {
    this.#database = database;
    this.#path = path;
    this.#syncs = sync === "full" && hasWal(database);
    this.#syncsLater = this.#syncs && groupMs > 0;
    this.#insertEvents = rowInsert(database, "events", 9);
    this.#insertModelCalls = rowInsert(database, "model_calls", 3);
    this.#updateHead = database.prepare(`UPDATE meta SET value = ? WHERE key = '${HEAD_KEY}'`);
    this.#pace = new CommitPace(groupMs);
    this.#head = storedHead(database);
    this.#safeHead = this.#head;
    this.#group = emptyGroup(this.#head);
  }

  get head(): JournalHead {
    return this.#head;
  }

  get failure(): JournalFailure | null {
    return this.#failure;
  }

  add(rows: readonly JournalRow[], { lastSeq, timedOut, command }: CommandRow): void {
    for (const [at, row] of rows.entries()) {
      const { seq, atMs, kind, principal, body, hash } = row;
      const cause = at === 0 ? [lastSeq, Number(timedOut), command] : [null, null, null];
      this.#group.events.push([seq, atMs, kind, principal, body, hash, ...cause]);
      this.#group.rows.push(row);
      this.#head = { seq, hash };
    }
    this.#group.head = this.#head;
    this.#gather();
  }

  addModelCall({ id, seq, body }: ModelCallRow): void {
    this.#group.modelCalls.push([id, seq, body]);
    this.#gather();
  }

  inOneCommit<T>(work: () => T): T {
    this.#held = true;
    const done = work();
    this.#held = false;
    this.flush();
    return done;
  }

  /** Commits all rows, waits for the disk, resolves `durable`, then calls the listeners. */
  flush(): void {
    this.assertWritable();
    orThrow(this.#commitNow());
  }

  durable(): Promise<void> {
    if (this.#failure !== null) return Promise.reject(this.#failure);
    const awaited = rowCountOf(this.#group) > 0 ? this.#group : this.#inFlight;
    if (awaited === null) return Promise.resolve();
    if (awaited.acknowledgement === null) {
      awaited.acknowledgement = Promise.withResolvers<void>();
      if (awaited === this.#group) this.#hasten();
    }
    return awaited.acknowledgement.promise;
  }

  onCommitted(listener: CommittedListener): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  /** Commits the rows at once, then `write` in the background. `durable` then waits for `write`. */
  commitAlone(write: () => void): void {
    this.flush();
    const alone = emptyGroup(this.#head);
    // A listener may have sent another group.
    const isNow = !this.#syncsLater || this.#inFlight !== null;
    orThrow(isNow ? this.#attempt([alone], () => this.#syncNow(write)) : this.#send(alone, write));
  }

  /** Commits the remaining rows. Returns the failure, if any. Every later write throws. */
  close(): JournalFailure | null {
    if (this.#closed) return null;
    const failure = this.#failure === null ? this.#commitNow() : null;
    this.#closed = true;
    try {
      // So the main file is complete. SQLite does this by itself only if no other connection is
      // open, such as that of a dashboard.
      this.#database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    } catch {
      // The WAL has all commits, and the next one who opens the file reads them.
    }
    if (this.#wal !== null) closeSync(this.#wal);
    return failure;
  }

  assertWritable(): void {
    if (this.#failure !== null) throw this.#failure;
    if (this.#closed) throw new JournalFailure(`journal failed: ${this.#path}: it is closed`);
  }

  #gather(): void {
    if (this.#held) return;
    const nowMs = performance.now();
    if (this.#timer === undefined) this.#groupSinceMs = nowMs;
    const leftMs = this.#pace.dueMs(this.#groupSinceMs) - nowMs;
    // Waits for the earlier group first, so that memory holds at most two groups.
    if (rowCountOf(this.#group) >= GROUP_ROWS_MAX) {
      orThrow(this.#settle() ?? this.#commitInBackground());
    } else if (leftMs <= 0) orThrow(this.#commitInBackground());
    // If this commit fails, `durable` rejects at once, and the next write throws the failure.
    else this.#timer ??= setTimeout(() => this.#commitInBackground(), leftMs);
  }

  /** Schedules the group's commit earlier, because a caller awaits the commit. */
  #hasten(): void {
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    const leftMs = this.#pace.dueMs(this.#groupSinceMs, true) - performance.now();
    this.#timer = setTimeout(() => this.#commitInBackground(), Math.max(0, leftMs));
  }

  /** Commits the current group in the background. New rows then go into the next group. */
  #commitInBackground(): JournalFailure | null {
    if (this.#inFlight !== null) {
      this.#inFlight.isNextDue = true;
      return null;
    }
    if (!this.#syncsLater) return this.#commitNow();
    const group = this.#takeGroup();
    return group === null ? null : this.#send(group, () => this.#write(group));
  }

  #send(group: Group, write: () => void): JournalFailure | null {
    return this.#attempt([group], () => {
      write();
      fdatasync(this.#walFile(), (error) => this.#arrive(group, error));
      this.#inFlight = group;
    });
  }

  /** Ends a background commit, unless a synchronous commit has already settled the group. */
  #arrive(group: Group, error: Error | null): void {
    if (this.#inFlight !== group) return;
    this.#inFlight = null;
    if (error !== null) this.#fail(diskFailure(this.#path, error), [group]);
    else {
      this.#acknowledge([group]);
      if (group.isNextDue && this.#failure === null && !this.#closed) this.#commitInBackground();
    }
  }

  /** Commits the current group and brings everything to disk. */
  #commitNow(): JournalFailure | null {
    const group = this.#takeGroup();
    if (group === null) return this.#settle();
    const all = this.#inFlight === null ? [group] : [this.#inFlight, group];
    this.#inFlight = null;
    const failure = this.#attempt(all, () => this.#syncNow(() => this.#write(group)));
    if (failure === null) this.#acknowledge(all);
    return failure;
  }

  /** Waits for the group in flight. */
  #settle(): JournalFailure | null {
    const group = this.#inFlight;
    if (group === null) return null;
    this.#inFlight = null;
    const failure = this.#attempt([group], () => this.#syncNow(() => {}));
    if (failure === null) this.#acknowledge([group]);
    return failure;
  }

  #syncNow(write: () => void): void {
    write();
    if (this.#syncs) fdatasyncSync(this.#walFile());
  }

  #walFile(): number {
    this.#wal ??= openSync(`${this.#path}-wal`, "r+");
    return this.#wal;
  }

  #takeGroup(): Group | null {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const group = this.#group;
    if (rowCountOf(group) === 0) return null;
    this.#group = emptyGroup(this.#head);
    return group;
  }

  /** COMMIT POINT. Writes the whole group, or writes nothing and throws the error of SQLite. */
  #write({ events, modelCalls, head }: Group): void {
    const beganMs = performance.now();
    inTransaction(this.#database, () => {
      this.#insertEvents(events);
      this.#insertModelCalls(modelCalls);
      this.#updateHead.run(headText(head.seq, head.hash));
    });
    this.#pace.note(beganMs, performance.now());
  }

  /** Runs `commit`. If it throws, all `groups` fail, even those that were written earlier. */
  #attempt(groups: readonly Group[], commit: () => void): JournalFailure | null {
    try {
      commit();
      return null;
    } catch (error) {
      const isOfDisk = error instanceof Error && "syscall" in error;
      const failure = isOfDisk ? diskFailure(this.#path, error) : failureFrom(error, this.#path);
      return this.#fail(failure, groups);
    }
  }

  /** Resolves `durable`, then calls each listener once per group. A listener may cause commits. */
  #acknowledge(groups: readonly Group[]): void {
    this.#safeHead = groups.at(-1)?.head ?? this.#safeHead;
    for (const { acknowledgement, rows } of groups) {
      acknowledgement?.resolve();
      if (rows.length > 0) this.#unannounced.push(rows);
    }
    if (this.#isAnnouncing) return;
    this.#isAnnouncing = true;
    try {
      for (let rows = this.#unannounced.shift(); rows; rows = this.#unannounced.shift()) {
        for (const listener of this.#listeners) listener(rows);
      }
    } finally {
      this.#isAnnouncing = false;
    }
  }

  /** Stops all writing. Rejects `durable` for the given groups and for all newer rows. */
  #fail(failure: JournalFailure, groups: readonly Group[]): JournalFailure {
    this.#failure = failure;
    const waiting = [...groups, this.#inFlight, this.#takeGroup()];
    this.#inFlight = null;
    this.#head = this.#safeHead;
    for (const each of waiting) each?.acknowledgement?.reject(failure);
    return failure;
  }
}

const orThrow = (failure: JournalFailure | null): void => {
  if (failure !== null) throw failure;
};

/** Rows per INSERT. Inserting 16 rows at once takes two thirds of the time of 16 single inserts. */
const ROWS_AT_ONCE = 16;

type RowInsert = (rows: readonly Columns[]) => void;

/** Prepares to insert rows of so many columns. The caller must have started a transaction. */
const rowInsert = (database: DatabaseSync, table: string, columns: number): RowInsert => {
  const row = `(${Array(columns).fill("?").join()})`;
  const one = database.prepare(`INSERT INTO ${table} VALUES ${row}`);
  const several = database.prepare(
    `INSERT INTO ${table} VALUES ${Array(ROWS_AT_ONCE).fill(row).join()}`,
  );
  return (rows) => {
    let at = 0;
    for (; at + ROWS_AT_ONCE <= rows.length; at += ROWS_AT_ONCE) {
      several.run(...rows.slice(at, at + ROWS_AT_ONCE).flat());
    }
    for (const each of rows.slice(at)) one.run(...each);
  };
};
