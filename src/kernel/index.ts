export { BUILT_IN_MEANING, CHECK_METHOD, FREEWARE } from "./access.ts";
export type { Account, Hold, Supply } from "./account.ts";
export {
  ACTION_KINDS,
  type Action,
  type ActionKind,
  type InvokeRequest,
  NOTHING_ATTACHED,
  type WriteRequest,
} from "./action.ts";
export { AGENT_STATES, type Agent, type AgentState, type Deed, type Due } from "./agent.ts";
export { AMOUNT_RULE, isAmount, isAmountOrZero } from "./amount.ts";
export type { Artifact, Interface, InterfaceMethod, Trade } from "./artifact.ts";
export type { PublicEvent } from "./chronicle.ts";
export {
  decodeEvent,
  decodeState,
  type EncodedState,
  encodeEvent,
  encodeState,
  STATE_VERSION,
} from "./codec.ts";
export type {
  ActCommand,
  AgentCommand,
  Command,
  Ended,
  Endowment,
  WorldCommand,
} from "./command.ts";
export { decide } from "./decide.ts";
export { accept, type Decision, refuse } from "./decision.ts";
export type { Charge, Event, EventKind, EventOf, ThoughtUsage, WrittenFields } from "./event.ts";
export { EVENT_KINDS } from "./event-kinds.ts";
export type { Evidence, Question, TrialRun } from "./evidence.ts";
export { evolve } from "./evolve.ts";
export {
  describe,
  isNative,
  NATIVES,
  type NativeArtifact,
  type NativeMethod,
  quotasOf,
} from "./genesis/index.ts";
export { asId, ID_RULE, type Id, isReserved, parseId } from "./ids.ts";
export { fitArgs, interfaceProblem } from "./interface.ts";
export { InvariantBroken, invariant, must, unreachable } from "./invariant.ts";
export { checkInvariants, STATE_INVARIANTS, type Violation, violations } from "./invariants.ts";
export type { Call, Failed, Ran } from "./invocation.ts";
export { canonical, cutText, isObject, type Json, type JsonObject, jsonProblem } from "./json.ts";
export { areAkin, headOf } from "./lineage.ts";
export {
  auctionHistory,
  auctionStatus,
  closesAt,
  hasMint,
  type MintCommand,
  readTask,
  type Submission,
  type TaskText,
} from "./mint/index.ts";
export {
  describeAction,
  parseAction,
  parseInvokeRequest,
  parseReadRequest,
  parseWriteRequest,
} from "./parse-action.ts";
export { type PermissionRequest, type Permit, parsePermit } from "./permit.ts";
export {
  type AgentPhysics,
  type GasTable,
  type MintPhysics,
  type Physics,
  type Quotas,
  RESOURCES,
  type Resource,
  type SandboxPhysics,
} from "./physics.ts";
export { draw, type PrngState, seedPrng } from "./prng.ts";
export { answerQuery, customersOf, type Listing, QUERY_KINDS } from "./query.ts";
export { windowsLeft } from "./quota.ts";
export { REFUSAL_CODES, type Refusal, type RefusalCode, refusal } from "./refusal.ts";
export { type Sleep, WAKES_MAX, type Wake } from "./sleep.ts";
export {
  commit,
  emptyState,
  liveArtifact,
  type Offer,
  physicsOf,
  publicBalance,
  type State,
  wholeOf,
} from "./state.ts";
export { principalSubject, type Subject } from "./subject.ts";
export { type Offering, scarce, type View, type ViewBounds, viewOf } from "./view.ts";
export { wakeEvents } from "./waking.ts";
export type { Findings, Written } from "./write.ts";
