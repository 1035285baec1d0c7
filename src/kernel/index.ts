export { BUILT_IN_MEANING, CHECK_METHOD, FREEWARE } from "./access/access.ts";
export { type Permit, parsePermit } from "./access/permit.ts";
export {
  ACTION_FIELDS,
  ACTION_KINDS,
  ACTIONS,
  type Action,
  type ActionField,
  type ActionKind,
  type Attachment,
  type FieldType,
  fieldsOf,
  type InvokeRequest,
  NOTHING_ATTACHED,
  type WriteRequest,
} from "./action/action.ts";
export {
  describeAction,
  parseAction,
  parseInvokeRequest,
  parseReadRequest,
  parseWriteRequest,
} from "./action/action-codec.ts";
export {
  type ActionRecord,
  AGENT_CAUSES,
  AGENT_STATES,
  type Agent,
  type AgentCause,
  type Due,
  type LastResult,
  MEMORY_KINDS,
  type MemoryKind,
  NO_COUNTERS,
  type Sleep,
  type Sleeper,
  WAKES_MAX,
  WAKING_KINDS,
  type Wake,
} from "./agent/agent.ts";

export { wakeEvents } from "./agent/waking.ts";
export {
  type Artifact,
  type ArtifactUsage,
  type CodeHistory,
  type CodeVersion,
  type Customer,
  customerKey,
  type Interface,
  type InterfaceMethod,
  NO_USAGE,
  type TransferOffer,
} from "./artifact/artifact.ts";
export { codesOf } from "./artifact/code-history.ts";
export { fitArgs, interfaceProblem } from "./artifact/interface.ts";
export type { WriteResult } from "./artifact/write.ts";
export {
  type ActCommand,
  type ActionOutcome,
  type AgentCommand,
  accept,
  type Call,
  type CallFailure,
  type CallResult,
  type CodeCheck,
  type Command,
  type Decision,
  type Evidence,
  type MemoryNote,
  type MemoryUpdate,
  type MintCommand,
  type Question,
  refuse,
  type TrialRun,
  type WorldCommand,
} from "./command.ts";
export { decide } from "./decide.ts";
export {
  ACTION_ENDS,
  type ActionEnd,
  type Charge,
  EVENT_KINDS,
  type Event,
  type EventKind,
  type EventOf,
  endsAction,
  type PublicEvent,
  type ThoughtUsage,
  type WrittenFields,
} from "./event.ts";
export { evolve } from "./evolve.ts";
export { areRelated, headOf, rootOf } from "./family/family.ts";
export type { NativeArtifact } from "./genesis/native.ts";
export { isNative, NATIVES } from "./genesis/natives.ts";
export { quotasOf } from "./genesis/rights-registry.ts";
export { checkInvariants, STATE_INVARIANTS, violations } from "./invariants.ts";
export { principalSubject, type Subject } from "./invocation/subject.ts";
export {
  type Account,
  type Grant,
  grantKey,
  type Hold,
  type Purpose,
} from "./ledger/account.ts";
export { windowLeft, windowsLeft } from "./ledger/quota.ts";
export {
  entriesOf,
  type Usage,
  type Window,
  type WrittenWindow,
  windowOf,
} from "./ledger/rolling-window.ts";
export type { NewTask, Submission } from "./mint/mint-state.ts";
export {
  type AuctionResult,
  closesAt,
  type Flow,
  flowKey,
  type Score,
  type Task,
} from "./mint/mint-state.ts";
export { auctionHistory, auctionStatus, hasMint } from "./mint/status.ts";
export { readTaskTests } from "./mint/tasks.ts";
export { isAmount, isAmountOrZero } from "./primitives/amount.ts";
export { errorMessage, firstLineOf } from "./primitives/error-message.ts";
export {
  asId,
  genesisId,
  genesisName,
  type HoldId,
  ID_RULE,
  type Id,
  isReserved,
  memoryIds,
  parseId,
} from "./primitives/ids.ts";
export { InvariantBroken, invariant, must } from "./primitives/invariant.ts";
export {
  canonical,
  cutText,
  isList,
  isObject,
  type Json,
  type JsonObject,
  jsonIn,
  jsonProblem,
} from "./primitives/json.ts";
export { type Log, logItems, logOf } from "./primitives/log.ts";
export { type Patch, patchOf } from "./primitives/patch.ts";
export { draw, type PrngState, seedPrng } from "./primitives/prng.ts";
export type { Result, WithProblem } from "./primitives/result.ts";
export { type Secret, sipHash, wordsOf } from "./primitives/siphash.ts";
export type { Table } from "./primitives/table.ts";
export { REFUSAL_CODES, type Refusal, type RefusalCode, refusal } from "./refusal.ts";
export { answerQuery, customersOf, QUERY_KINDS, QUERY_LIMIT_MAX } from "./search/query.ts";
export {
  type MarketListing,
  type Self,
  scarceResource,
  selfOf,
  type View,
  type ViewBounds,
  viewOf,
} from "./search/view.ts";
export {
  type GasTable,
  type MintPhysics,
  type PerResource,
  type Physics,
  perResource,
  type Quotas,
  RESOURCES,
  type SandboxPhysics,
} from "./setup/physics.ts";
export { absentGenesis, stateProblem, validateState } from "./setup/validate-state.ts";
export {
  commit,
  emptyState,
  liveArtifact,
  physicsOf,
  publicBalance,
  rebuildCatalogue,
  type State,
  type TableName,
  type WorldRow,
  worldRow,
} from "./state.ts";
