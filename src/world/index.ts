export { BOOKKEEPING_KINDS, isBookkeeping, noteOf, noteRun } from "./bookkeeping.ts";
export {
  type Ancestor,
  beginningOf,
  type Carried,
  type Checkpoint,
  carriedBy,
  checkpointFile,
  checkpointFolder,
  checkpointOf,
  isCheckpointName,
  type Making,
  memoriesUpTo,
  type Remembered,
  readCheckpoint,
  soundState,
  verifyCheckpoint,
  writeCheckpoint,
} from "./checkpoint/index.ts";
export { type Clock, type Timer, VirtualClock, wallClock } from "./clock/index.ts";
export { damageIn } from "./damage.ts";
export { makeFolders } from "./folders.ts";
export { openingRequests } from "./genesis.ts";
export { LIBRARY_NAMES } from "./genesis-library.ts";
export { actionsGuide } from "./handbook/index.ts";
export {
  type Beginning,
  errorCode,
  Journal,
  JournalFailure,
  type JournalRow,
  RunLock,
  runHolder,
  whyNot,
} from "./journal/index.ts";
export { JsonCensus } from "./json-census.ts";
export { inputJsonOf } from "./program-input.ts";
export { ProgramKeys } from "./program-key.ts";
export { type Replayed, type Restored, replay, restore } from "./replay.ts";
export type { Keeping, Outcome, Request } from "./request.ts";
export { Sandbox, sandboxFor } from "./sandbox-for.ts";
export {
  type Dossier,
  dossierOf,
  memoAfter,
  noveltyOf,
  proofOf,
  type Scored,
  type Scorer,
  usageScorer,
} from "./scoring/index.ts";
export { stateHash, type Taken, takeSnapshotBeside } from "./snapshot.ts";
export { type Verdict, verifyJournal } from "./verify/index.ts";
export { decodeJson } from "./wire-codec.ts";
export { World, type WorldParts } from "./world.ts";
