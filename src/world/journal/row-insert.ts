import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";

/** A statement of several rows takes two thirds of the time that as many statements take. */
const ROWS_AT_ONCE = 16;

/** Puts rows into one table, several with each statement, within a transaction of the caller's. */
export class RowInsert {
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

  /** Throws what SQLite throws. */
  add(...row: readonly SQLInputValue[]): void {
    this.#values.push(...row);
    if (this.#values.length < this.#columns * ROWS_AT_ONCE) return;
    this.#several.run(...this.#values);
    this.#values.length = 0;
  }

  /** Writes those that wait for company. */
  end(): void {
    for (let at = 0; at < this.#values.length; at += this.#columns) {
      this.#one.run(...this.#values.slice(at, at + this.#columns));
    }
    this.#values.length = 0;
  }

  /** Drops what waits, after a fault. */
  forget(): void {
    this.#values.length = 0;
  }
}
