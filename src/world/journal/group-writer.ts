import type { DatabaseSync } from "node:sqlite";
import { Announcer, type CommittedListener } from "./announcer.ts";
import { emptyGroup, type Group, GroupCommit, logBytesOf, sizeOf } from "./commit-group.ts";
import { CommitPace } from "./commit-pace.ts";
import { DiskWait } from "./disk-wait.ts";
import { storedHead } from "./head.ts";
import { JournalFailure } from "./journal-failure.ts";
import type { WriteSettings } from "./open-database.ts";
import type { CommandRow, JournalHead, JournalRow, ModelCallRow } from "./rows.ts";
import { diskFailure, failureFrom } from "./sqlite-trouble.ts";

export type WriterSettings = WriteSettings & {
  /**
   * How long an append waits for company; longer, within a bound, where commits would otherwise
   * take most of the time. 0: each append is a commit of its own.
   */
  readonly groupMs: number;
};

/** A group is committed when it has this many events and model calls, whatever its age. */
const GROUP_ROWS_MAX = 1_024;

/** A group on its way to the disk; an empty one where it is other work that goes there. */
type Shipment = {
  readonly group: Group;
  /** The last event of it, or of those before it. */
  readonly head: JournalHead;
  acknowledgement: PromiseWithResolvers<void> | null;
  /** Whether the next group waits only for this one. */
  isNextDue: boolean;
};

const shipmentOf = (
  group: Group,
  head: JournalHead,
  acknowledgement: Shipment["acknowledgement"],
): Shipment => ({ group, head, acknowledgement, isNextDue: false });

/**
 * Gathers rows into groups and commits them: beside the work of the process where rows come slowly,
 * so that nobody stands still while the disk works; and waiting for the disk where a group is full,
 * or somebody flushes. A group is acknowledged and shown when it is on disk, in order. After one
 * failure nothing is written any more, and every method that writes throws that failure.
 */
export class GroupWriter {
  readonly #path: string;
  readonly #commits: GroupCommit;
  /** Null where each commit is left to SQLite's own settings. */
  readonly #disk: DiskWait | null;
  readonly #pace: CommitPace;
  readonly #announcer = new Announcer();
  #group: Group = emptyGroup();
  #groupSinceMs = 0;
  #held = false;
  #timer: NodeJS.Timeout | undefined;
  #acknowledgement: PromiseWithResolvers<void> | null = null;
  /** What is committed, and not yet known to be on disk. */
  #underWay: Shipment | null = null;
  #head: JournalHead;
  #safeHead: JournalHead;
  #failure: JournalFailure | null = null;
  #closed = false;

  constructor(database: DatabaseSync, path: string, { groupMs, sync }: WriterSettings) {
    this.#path = path;
    this.#commits = new GroupCommit(database);
    this.#disk = sync === "full" && groupMs > 0 ? new DiskWait(database, path) : null;
    this.#pace = new CommitPace(groupMs);
    this.#head = storedHead(database);
    this.#safeHead = this.#head;
  }

  /** The last event given, on disk or not. */
  get head(): JournalHead {
    return this.#head;
  }

  get failure(): JournalFailure | null {
    return this.#failure;
  }

  /** Takes the rows of one transaction; they are committed together. */
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

  /** What `work` adds is committed together when it has ended; a crash leaves all or none. */
  inOneCommit<T>(work: () => T): T {
    this.#held = true;
    const done = work();
    this.#held = false;
    this.flush();
    return done;
  }

  /** COMMIT POINT. All that was given is on disk, acknowledged and shown when this returns. */
  flush(): void {
    this.assertWritable();
    const failure = this.#commitWaiting();
    if (failure !== null) throw failure;
  }

