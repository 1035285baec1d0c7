import type { DatabaseSync } from "node:sqlite";
import { firstSnapshotHash } from "./beginning.ts";
import { snapshotHash } from "./chain.ts";
import { type Columns, integerOf, textOf } from "./columns.ts";
import { hashAfter, recordedHead } from "./head.ts";
import { JournalFailure } from "./journal-failure.ts";
import { SNAPSHOT_HEAD_KEY } from "./schema.ts";
import { isBodyChanged } from "./snapshots.ts";
import { guarded } from "./sqlite-trouble.ts";

export type SnapshotVerdict =
  | { readonly ok: true; readonly snapshots: number }
  | { readonly ok: false; readonly seq: number; readonly detail: string };

/**
 * Checks every body that is still there against its digest, every snapshot against the event it was
 * taken after, and the chain of snapshots, which starts from what the journal begins with, against
 * its recorded end. `seq` of a bad verdict is the snapshot's event
 * number.
 */
export function verifySnapshots(database: DatabaseSync, path: string): SnapshotVerdict {
  let seq = 0;
  let count = 0;
  const bad = (detail: string): SnapshotVerdict => ({ ok: false, seq, detail });
  try {
    return guarded(path, () => {
      let previous = firstSnapshotHash(database);
      for (const row of database.prepare("SELECT * FROM snapshots ORDER BY id").iterate()) {
        seq = integerOf(row, "seq");
        const why = whyUnsound(row, previous, hashAfter(database, seq));
        if (why !== null) return bad(`the snapshot at event ${seq} ${why}`);
        previous = textOf(row, "hash");
        count += 1;
      }
      const end = recordedHead(database, SNAPSHOT_HEAD_KEY);
      if (count === end.seq && previous === end.hash) return { ok: true, snapshots: count };
      const changed = count === end.seq ? ", or what the journal begins with was changed" : "";
      return bad(`${end.seq} snapshots were saved, but ${count} are there${changed}`);
    });
  } catch (error) {
    if (!(error instanceof JournalFailure)) throw error;
    return bad(error.message);
  }
}

function whyUnsound(row: Columns, previous: string, eventHash: string | null): string | null {
  if (isBodyChanged(row)) return "was changed: its body does not agree with its digest";
  if (eventHash === null) return "has no such event to belong to";
  const hash = snapshotHash(previous, {
    seq: integerOf(row, "seq"),
    stateHash: textOf(row, "state_hash"),
    bodySha256: textOf(row, "body_sha256"),
    eventHash,
  });
  if (hash === textOf(row, "hash")) return null;
  return "was changed, or one before it removed: the hashes do not agree";
}
