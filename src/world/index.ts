export { BOOKKEEPING_KINDS, isBookkeeping, noteOf, noteRun } from "./bookkeeping.ts";
export { type Alarm, type Clock, type RunEnd, VirtualClock, wallClock } from "./clock/index.ts";
export type { AgentCheck } from "./crank.ts";
export { openingRequests } from "./genesis.ts";
export { LIBRARY_NAMES } from "./genesis-library.ts";
export {
  type ChainVerdict,
  Journal,
  JournalFailure,
  type JournalRow,
  RunLock,
  runHolder,
} from "./journal/index.ts";
export { type Replayed, replay } from "./replay.ts";
export type { Outcome, Request } from "./request.ts";
export { Sandbox, sandboxFor } from "./sandbox-for.ts";
export { type Dossier, dossierOf, type Scored, type Scorer, usageScorer } from "./scoring/index.ts";
export { stateHash, takeSnapshot } from "./snapshot.ts";
export { type Check, verifyJournal } from "./verify.ts";
export { World, type WorldParts } from "./world.ts";
