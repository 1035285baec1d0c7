import type { DatabaseSync } from "node:sqlite";
import { type PackedJson, unpackedText } from "../core/packed-json.ts";
import { snapshotHash } from "./chain.ts";
import { hashAfter } from "./event-query.ts";
import { headText, recordedHead, SNAPSHOT_HEAD_KEY, writeMeta } from "./schema.ts";
import {
  bytesOf,
  type Columns,
  checked,
  inTransaction,
  integerOf,
  type JournalPart,
  textOf,
} from "./sqlite.ts";
import { firstSnapshotHash } from "./start-state.ts";

/** The packed state after event `seq`. A `seq` of 0 means the state before any event. */
export type PackedSnapshot = { readonly seq: number; readonly state: PackedJson };

/** `body` is the text of the state. */
export type Snapshot = { readonly seq: number; readonly body: string };

export type SnapshotMark = { readonly seq: number; readonly stateHash: string };

/** Saves a snapshot and deletes old bodies. `eventHash` is the hash of event `seq`. */
export function insertSnapshot(
  database: DatabaseSync,
  { seq, state }: PackedSnapshot,
  eventHash: string,
): void {
  const { seq: count, hash: before } = recordedHead(database, SNAPSHOT_HEAD_KEY);
  const hash = snapshotHash(before, { seq, stateHash: state.sha256, eventHash });
  const last = count + 1;
  inTransaction(database, () => {
    database
      .prepare("INSERT INTO snapshots VALUES (?, ?, ?, ?, ?)")
      .run(last, seq, state.sha256, state.frame, hash);
    giveUpBodies(database, last);
    writeMeta(database, SNAPSHOT_HEAD_KEY, headText(last, hash));
  });
}

/** An odd-numbered snapshot loses its body after this many later snapshots (see `keepsBody`). */
const KEPT_EACH = 4;

/**
 * Whether snapshot `number` of `count` keeps its body. An odd number keeps the body for `KEPT_EACH`
 * snapshots, a multiple of 2 for twice as many, a multiple of 4 for four times as many, and so on.
 * So fewer old bodies are kept than recent ones: O(log count) bodies in total.
 */
export const keepsBody = (number: number, count: number): boolean => {
  const largestPowerOfTwo = number & -number;
  return count - number < KEPT_EACH * largestPowerOfTwo;
};

/** Deletes old bodies but keeps the state hashes, so that a replay can still be checked. */
function giveUpBodies(database: DatabaseSync, count: number): void {
  const kept = database.prepare("SELECT id FROM snapshots WHERE length(body) > 0").all();
  const giveUp = database.prepare("UPDATE snapshots SET body = x'' WHERE id = ?");
  for (const row of kept) {
    const id = integerOf(row, "id");
    if (!keepsBody(id, count)) giveUp.run(id);
  }
}

export function listSnapshots(database: DatabaseSync): readonly SnapshotMark[] {
  const rows = database.prepare("SELECT id, seq, state_hash FROM snapshots ORDER BY id").all();
  return rows.map((row) => ({ seq: integerOf(row, "seq"), stateHash: textOf(row, "state_hash") }));
}

/** The newest undamaged snapshot. Skipping damaged snapshots only makes the replay longer. */
export function soundSnapshot(database: DatabaseSync, upToSeq: number): Snapshot | null {
  const ids = database.prepare(
    "SELECT id FROM snapshots WHERE seq <= ? AND length(body) > 0 ORDER BY seq DESC, id DESC",
  );
  const byId = database.prepare("SELECT * FROM snapshots WHERE id = ?");
  for (const { id } of ids.all(upToSeq)) {
    const row = byId.get(id ?? null);
    const body = row === undefined ? null : bodyOf(row);
    if (row === undefined || body === null) continue;
    return { seq: integerOf(row, "seq"), body };
  }
  return null;
}

/** True if the stored body does not match its hash. An empty body was deleted on purpose. */
const isBodyChanged = (row: Columns): boolean =>
  bytesOf(row, "body").length > 0 && bodyOf(row) === null;

const bodyOf = (row: Columns): string | null =>
  unpackedText(bytesOf(row, "body"), textOf(row, "state_hash"));

export type SnapshotVerdict =
  | { readonly ok: true; readonly snapshots: number }
  | { readonly ok: false; readonly seq: number; readonly detail: string };

/** `bodies`: check bodies too. If `upTo` is not null, missing last snapshots are not found. */
export type SnapshotPart = JournalPart & { readonly bodies: boolean };

/** Checks the body, the event and the hash of each snapshot, then the end of the hash chain. */
export function verifySnapshots(part: SnapshotPart): SnapshotVerdict {
  let seq = 0;
  const bad = (detail: string): SnapshotVerdict => ({ ok: false, seq, detail });
  const { database, upTo, bodies } = part;
  const check = (): SnapshotVerdict => {
    let count = 0;
    let last = firstSnapshotHash(database);
    const columns = bodies ? "*" : "id, seq, state_hash, hash";
    const rows = database.prepare(`SELECT ${columns} FROM snapshots WHERE seq <= ? ORDER BY id`);
    for (const row of rows.iterate(upTo ?? Number.MAX_SAFE_INTEGER)) {
      seq = integerOf(row, "seq");
      const why = bodies && isBodyChanged(row) ? BODY_CHANGED : whyUnchained(database, row, last);
      if (why !== null) return bad(`the snapshot at event ${seq} ${why}`);
      last = textOf(row, "hash");
      count += 1;
    }
    const { seq: saved, hash } = recordedHead(database, SNAPSHOT_HEAD_KEY);
    if (upTo !== null || (count === saved && last === hash)) return { ok: true, snapshots: count };
    const changed = count === saved ? ", or what the journal begins with was changed" : "";
    return bad(`${saved} snapshots were saved, but ${count} are there${changed}`);
  };
  return checked(part, check, bad);
}

const BODY_CHANGED = "was changed: the hash of its body differs";

/** Returns why `row` does not follow the snapshot with hash `previous`, or null if it does. */
function whyUnchained(database: DatabaseSync, row: Columns, previous: string): string | null {
  const seq = integerOf(row, "seq");
  const eventHash = hashAfter(database, seq);
  if (eventHash === null) return "names an event that does not exist";
  const hash = snapshotHash(previous, { seq, stateHash: textOf(row, "state_hash"), eventHash });
  if (hash === textOf(row, "hash")) return null;
  return "was changed, or an earlier snapshot was removed: the hashes do not agree";
}
