import type { DatabaseSync } from "node:sqlite";
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { sha256, snapshotHash } from "./chain.ts";
import { bytesOf, type Columns, integerOf, textOf } from "./columns.ts";
import { recordedHead } from "./head.ts";
import { writeMeta } from "./meta.ts";
import { SNAPSHOT_HEAD_KEY } from "./schema.ts";
import { inTransaction } from "./transaction.ts";

export type Snapshot = {
  /** The last event that the state includes; 0 for the state before any event. */
  readonly seq: number;
  readonly stateHash: string;
  /** Canonical JSON of the state. */
  readonly body: string;
};

/** A snapshot without its body. */
export type SnapshotMark = Pick<Snapshot, "seq" | "stateHash">;

/** Writes one snapshot and the new end of the snapshot chain, in one commit. */
export function insertSnapshot(database: DatabaseSync, snapshot: Snapshot, at: string): void {
  const head = recordedHead(database, SNAPSHOT_HEAD_KEY);
  const bodySha256 = sha256(snapshot.body);
  const { seq, stateHash } = snapshot;
  const hash = snapshotHash(head.hash, { seq, stateHash, bodySha256, eventHash: at });
  const body = zstdCompressSync(snapshot.body);
  inTransaction(database, () => {
    database
      .prepare("INSERT INTO snapshots VALUES (?, ?, ?, ?, ?, ?)")
      .run(head.seq + 1, seq, stateHash, body, bodySha256, hash);
    writeMeta(database, SNAPSHOT_HEAD_KEY, `${head.seq + 1} ${hash}`);
  });
}

/** All snapshots in the order they were saved. */
export function listSnapshots(database: DatabaseSync): readonly SnapshotMark[] {
  const rows = database.prepare("SELECT id, seq, state_hash FROM snapshots ORDER BY id").all();
  return rows.map((row) => ({ seq: integerOf(row, "seq"), stateHash: textOf(row, "state_hash") }));
}

/**
 * The newest sound snapshot that includes no event past `upToSeq`. One whose body does not agree
 * with its digest is passed over: a snapshot only shortens a replay, and the events say the same.
 */
export function soundSnapshot(database: DatabaseSync, upToSeq: number): Snapshot | null {
  const ids = database.prepare(
    "SELECT id FROM snapshots WHERE seq <= ? ORDER BY seq DESC, id DESC",
  );
  const byId = database.prepare("SELECT * FROM snapshots WHERE id = ?");
  for (const { id } of ids.all(upToSeq)) {
    const row = byId.get(id ?? null);
    const body = row === undefined ? null : bodyOf(row);
    if (row === undefined || body === null) continue;
    return { seq: integerOf(row, "seq"), stateHash: textOf(row, "state_hash"), body };
  }
  return null;
}

/** The JSON of a snapshot row, or null when it is not what was saved. */
export function bodyOf(row: Columns): string | null {
  const body = inflated(bytesOf(row, "body"));
  return body !== null && sha256(body) === textOf(row, "body_sha256") ? body : null;
}

function inflated(bytes: Uint8Array): string | null {
  try {
    return zstdDecompressSync(bytes).toString("utf8");
  } catch {
    return null;
  }
}
