import type { DatabaseSync } from "node:sqlite";
import { firstHead } from "./beginning.ts";
import { hashAt, lastEvent, lastOfTransaction } from "./event-query.ts";
import { readMeta } from "./meta.ts";
import type { JournalHead } from "./rows.ts";
import { HEAD_KEY } from "./schema.ts";

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

/** The end of a chain as its last commit recorded it in `meta`: `<number> <hash>`. */
export function recordedHead(database: DatabaseSync, key: string): JournalHead {
  const [count, hash] = (readMeta(database, key) ?? "").split(" ");
  return { seq: count ? Number(count) : Number.NaN, hash: hash ?? "" };
}

/** Why nothing may be appended: to write on would bury the damage. Null when all is well. */
export function whyNotToBeContinued(database: DatabaseSync, path: string): string | null {
  const stored = storedHead(database);
  const recorded = recordedHead(database, HEAD_KEY);
  if (stored.seq === recorded.seq && stored.hash === recorded.hash) return null;
  const ends = `its events end with ${stored.seq}, its last commit recorded ${recorded.seq}`;
  return `${path} is damaged: ${ends}; look with \`sim verify\`, then use a copy`;
}
