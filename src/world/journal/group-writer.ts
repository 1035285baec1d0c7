import type { DatabaseSync } from "node:sqlite";
import type { CommandRow, JournalHead, JournalRow, ModelCallRow } from "./chain.ts";
import {
  CommitPace,
  emptyGroup,
  type Group,
  GroupCommit,
  logBytesOf,
  rowCountOf,
} from "./commit-group.ts";
import { storedHead } from "./event-query.ts";
import type { WriteSettings } from "./open-database.ts";
import { diskFailure, failureFrom, JournalFailure } from "./sqlite.ts";
import { type Commit, WalSync } from "./wal-sync.ts";

export type WriterSettings = WriteSettings & {
  /** How long a group waits for more events, in ms (see `CommitPace`). 0 means no wait. */
  readonly groupMs: number;
};

/** A group is full when it has this many events and model calls in total. */
const GROUP_ROWS_MAX = 1_024;

export type CommittedListener = (rows: readonly JournalRow[]) => void;

/** Calls each listener once per group, in order, even if a listener causes another commit. */
class Announcer {
  readonly #listeners = new Set<CommittedListener>();
  readonly #waiting: (readonly JournalRow[])[] = [];
  #busy = false;

  add(listener: CommittedListener): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  announce(groups: readonly (readonly JournalRow[])[]): void {
    this.#waiting.push(...groups.filter((rows) => rows.length > 0));
    if (this.#busy) return;
    this.#busy = true;
    try {
      for (let group = this.#waiting.shift(); group; group = this.#waiting.shift()) {
        for (const listener of this.#listeners) listener(group);
      }
    } finally {
      this.#busy = false;
    }
  }
}

type Shipment = Commit & {
  readonly rows: readonly JournalRow[];
  readonly head: JournalHead;
  acknowledgement: PromiseWithResolvers<void> | null;
  /** Whether to commit the next group as soon as this shipment is on disk. */
  isNextDue: boolean;
};

/**
 * Collects rows into groups and commits the groups, in the background if possible, so that the
 * process does not wait for the disk. `flush` commits synchronously. Once a group is on disk, its
 * `durable` promises resolve and the listeners get its rows, group by group. After a failed commit,
 * nothing more is written, and every method that writes throws the same failure.
 */
export class GroupWriter {
  readonly #path: string;
  readonly #commits: GroupCommit;
  /** Brings each commit to disk. Null if SQLite alone decides when to write to disk. */
  readonly #disk: WalSync | null;
  readonly #pace: CommitPace;
  readonly #announcer = new Announcer();
  #group: Group = emptyGroup();
  #groupSinceMs = 0;
  #held = false;
  #timer: NodeJS.Timeout | undefined;
  #acknowledgement: PromiseWithResolvers<void> | null = null;
  /** The group that is committed but not yet known to be on disk. */
  #inFlight: Shipment | null = null;
  #head: JournalHead;
  #safeHead: JournalHead;
  #failure: JournalFailure | null = null;
  #closed = false;

  constructor(database: DatabaseSync, path: string, { groupMs, sync }: WriterSettings) {
    this.#path = path;
    this.#commits = new GroupCommit(database);
    this.#disk = sync === "full" && groupMs > 0 ? new WalSync(database, path) : null;
    this.#pace = new CommitPace(groupMs);
    this.#head = storedHead(database);
    this.#safeHead = this.#head;
  }

  get head(): JournalHead {
    return this.#head;
  }

  get failure(): JournalFailure | null {
    return this.#failure;
  }

  add(rows: readonly JournalRow[], command: CommandRow, head: JournalHead): void {
    this.#group.rows.push(...rows);
    this.#group.commands.push(command);
    this.#head = head;
    this.#gather();
  }

  addModelCall(call: ModelCallRow): void {
    this.#group.modelCalls.push(call);
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
    orThrow(this.#commitWaiting());
  }

  durable(): Promise<void> {
    if (this.#failure !== null) return Promise.reject(this.#failure);
    if (rowCountOf(this.#group) > 0) {
      if (this.#acknowledgement === null) {
        this.#acknowledgement = Promise.withResolvers<void>();
        this.#hasten();
      }
      return this.#acknowledgement.promise;
    }
    if (this.#inFlight === null) return Promise.resolve();
    this.#inFlight.acknowledgement ??= Promise.withResolvers<void>();
    return this.#inFlight.acknowledgement.promise;
  }

  onCommitted(listener: CommittedListener): () => void {
    return this.#announcer.add(listener);
  }

  /** Commits the rows at once, then `work` in the background. `durable` then waits for `work`. */
  ship(work: Commit): void {
    this.flush();
    const disk = this.#disk;
    if (disk === null || !disk.canRunInBackground || this.#inFlight !== null) {
      orThrow(this.#try([], () => this.#synchronously(work)));
    } else orThrow(this.#send(disk, this.#shipment(work, [])));
  }

  /** Commits the remaining rows. Returns the failure, if any. Every later write throws. */
  close(): JournalFailure | null {
    const failure = this.#failure === null ? this.#commitWaiting() : null;
    this.#closed = true;
    this.#disk?.close();
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
    if (rowCountOf(this.#group) >= GROUP_ROWS_MAX) orThrow(this.#commitFull());
    else if (leftMs <= 0) orThrow(this.#commitInBackground());
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
    const disk = this.#disk;
    if (disk === null || !disk.canRunInBackground) return this.#commitWaiting();
    if (this.#inFlight !== null) {
      this.#inFlight.isNextDue = true;
      return null;
    }
    const shipment = this.#takeGroup();
    return shipment === null ? null : this.#send(disk, shipment);
  }

  #send(disk: WalSync, shipment: Shipment): JournalFailure | null {
    return this.#try([shipment], () => {
      disk.inBackground(shipment, (error) => this.#arrive(shipment, error));
      this.#inFlight = shipment;
    });
  }

  /** Waits for the earlier group, then commits the full one. Memory holds at most two groups. */
  #commitFull(): JournalFailure | null {
    const earlier = this.#inFlight;
    this.#inFlight = null;
    return this.#settle(earlier) ?? this.#commitInBackground();
  }

  /** Ends a background commit, unless a synchronous commit has already settled the shipment. */
  #arrive(shipment: Shipment, error: Error | null): void {
    if (this.#inFlight !== shipment) return;
    this.#inFlight = null;
    if (error !== null) this.#fail(diskFailure(this.#path, error), [shipment]);
    else {
      this.#acknowledge([shipment]);
      if (shipment.isNextDue && this.#failure === null && !this.#closed) this.#commitInBackground();
    }
  }

  #commitWaiting(): JournalFailure | null {
    const earlier = this.#inFlight;
    this.#inFlight = null;
    const shipment = this.#takeGroup();
    if (shipment === null) return this.#settle(earlier);
    const all = earlier === null ? [shipment] : [earlier, shipment];
    const failure = this.#try(all, () => this.#synchronously(shipment));
    if (failure === null) this.#acknowledge(all);
    return failure;
  }

  #settle(shipment: Shipment | null): JournalFailure | null {
    if (shipment === null) return null;
    try {
      this.#disk?.settle();
    } catch (error) {
      return this.#fail(diskFailure(this.#path, error), [shipment]);
    }
    this.#acknowledge([shipment]);
    return null;
  }

  #takeGroup(): Shipment | null {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const group = this.#group;
    if (rowCountOf(group) === 0) return null;
    this.#group = emptyGroup();
    const head = this.#head;
    const write = (): void => {
      const beganMs = performance.now();
      this.#commits.write(group, head);
      this.#pace.note(beganMs, performance.now());
    };
    const shipment = this.#shipment({ bytes: logBytesOf(group), write }, group.rows);
    shipment.acknowledgement = this.#acknowledgement;
    this.#acknowledgement = null;
    return shipment;
  }

  #shipment(work: Commit, rows: readonly JournalRow[]): Shipment {
    return { ...work, rows, head: this.#head, acknowledgement: null, isNextDue: false };
  }

  #synchronously(work: Commit): void {
    if (this.#disk === null) work.write();
    else this.#disk.synchronously(work);
  }

  /** Runs `commit`. If it throws, all `shipments` fail, even those that were written earlier. */
  #try(shipments: readonly Shipment[], commit: () => void): JournalFailure | null {
    try {
      commit();
      return null;
    } catch (error) {
      return this.#fail(failureFrom(error, this.#path), shipments);
    }
  }

  #acknowledge(shipments: readonly Shipment[]): void {
    this.#safeHead = shipments.at(-1)?.head ?? this.#safeHead;
    for (const { acknowledgement } of shipments) acknowledgement?.resolve();
    this.#announcer.announce(shipments.map(({ rows }) => rows));
  }

  /** Stops all writing. Rejects `durable` for the given shipments and for all newer rows. */
  #fail(failure: JournalFailure, shipments: readonly Shipment[]): JournalFailure {
    this.#failure = failure;
    const waiting = [...shipments, this.#inFlight, this.#takeGroup()];
    this.#inFlight = null;
    this.#head = this.#safeHead;
    for (const each of waiting) each?.acknowledgement?.reject(failure);
    return failure;
  }
}

const orThrow = (failure: JournalFailure | null): void => {
  if (failure !== null) throw failure;
};
