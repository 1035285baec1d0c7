import type { DatabaseSync } from "node:sqlite";
import { sha256 } from "../sha256.ts";
import { deflated, inflated } from "../zstd.ts";
import { snapshotHash } from "./chain.ts";
import { bytesOf, type Columns, integerOf, textOf } from "./columns.ts";
import { headText, recordedSnapshotHead } from "./head.ts";
import { writeMeta } from "./meta.ts";
import { SNAPSHOT_HEAD_KEY } from "./schema.ts";
import { inTransaction } from "./transaction.ts";

export type Snapshot = {
  /** The last event that the state includes; 0 for the state before any event. */
  readonly seq: number;
  readonly stateHash: string;
  /** The text of the state. */
  readonly body: string;
};

/** A snapshot without its body. */
export type SnapshotMark = Pick<Snapshot, "seq" | "stateHash">;

/** A snapshot whose body is a zstd frame already. */
export type PackedSnapshot = SnapshotMark & {
  readonly packed: Uint8Array;
  /** Of the JSON. */
  readonly bodySha256: string;
};

export const packed = ({ seq, stateHash, body }: Snapshot): PackedSnapshot => ({
  seq,
  stateHash,
  packed: deflated(body),
  bodySha256: sha256(body),
});

/** Writes one snapshot and the new end of their chain, and thins out old ones, in one commit. */
export function insertSnapshot(database: DatabaseSync, snapshot: PackedSnapshot, at: string): void {
  const head = recordedSnapshotHead(database);
  const { seq, stateHash, bodySha256 } = snapshot;
  const hash = snapshotHash(head.hash, { seq, stateHash, bodySha256, eventHash: at });
  const last = head.count + 1;
  inTransaction(database, () => {
    database
      .prepare("INSERT INTO snapshots VALUES (?, ?, ?, ?, ?, ?)")
      .run(last, seq, stateHash, snapshot.packed, bodySha256, hash);
    giveUpBodies(database, last);
    writeMeta(database, SNAPSHOT_HEAD_KEY, headText(last, hash));
  });
}

/** How many snapshots in a row keep their bodies, and of each power of two as many multiples. */
const KEPT_EACH = 4;

/**
 * Whether snapshot number `number` of `count` keeps its body: where 2^k is the largest power of two
 * that divides the number, for as long as fewer than `KEPT_EACH` · 2^k have been saved after it. So
 * there are the fewer, the longer ago they are, and in all as many as the logarithm of `count`.
 */
export const keepsBody = (number: number, count: number): boolean => {
  const largestPowerOfTwo = number & -number;
  return count - number < KEPT_EACH * largestPowerOfTwo;
};

/** Mark and place in the chain stay: what a state's hash was can be checked for ever. */
function giveUpBodies(database: DatabaseSync, count: number): void {
  const kept = database.prepare("SELECT id FROM snapshots WHERE length(body) > 0").all();
  const giveUp = database.prepare("UPDATE snapshots SET body = x'' WHERE id = ?");
  for (const row of kept) {
    const id = integerOf(row, "id");
    if (!keepsBody(id, count)) giveUp.run(id);
  }
}

/** All snapshots in the order they were saved. */
export function listSnapshots(database: DatabaseSync): readonly SnapshotMark[] {
  const rows = database.prepare("SELECT id, seq, state_hash FROM snapshots ORDER BY id").all();
  return rows.map((row) => ({ seq: integerOf(row, "seq"), stateHash: textOf(row, "state_hash") }));
}

/**
 * The newest sound snapshot with a body that includes no event past `upToSeq`. One whose body does
 * not agree with its digest is passed over: a snapshot only shortens a replay, and the events say
 * the same.
 */
export function soundSnapshot(database: DatabaseSync, upToSeq: number): Snapshot | null {
  const ids = database.prepare(
    "SELECT id FROM snapshots WHERE seq <= ? AND length(body) > 0 ORDER BY seq DESC, id DESC",
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

/** Whether the body is not what was saved; one that was given up is no lie. */
export const isBodyChanged = (row: Columns): boolean =>
  bytesOf(row, "body").length > 0 && bodyOf(row) === null;

/** The JSON of a snapshot row, or null when it is not what was saved. */
function bodyOf(row: Columns): string | null {
  const body = inflated(bytesOf(row, "body"));
  if (!body.ok || sha256(body.bytes) !== textOf(row, "body_sha256")) return null;
  return body.bytes.toString("utf8");
}
