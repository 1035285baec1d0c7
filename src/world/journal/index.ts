export { GENESIS_HASH } from "./chain.ts";
export { Journal, type JournalSettings } from "./journal.ts";
export { JournalFailure } from "./journal-failure.ts";
export type { CommandRow, JournalEvent, JournalRow, JournalTransaction } from "./rows.ts";
export { RunLock, runHolder } from "./run-lock.ts";
export { FORMAT_VERSION } from "./schema.ts";
export type { SnapshotMark } from "./snapshots.ts";
export type { ChainVerdict } from "./verify-chain.ts";
export type { SnapshotVerdict } from "./verify-snapshots.ts";
