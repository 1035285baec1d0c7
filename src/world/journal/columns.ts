import type { SQLOutputValue } from "node:sqlite";
import { JournalFailure } from "./journal-failure.ts";

/** What `node:sqlite` returns for one row. */
export type Columns = Record<string, SQLOutputValue>;

function misfit(row: Columns, column: string, wanted: string): JournalFailure {
  const at = row.seq ?? row.id ?? row.key ?? "?";
  return new JournalFailure(`journal failed: row ${at}: column ${column} is not ${wanted}`);
}

export function textOf(row: Columns, column: string): string {
  const value = row[column];
  if (typeof value !== "string") throw misfit(row, column, "text");
  return value;
}

export function integerOf(row: Columns, column: string): number {
  const value = row[column];
  if (!Number.isSafeInteger(value) || typeof value !== "number") {
    throw misfit(row, column, "a whole number");
  }
  return value;
}

export function textOrNullOf(row: Columns, column: string): string | null {
  return row[column] === null ? null : textOf(row, column);
}

export function bytesOf(row: Columns, column: string): Uint8Array {
  const value = row[column];
  if (!(value instanceof Uint8Array)) throw misfit(row, column, "bytes");
  return value;
}
