import type { DatabaseSync } from "node:sqlite";
import { firstSnapshotHash } from "./beginning.ts";
import { snapshotHash } from "./chain.ts";
import { type Columns, integerOf, textOf } from "./columns.ts";
import { hashAfter, recordedSnapshotHead } from "./head.ts";
import { JournalFailure } from "./journal-failure.ts";
import { isBodyChanged } from "./snapshots.ts";
import { guarded } from "./sqlite-trouble.ts";
import { inOneView } from "./transaction.ts";

export type SnapshotVerdict =
  | { readonly ok: true; readonly snapshots: number }
  | { readonly ok: false; readonly seq: number; readonly detail: string };

/** What to look at. */
export type SnapshotPart = {
  readonly database: DatabaseSync;
  readonly path: string;
  /** Of events up to this one; null for all, and whether none is missing. */
  readonly upTo: number | null;
  /** Also the bodies: those that are used are looked at by who uses them. */
  readonly bodies: boolean;
};

/**
 * Checks every body that is still there against its digest, every snapshot against the event it was
 * taken after, and the chain of snapshots, which starts from what the journal begins with, against
 * its recorded end. `seq` of a bad verdict is the snapshot's event number.
 */
export function verifySnapshots(part: SnapshotPart): SnapshotVerdict {
  const { database, path, upTo } = part;
  const look = new ChainOfSnapshots();
  const bad = (detail: string): SnapshotVerdict => ({ ok: false, seq: look.seq, detail });
  try {
    return guarded(path, () =>
      inOneView(database, () => {
        const why = look.through(part);
        if (why !== null) return bad(`the snapshot at event ${look.seq} ${why}`);
        const { count, last } = look;
        const end = recordedSnapshotHead(database);
        const whole = count === end.count && last === end.hash;
        if (whole || upTo !== null) return { ok: true, snapshots: count };
        const changed = count === end.count ? ", or what the journal begins with was changed" : "";
        return bad(`${end.count} snapshots were saved, but ${count} are there${changed}`);
      }),
    );
  } catch (error) {
    if (!(error instanceof JournalFailure)) throw error;
    return bad(error.message);
  }
}

/** How far the chain has been followed. */
class ChainOfSnapshots {
  /** The event of the last one that was looked at. */
  seq = 0;
  count = 0;
  last = "";

  /** Returns what is wrong with the snapshot at event `seq`, or null. */
  through({ database, upTo, bodies }: SnapshotPart): string | null {
    this.last = firstSnapshotHash(database);
    const columns = bodies ? "*" : "id, seq, state_hash, body_sha256, hash";
    const rows = database.prepare(`SELECT ${columns} FROM snapshots WHERE seq <= ? ORDER BY id`);
    for (const row of rows.iterate(upTo ?? Number.MAX_SAFE_INTEGER)) {
      this.seq = integerOf(row, "seq");
      if (bodies && isBodyChanged(row)) {
        return "was changed: its body does not agree with its digest";
      }
      const why = whyUnsound(row, this.last, hashAfter(database, this.seq));
      if (why !== null) return why;
      this.last = textOf(row, "hash");
      this.count += 1;
    }
    return null;
  }
}

function whyUnsound(row: Columns, previous: string, eventHash: string | null): string | null {
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