  /** Resolves when all that was given up to now is on disk. */
  durable(): Promise<void> {
    if (this.#failure !== null) return Promise.reject(this.#failure);
    if (sizeOf(this.#group) > 0) {
      if (this.#acknowledgement === null) {
        this.#acknowledgement = Promise.withResolvers<void>();
        this.#hasten();
      }
      return this.#acknowledgement.promise;
    }
    if (this.#underWay === null) return Promise.resolve();
    this.#underWay.acknowledgement ??= Promise.withResolvers<void>();
    return this.#underWay.acknowledgement.promise;
  }

  onCommitted(listener: CommittedListener): () => void {
    return this.#announcer.add(listener);
  }

  /** Runs other work on the database, of about so many bytes; it is on disk when this returns. */
  write(bytes: number, work: () => void): void {
    this.assertWritable();
    try {
      this.#waitedFor(work);
      this.#disk?.note(bytes);
    } catch (error) {
      this.#failure = failureFrom(error, this.#path);
      throw this.#failure;
    }
  }

  /**
   * Runs other work on the database that nobody waits for here: like a group it is on disk when
   * `durable` says so.
   */
  ship(bytes: number, work: () => void): void {
    this.flush();
    const disk = this.#disk;
    if (disk === null || !disk.mayGoBeside || this.#underWay !== null) {
      this.write(bytes, work);
      return;
    }
    const shipment = shipmentOf(emptyGroup(), this.#head, null);
    try {
      disk.beside(work, (error) => {
        // Not before: the commit that folds the log waits for all of it.
        disk.note(bytes);
        this.#arrive(shipment, error);
      });
      this.#underWay = shipment;
    } catch (error) {
      throw this.#fail(failureFrom(error, this.#path), []);
    }
  }

  /** Commits what is left. Returns the failure to do so; nothing can be written after it. */
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
    const isFull = sizeOf(this.#group) >= GROUP_ROWS_MAX;
    if (isFull || leftMs <= 0) {
      const failure = isFull ? this.#commitFull() : this.#commitBeside();
      if (failure !== null) throw failure;
    } else {
      // A failure is kept and thrown by the next write; whoever awaits `durable` is told at once.
      this.#timer ??= setTimeout(() => this.#commitBeside(), leftMs);
    }
  }

  /** Somebody waits for the group. */
  #hasten(): void {
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    const leftMs = this.#pace.dueMs(this.#groupSinceMs, true) - performance.now();
    this.#timer = setTimeout(() => this.#commitBeside(), Math.max(0, leftMs));
  }

  /** Commits the group and goes on; while one is under way to the disk the next one gathers. */
  #commitBeside(): JournalFailure | null {
    const disk = this.#disk;
    if (disk === null || !disk.mayGoBeside) return this.#commitWaiting();
    if (this.#underWay !== null) {
      this.#underWay.isNextDue = true;
      return null;
    }
    const shipment = this.#takeGroup();
    if (shipment === null) return null;
    this.#underWay = shipment;
    return this.#commit([shipment], (commit) => {
      disk.beside(commit, (error) => this.#arrive(shipment, error));
    });
  }

  /**
   * Commits a full group. Where one is under way to the disk it waits for that, which a busy
   * program may not have been told of, so that no more than two are ever held.
   */
  #commitFull(): JournalFailure | null {
    const earlier = this.#underWay;
    if (earlier !== null) {
      this.#underWay = null;
      const failure = this.#settle([earlier]);
      if (failure !== null) return failure;
      this.#acknowledge([earlier]);
    }
    return this.#commitBeside();
  }

  /** Unless somebody has waited for it meanwhile. */
  #arrive(shipment: Shipment, error: NodeJS.ErrnoException | null): void {
    if (this.#underWay !== shipment) return;
    this.#underWay = null;
    if (error !== null) this.#fail(diskFailure(this.#path, error), [shipment, this.#takeGroup()]);
    else {
      this.#acknowledge([shipment]);
      if (shipment.isNextDue && this.#failure === null && !this.#closed) this.#commitBeside();
    }
  }

  /** Commits the group; when this returns it and all before it is on disk. */
  #commitWaiting(): JournalFailure | null {
    const earlier = this.#underWay;
    this.#underWay = null;
    const shipment = this.#takeGroup();
    const all = [earlier, shipment].filter((each) => each !== null);
    const failure =
      shipment === null
        ? this.#settle(all)
        : this.#commit(all, (commit) => this.#waitedFor(commit));
    if (failure === null) this.#acknowledge(all);
    return failure;
  }

  #settle(shipments: readonly Shipment[]): JournalFailure | null {
    if (shipments.length === 0) return null;
    try {
      this.#disk?.settle();
      return null;
    } catch (error) {
      return this.#fail(diskFailure(this.#path, error), shipments);
    }
  }

  #takeGroup(): Shipment | null {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (sizeOf(this.#group) === 0) return null;
    const shipment = shipmentOf(this.#group, this.#head, this.#acknowledgement);
    this.#group = emptyGroup();
    this.#acknowledgement = null;
    return shipment;
  }

  /** Writes the last of the shipments; those before it are written, and fail with it. */
  #commit(
    shipments: readonly Shipment[],
    run: (commit: () => void) => void,
  ): JournalFailure | null {
    const last = shipments.at(-1);
    if (last === undefined) return null;
    const beganMs = performance.now();
    try {
      run(() => this.#commits.write(last.group, last.head));
    } catch (error) {
      return this.#fail(failureFrom(error, this.#path), shipments);
    }
    this.#pace.note(beganMs, performance.now());
    this.#disk?.note(logBytesOf(last.group));
    return null;
  }

  #waitedFor(work: () => void): void {
    if (this.#disk === null) work();
    else this.#disk.waitedFor(work);
  }

  #acknowledge(shipments: readonly Shipment[]): void {
    this.#safeHead = shipments.at(-1)?.head ?? this.#safeHead;
    for (const { acknowledgement } of shipments) acknowledgement?.resolve();
    this.#announcer.announce(shipments.map(({ group }) => group.rows));
  }

  #fail(failure: JournalFailure, waiting: readonly (Shipment | null)[]): JournalFailure {
    this.#failure = failure;
    this.#underWay = null;
    this.#head = this.#safeHead;
    for (const each of waiting) each?.acknowledgement?.reject(failure);
    return failure;
  }
}
