export { parseTimeMs } from "../text/index.ts";
export {
  type Ancestor,
  type Checkpoint,
  carriedBy,
  checkpointFile,
  checkpointFolder,
  isCheckpointName,
  type OpenThought,
  type RecordedMemory,
  startStateOf,
} from "./checkpoint/checkpoint.ts";
export { readCheckpoint, writeCheckpoint } from "./checkpoint/checkpoint-file.ts";
export {
  type CheckpointSource,
  checkpointOf,
  memoryPages,
  openThoughts,
} from "./checkpoint/checkpoint-of.ts";
export { validatedState, verifyCheckpoint } from "./checkpoint/verify-checkpoint.ts";
export type { Clock, Timer } from "./clock/clock.ts";
export { ORDERS } from "./clock/orders.ts";
export { VirtualClock } from "./clock/virtual-clock.ts";
export { wallClock } from "./clock/wall-clock.ts";
export { decodeArgs, decodeJson } from "./core/json.ts";
export { JsonCounter } from "./core/json-counter.ts";
export type { Keeping, Outcome, Request } from "./core/request.ts";
export { sha256 } from "./core/sha256.ts";
export { readState, type StateRead, stateChunks, stateText } from "./core/state-text.ts";
export { sandboxFor } from "./execution/context.ts";
export { inspectCode } from "./execution/evidence.ts";
export { inputJsonOf, programOf } from "./execution/programs.ts";
export { World, type WorldParts } from "./execution/world.ts";
export { openingRequests } from "./genesis.ts";
export { actionsGuide } from "./handbook/actions.ts";
export type { Described } from "./handbook/page.ts";
export {
  appendRunEvent,
  CopiedJournal,
  copyOfJournal,
  decodeEvent,
  errorCode,
  identityOf,
  isAlive,
  isRunEvent,
  Journal,
  type JournalCopy,
  JournalFailure,
  type JournalReader,
  type JournalRow,
  makeFolders,
  notAFile,
  RUN_EVENT_KINDS,
  RunLock,
  runEventBody,
  runHolder,
  whyNot,
} from "./journal/index.ts";
export { playEvent, replay, restore, saveSnapshot, stateHash } from "./replay/replay.ts";
export {
  type JournalPosition,
  parseRunPoint,
  positionOf,
  type RunPoint,
} from "./replay/run-point.ts";
export { Sandbox } from "./sandbox/index.ts";
export { candidateOf } from "./scoring/candidate.ts";
export { fingerprintOf } from "./scoring/fingerprint.ts";
export { noveltyOf } from "./scoring/novelty.ts";
export type { Candidate, Scored, Scorer } from "./scoring/scorer.ts";
export { memoAfter, proofOf, usageScorer } from "./scoring/usage-scorer.ts";
export { LIBRARY_NAMES } from "./standard-library.ts";
export {
  damageIn,
  readingProblem,
  type Verification,
  verifyJournal,
} from "./verify/verify-journal.ts";
