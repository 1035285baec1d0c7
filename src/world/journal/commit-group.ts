import assert from "node:assert/strict";
import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import type { CommandRow, JournalHead, JournalRow, ModelCallRow } from "./chain.ts";
import { HEAD_KEY, headText } from "./schema.ts";
import { inTransaction } from "./sqlite.ts";

export type Group = {
  readonly rows: JournalRow[];
  /** The commands, in the order of their events. */
  readonly commands: CommandRow[];
  readonly modelCalls: ModelCallRow[];
};

export const emptyGroup = (): Group => ({ rows: [], commands: [], modelCalls: [] });

export const rowCountOf = ({ rows, modelCalls }: Group): number => rows.length + modelCalls.length;

/** The approximate number of bytes that a group takes in the WAL. */
export const logBytesOf = ({ rows, commands, modelCalls }: Group): number => {
  let bytes = 0;
  for (const { body } of rows) bytes += body.length + ROW_BYTES;
  for (const { command } of commands) bytes += command.length;
  for (const { body } of modelCalls) bytes += body.length + ROW_BYTES;
  return bytes;
};

/** The bytes of a row without its text: hash, number, kind, and a share of pages and indexes. */
const ROW_BYTES = 200;

/** Rows per INSERT. Inserting 16 rows at once takes two thirds of the time of 16 single inserts. */
const ROWS_AT_ONCE = 16;

/** Inserts rows. The caller must have started a transaction. */
class RowInsert {
  readonly #one: StatementSync;
  readonly #several: StatementSync;
  readonly #columns: number;
  #values: SQLInputValue[] = [];

  constructor(database: DatabaseSync, table: string, columns: number) {
    const row = `(${Array(columns).fill("?").join()})`;
    const rows = Array(ROWS_AT_ONCE).fill(row).join();
    this.#one = database.prepare(`INSERT INTO ${table} VALUES ${row}`);
    this.#several = database.prepare(`INSERT INTO ${table} VALUES ${rows}`);
    this.#columns = columns;
  }

  add(...row: readonly SQLInputValue[]): void {
    this.#values.push(...row);
    if (this.#values.length < this.#columns * ROWS_AT_ONCE) return;
    this.#several.run(...this.#values);
    this.#values.length = 0;
  }

  /** Writes the remaining rows. */
  end(): void {
    for (let at = 0; at < this.#values.length; at += this.#columns) {
      this.#one.run(...this.#values.slice(at, at + this.#columns));
    }
    this.#values.length = 0;
  }

  /** Discards the rows that are not written yet. Call this after a failure. */
  forget(): void {
    this.#values.length = 0;
  }
}

export class GroupCommit {
  readonly #database: DatabaseSync;
  readonly #events: RowInsert;
  readonly #modelCalls: RowInsert;
  readonly #head: StatementSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#events = new RowInsert(database, "events", 9);
    this.#modelCalls = new RowInsert(database, "model_calls", 3);
    this.#head = database.prepare(`UPDATE meta SET value = ? WHERE key = '${HEAD_KEY}'`);
  }

  /** COMMIT POINT. Writes the whole group, or writes nothing and rethrows the error of SQLite. */
  write(group: Group, head: JournalHead): void {
    try {
      inTransaction(this.#database, () => {
        this.#writeEvents(group);
        for (const { id, seq, body } of group.modelCalls) this.#modelCalls.add(id, seq, body);
        this.#modelCalls.end();
        this.#head.run(headText(head.seq, head.hash));
      });
    } finally {
      this.#events.forget();
      this.#modelCalls.forget();
    }
  }

  #writeEvents({ rows, commands }: Group): void {
    let opened = 0;
    for (const { seq, atMs, kind, principal, body, hash } of rows) {
      const cause = commands[opened]?.firstSeq === seq ? commands[opened] : undefined;
      const timedOut = cause === undefined ? null : Number(cause.timedOut);
      const { lastSeq = null, command = null } = cause ?? {};
      this.#events.add(seq, atMs, kind, principal, body, hash, lastSeq, timedOut, command);
      if (cause !== undefined) opened += 1;
    }
    assert(opened === commands.length, "a command must come with its events");
    this.#events.end();
  }
}

/** The pause after a commit is at least this many times the duration of the commit. */
const PAUSE_PER_COMMIT = 9;
/** A group waits at most `WAIT_MAX * groupMs`, even if the pause after a commit lasts longer. */
const WAIT_MAX = 10;
/** The maximum of `groupMs` in ms if a caller awaits the group. */
const AWAITED_MS_MAX = 2;

/** Decides when the next group is due, so that commits take at most a tenth of the time. */
export class CommitPace {
  readonly #groupMs: number;
  #lastEndedMs = Number.NEGATIVE_INFINITY;
  #lastTookMs = 0;

  constructor(groupMs: number) {
    this.#groupMs = groupMs;
  }

  note(beganMs: number, endedMs: number): void {
    this.#lastEndedMs = endedMs;
    this.#lastTookMs = endedMs - beganMs;
  }

  /** `sinceMs` is when the group got its first row. `isAwaited`: a caller awaits the group. */
  dueMs(sinceMs: number, isAwaited = false): number {
    const groupMs = isAwaited ? Math.min(this.#groupMs, AWAITED_MS_MAX) : this.#groupMs;
    const pausedMs = this.#lastEndedMs + PAUSE_PER_COMMIT * this.#lastTookMs;
    const soonestMs = sinceMs + groupMs;
    return Math.min(Math.max(soonestMs, pausedMs), sinceMs + WAIT_MAX * groupMs);
  }
}
