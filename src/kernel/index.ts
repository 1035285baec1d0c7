export { BUILT_IN_MEANING, CHECK_METHOD, FREEWARE } from "./access.ts";
export {
  ACTION_KINDS,
  type Action,
  type ActionKind,
  type Attachment,
  type InvokeRequest,
  NOTHING_ATTACHED,
  type WriteRequest,
} from "./action.ts";
export { ACTION_ENDS, type ActionEnd, endsAction } from "./action-end.ts";
export { type Agent, type Deed, type Due, NO_COUNTERS } from "./agent.ts";
export { isAmount, isAmountOrZero } from "./amount.ts";
export { type Artifact, type Interface, type InterfaceMethod, NO_TRADE } from "./artifact.ts";
export type { PublicEvent } from "./chronicle.ts";
export { codesOf, type DatedCode } from "./code-history.ts";
export {
  decodeEvent,
  encodeEvent,
  stateChunks,
  stateText,
} from "./codec.ts";
export type { ActCommand, AgentCommand, Command, Ended, WorldCommand } from "./command.ts";
export { decide } from "./decide.ts";
export { accept, type Decision, refuse } from "./decision.ts";
export type { Charge, Event, EventKind, EventOf, ThoughtUsage, WrittenFields } from "./event.ts";
export { EVENT_KINDS } from "./event-kinds.ts";
export type { CodeCheck, Evidence, Question, TrialRun } from "./evidence.ts";
export { evolve } from "./evolve.ts";
export { isNative, NATIVES, type NativeArtifact, quotasOf } from "./genesis/index.ts";
export { asId, genesisId, genesisName, ID_RULE, type Id, isReserved, parseId } from "./ids.ts";
export { fitArgs, interfaceProblem } from "./interface.ts";
export { InvariantBroken, invariant, must } from "./invariant.ts";
export { checkInvariants, STATE_INVARIANTS, violations } from "./invariants.ts";
export type { Call, Failed, Ran } from "./invocation.ts";
export {
  canonical,
  cutText,
  isObject,
  type Json,
  type JsonObject,
  jsonProblem,
} from "./json.ts";
export { jsonIn } from "./json-codec.ts";
export { keyedHash, type Secret, wordsOf } from "./keyed-hash.ts";
export { areAkin, headOf, rootOf } from "./lineage.ts";
export { workingMemoryId } from "./memory.ts";
export { MEMORY_KINDS, type MemoryKind } from "./memory-kind.ts";
export {
  auctionHistory,
  auctionStatus,
  closesAt,
  hasMint,
  type MintCommand,
  type Opening,
  readOpening,
  type Submission,
} from "./mint/index.ts";
export {
  describeAction,
  parseAction,
  parseInvokeRequest,
  parseReadRequest,
  parseWriteRequest,
} from "./parse-action.ts";
export { type Patch, patchOf } from "./patch.ts";
export { type Permit, parsePermit } from "./permit.ts";
export {
  type GasTable,
  type MintPhysics,
  type Physics,
  type Quotas,
  RESOURCES,
} from "./physics.ts";
export { draw, type PrngState, seedPrng } from "./prng.ts";
export { answerQuery, customersOf, QUERY_KINDS, QUERY_LIMIT_MAX } from "./query.ts";
export { windowLeft, windowsLeft } from "./quota.ts";
export { readState, type StateRead } from "./read-state.ts";
export { REFUSAL_CODES, type Refusal, type RefusalCode, refusal } from "./refusal.ts";
export type { MemoryNote, Remembering } from "./remembering.ts";
export { type Sleep, WAKES_MAX, WAKING_KINDS, type Wake } from "./sleep.ts";
export { absentGenesis, soundnessOf, whyUnsound } from "./soundness.ts";
export {
  commit,
  emptyState,
  liveArtifact,
  physicsOf,
  publicBalance,
  type State,
  wholeOf,
} from "./state.ts";
export { principalSubject, type Subject } from "./subject.ts";
export { firstLineOf, messageOf } from "./thrown.ts";
export { type Upcasts, upcastDocument } from "./upcast.ts";
export {
  type Offering,
  type Self,
  scarce,
  selfOf,
  type View,
  type ViewBounds,
  viewOf,
} from "./view.ts";
export { wakeEvents } from "./waking.ts";
export type { Written } from "./write.ts";
