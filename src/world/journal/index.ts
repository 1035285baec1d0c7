export type { CommittedListener } from "./announcer.ts";
export { GENESIS_HASH } from "./chain.ts";
export type { CommandFilter, EventFilter } from "./event-query.ts";
export { Journal, type JournalSettings, type Opened } from "./journal.ts";
export { JournalFailure } from "./journal-failure.ts";
export type { ProcessIdentity } from "./process-identity.ts";
export type {
  CommandRow,
  JournalEvent,
  JournalHead,
  JournalRow,
  JournalTransaction,
} from "./rows.ts";
export { type LockTaken, RunLock, runHolder } from "./run-lock.ts";
export { FORMAT_VERSION } from "./schema.ts";
export type { Snapshot, SnapshotMark } from "./snapshots.ts";
export type { ChainVerdict } from "./verify-chain.ts";
export type { SnapshotVerdict } from "./verify-snapshots.ts";
