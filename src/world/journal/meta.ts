import type { DatabaseSync } from "node:sqlite";
import { textOf } from "./columns.ts";

/** The text kept under a key, or null. */
export function readMeta(database: DatabaseSync, key: string): string | null {
  const row = database.prepare("SELECT key, value FROM meta WHERE key = ?").get(key);
  return row === undefined ? null : textOf(row, "value");
}

export function writeMeta(database: DatabaseSync, key: string, value: string): void {
  const upsert = "INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = ?2";
  database.prepare(upsert).run(key, value);
}
