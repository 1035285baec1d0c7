import assert from "node:assert/strict";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { headText } from "./head.ts";
import { RowInsert } from "./row-insert.ts";
import type { CommandRow, JournalHead, JournalRow, ModelCallRow } from "./rows.ts";
import { HEAD_KEY } from "./schema.ts";

/** What goes to disk together. */
export type Group = {
  readonly rows: JournalRow[];
  /** In the order of their events. */
  readonly commands: CommandRow[];
  readonly modelCalls: ModelCallRow[];
};

export const emptyGroup = (): Group => ({ rows: [], commands: [], modelCalls: [] });

/** How many rows it will write. */
export const sizeOf = ({ rows, modelCalls }: Group): number => rows.length + modelCalls.length;

/** About how much of the log it will take. */
export const logBytesOf = ({ rows, commands, modelCalls }: Group): number => {
  let bytes = 0;
  for (const { body } of rows) bytes += body.length + ROW_BYTES;
  for (const { command } of commands) bytes += command.length;
  for (const { body } of modelCalls) bytes += body.length + ROW_BYTES;
  return bytes;
};

/** What a row takes besides its text: hash, number, kind, and its share of pages and indexes. */
const ROW_BYTES = 200;

/** Writes groups with statements that are prepared once: small groups cost what SQLite costs. */
export class GroupCommit {
  readonly #database: DatabaseSync;
  readonly #begin: StatementSync;
  readonly #events: RowInsert;
  readonly #modelCalls: RowInsert;
  readonly #head: StatementSync;
  readonly #commit: StatementSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#begin = database.prepare("BEGIN IMMEDIATE");
    this.#events = new RowInsert(database, "events", 9);
    this.#modelCalls = new RowInsert(database, "model_calls", 3);
    this.#head = database.prepare(`UPDATE meta SET value = ? WHERE key = '${HEAD_KEY}'`);
    this.#commit = database.prepare("COMMIT");
  }

  /**
   * COMMIT POINT. Throws what SQLite throws, and then nothing of the group is on disk. It does as
   * `inTransaction`, but with statements that are there already.
   */
  write(group: Group, head: JournalHead): void {
    try {
      this.#begin.run();
      this.#writeEvents(group);
      for (const { id, seq, body } of group.modelCalls) this.#modelCalls.add(id, seq, body);
      this.#modelCalls.end();
      this.#head.run(headText(head.seq, head.hash));
      this.#commit.run();
    } finally {
      this.#events.forget();
      this.#modelCalls.forget();
      // Some errors (a full disk) have made SQLite roll back by itself already.
      if (this.#database.isTransaction) this.#database.exec("ROLLBACK");
    }
  }

  #writeEvents({ rows, commands }: Group): void {
    let opened = 0;
    for (const { seq, atMs, kind, principal, body, hash } of rows) {
      const cause = commands[opened];
      if (cause?.firstSeq === seq) {
        const { lastSeq, fused, command } = cause;
        this.#events.add(seq, atMs, kind, principal, body, hash, lastSeq, fused ? 1 : 0, command);
        opened += 1;
      } else this.#events.add(seq, atMs, kind, principal, body, hash, null, null, null);
    }
    assert(opened === commands.length, "a command comes with its events");
    this.#events.end();
  }
}
