export type { JournalEvent, JournalRow, JournalTransaction } from "./chain.ts";
export { GENESIS_HASH } from "./chain.ts";
export { errorCode, makeFolders, notAFile, whyNot } from "./files.ts";
export type { WriterSettings as JournalSettings } from "./group-writer.ts";
export { Journal, type JournalReader } from "./journal.ts";
export { CopiedJournal, copyOfJournal, type JournalCopy } from "./journal-copy.ts";
export { identityOf, isAlive, RunLock, runHolder } from "./run-lock.ts";
export { FORMAT_VERSION } from "./schema.ts";
export type { PackedSnapshot, Snapshot, SnapshotVerdict } from "./snapshots.ts";
export { JournalFailure } from "./sqlite.ts";
export type { PackedStartState, StartState } from "./start-state.ts";
export type { ChainVerdict } from "./verify-chain.ts";
export {
  appendRunEvent,
  decodeEvent,
  decodeRequest,
  encodeEvent,
  encodeRequest,
  isRunEvent,
  RUN_EVENT_KINDS,
  runEventBody,
  senderOf,
} from "./wire-codec.ts";
