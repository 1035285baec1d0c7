import type { DatabaseSync } from "node:sqlite";
import { GENESIS_HASH } from "./chain.ts";
import { lastEvent } from "./event-query.ts";
import { readMeta } from "./meta.ts";
import type { JournalHead } from "./rows.ts";
import { HEAD_KEY } from "./schema.ts";

/** The end of the chain as the events have it. */
export function storedHead(database: DatabaseSync): JournalHead {
  const last = lastEvent(database);
  return last === null ? { seq: 0, hash: GENESIS_HASH } : { seq: last.seq, hash: last.hash };
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
