export { parseTimeMs } from "../run-time.ts";
export * from "./checkpoint/index.ts";
export * from "./clock/index.ts";
export { inputJsonOf, inspectCode, KnownPrograms, sandboxFor } from "./execution/index.ts";
export { openingRequests } from "./genesis.ts";
export type { Described } from "./handbook/index.ts";
export { actionsGuide } from "./handbook/index.ts";
export {
  CopiedJournal,
  copyOfJournal,
  errorCode,
  identityOf,
  isAlive,
  Journal,
  type JournalCopy,
  JournalFailure,
  type JournalReader,
  type JournalRow,
  makeFolders,
  RunLock,
  runHolder,
  whyNot,
} from "./journal/index.ts";
export { JsonCounter } from "./json-counter.ts";
export {
  type JournalPosition,
  type Moment,
  parseMoment,
  positionOf,
} from "./moment.ts";
export { playEvent, replay, restore } from "./replay.ts";
export type { Keeping, Outcome, Request } from "./request.ts";
export { appendRunEvent, isRunEvent, RUN_EVENT_KINDS, runEventBody } from "./run-events.ts";
export { Sandbox } from "./sandbox/index.ts";
export * from "./scoring/index.ts";
export { sha256 } from "./sha256.ts";
export { saveSnapshot, stateHash } from "./snapshot.ts";
export { LIBRARY_NAMES } from "./standard-library.ts";
export type { StateRead } from "./state-codec/read-state.ts";
export { stateChunks, stateText } from "./state-codec/state-codec.ts";
export { damageIn, readingProblem, type Verification, verifyJournal } from "./verify/index.ts";
export { decodeArgs, decodeEvent, decodeJson } from "./wire-codec.ts";
export { World, type WorldParts } from "./world.ts";
