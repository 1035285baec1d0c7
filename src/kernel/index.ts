export { BUILT_IN_MEANING, CHECK_METHOD, FREEWARE, parsePermit } from "./access/access.ts";
export type * from "./action/action.ts";
export {
  ACTION_FIELDS,
  ACTION_KINDS,
  ACTIONS,
  describeAction,
  fieldsOf,
  NOTHING_ATTACHED,
  parseAction,
  parseInvokeRequest,
  parseReadRequest,
  parseWriteRequest,
  wrongFieldOf,
} from "./action/action.ts";
export { patchedContent, type Told, type WrittenFields } from "./action/events.ts";
export {
  type Call,
  type CallFailure,
  type CallResult,
  NOTICE_CHARS_MAX,
  NOTIFIED_MAX,
} from "./action/invocation.ts";
export type { WriteResult } from "./action/write.ts";
export type * from "./agent/agent.ts";
export {
  AGENT_CAUSES,
  AGENT_STATES,
  LACKS,
  MEMORY_KINDS,
  NO_COUNTERS,
  PROPOSAL_STAGES,
  reviewTermsOf,
  STEPS,
  WAKES_MAX,
  WAKING_KINDS,
  WORKSPACE_TYPE,
  whyFrozen,
} from "./agent/agent.ts";
export type * from "./agent/inbox.ts";
export { seenAfter, summed, unseenOf } from "./agent/inbox.ts";
export { headOf, type WorkspaceText } from "./agent/memory.ts";
export type * from "./artifact/artifact.ts";
export { NO_USAGE } from "./artifact/artifact.ts";
export {
  fitArgs,
  INTERFACE_KEYS,
  interfaceProblem,
  METHOD_KEYS,
} from "./artifact/interface.ts";
export { fit, schemaProblem } from "./artifact/json-schema.ts";
export { areRelated, rootOf } from "./artifact/owners.ts";
export { liveArtifact } from "./artifact/tables.ts";
export { codesOf } from "./artifact/trade.ts";
export type * from "./command.ts";
export type { ComputeBidEnd } from "./compute/events.ts";
export type { ComputeBid, SaleResult, StandingOrder } from "./compute/supply.ts";
export { nextSaleAt, offersCompute, saleIn } from "./compute/supply.ts";
export type {
  AccessVerb,
  Asks,
  CodeCheck,
  Evidence,
  PermissionRequest,
  Permit,
  Question,
  Refused,
  TrialRun,
} from "./core/decision.ts";
export { accept, refuse } from "./core/decision.ts";
export { bias, Dice, diceState } from "./core/dice.ts";
export {
  errorMessage,
  firstLineOf,
  InvariantBroken,
  invariant,
  must,
  type Result,
  type WithProblem,
} from "./core/errors.ts";
export type { PublicEvent, Stamp } from "./core/event.ts";
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
} from "./core/ids.ts";
export {
  canonical,
  cutText,
  isList,
  isObject,
  type Json,
  type JsonObject,
  jsonIn,
  jsonProblem,
  textProblem,
} from "./core/json.ts";
export { type Log, logItems, logOf } from "./core/lists.ts";
export {
  BoundedResults,
  memoized,
  memoizedFold,
  memoizedMap,
  sameItems,
} from "./core/memoized.ts";
export { isAmount, isAmountOrZero } from "./core/money.ts";
export { type Patch, patchOf } from "./core/patch.ts";
export type * from "./core/physics.ts";
export {
  COMPUTE_SALES,
  callDepthMax,
  PROCEEDS_USES,
  perResource,
  RESOURCES,
  REVIEW_DEFAULTS,
} from "./core/physics.ts";
export {
  draw,
  fnv1a,
  type PrngState,
  type Secret,
  seedPrng,
  sipHash,
  wordsOf,
} from "./core/random.ts";
export {
  codeGuide,
  REFUSAL_CODES,
  type Refusal,
  type RefusalCode,
  refusal,
} from "./core/refusal.ts";
export * as is from "./core/shape.ts";
export type { Table } from "./core/tables.ts";
export { physicsOf, worldRow } from "./core/world.ts";
export { type Decided, decide } from "./decide.ts";
export type * from "./event.ts";
export { ACTION_ENDS, EVENTS, endsAction } from "./event.ts";
export { evolve, type Happened, wakeEvents } from "./evolve.ts";
export { exampleSale } from "./genesis/compute.ts";
export { type ShownMessage, shownMessage } from "./genesis/messenger.ts";
export { exampleAuction, exampleBids } from "./genesis/mint.ts";
export { EXAMPLES_AT_MS, interfaceOf, type NativeArtifact } from "./genesis/native.ts";
export { isNative, NATIVES, nativesIn } from "./genesis/natives.ts";
export { quotasOf } from "./genesis/rights-registry.ts";
export { checkInvariants, STATE_INVARIANTS, violations } from "./invariants.ts";
export type * from "./ledger/account.ts";
export { flowKey, grantKey, publicBalance } from "./ledger/account.ts";
export type { Reason } from "./ledger/events.ts";
export { scarceResource, windowLeft, windowsLeft } from "./ledger/quota.ts";
export type * from "./ledger/rolling-window.ts";
export { entriesOf, windowOf } from "./ledger/rolling-window.ts";
export { principalSubject, type Subject } from "./ledger/subject.ts";
export type { ActionOutcome, MemoryNote, MemoryUpdate, MemoryWrite } from "./loop/commands.ts";
export type {
  ActionEnd,
  Charge,
  CompletedThought,
  ThoughtFailure,
  ThoughtUsage,
} from "./loop/events.ts";
export {
  needsReview,
  proposalCost,
  unansweredDecision,
  waitingProposals,
} from "./loop/review.ts";
export type * from "./messages/mailbox.ts";
export {
  MESSENGER_ID,
  mailboxOf,
  OPERATOR,
  owedFor,
  questionOf,
  RESETS,
} from "./messages/mailbox.ts";
export { unwantedRefusal } from "./messages/send.ts";
export type { NewTask, TaskText } from "./mint/events.ts";
export type * from "./mint/mint.ts";
export { auctionHistory, auctionStatus, closesAt, hasMint } from "./mint/mint.ts";
export { readTaskTests } from "./mint/tasks.ts";
export type * from "./schedule/schedule.ts";
export { scheduledText } from "./schedule/schedule.ts";
export {
  answerQuery,
  customersOf,
  FILTER_PARTS_MAX,
  QUERY_KINDS,
  QUERY_LIMIT_MAX,
} from "./search/query.ts";
export type * from "./search/view.ts";
export { selfOf, VIEW_BOUNDS, viewOf } from "./search/view.ts";
export type { Endowment } from "./setup/setup.ts";
export {
  commit,
  emptyState,
  rebuildCatalogue,
  type State,
  TABLE_NAMES,
  TABLES,
  type TableName,
  type WorldRow,
} from "./state.ts";
export { absentGenesis, stateProblem, validateState } from "./validate-state.ts";
