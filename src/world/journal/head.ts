import type { DatabaseSync } from "node:sqlite";
import { firstHead } from "./beginning.ts";
import { hashAt, lastEvent, lastOfTransaction } from "./event-query.ts";
import { readMeta } from "./meta.ts";
import type { JournalHead } from "./rows.ts";
import { HEAD_KEY, SNAPSHOT_HEAD_KEY } from "./schema.ts";

/** The end of the chain as the events have it. */
export function storedHead(database: DatabaseSync): JournalHead {
  const last = lastEvent(database);
  return last === null ? firstHead(database) : { seq: last.seq, hash: last.hash };
}

/** The hash of event `seq`, or of what the journal begins with; null when it has no such event. */
export function hashAfter(database: DatabaseSync, seq: number): string | null {
  const first = firstHead(database);
  return seq === first.seq ? first.hash : hashAt(database, seq);
}

/** The last event of the transaction of event `seq`; `seq` where the journal begins; or null. */
export function transactionEnd(database: DatabaseSync, seq: number): number | null {
  return seq === firstHead(database).seq ? seq : lastOfTransaction(database, seq);
}

/** The end of the chain of events as its last commit recorded it in `meta`. */
export function recordedHead(database: DatabaseSync): JournalHead {
  const { number: seq, hash } = numbered(readMeta(database, HEAD_KEY));
  return { seq, hash };
}

/** The end of the chain of snapshots: how many have been saved, and the hash of the last. */
export type SnapshotHead = { readonly count: number; readonly hash: string };

/** The same of the snapshots. */
export function recordedSnapshotHead(database: DatabaseSync): SnapshotHead {
  const { number: count, hash } = numbered(readMeta(database, SNAPSHOT_HEAD_KEY));
  return { count, hash };
}

/** The end of either chain as it is recorded. */
export const headText = (number: number, hash: string): string => `${number} ${hash}`;

const numbered = (text: string | null) => {
  const [digits, hash = ""] = (text ?? "").split(" ");
  return { number: digits ? Number(digits) : Number.NaN, hash };
};

/** Why nothing may be appended: to write on would bury the damage. Null when all is well. */
export function whyNotToBeContinued(database: DatabaseSync, path: string): string | null {
  const stored = storedHead(database);
  const recorded = recordedHead(database);
  if (stored.seq === recorded.seq && stored.hash === recorded.hash) return null;
  const ends = `its events end with ${stored.seq}, its last commit recorded ${recorded.seq}`;
  return `${path} is damaged: ${ends}; look with \`sim verify\`, then use a copy`;
}
