export { BUILT_IN_MEANING, CHECK_METHOD, FREEWARE } from "./access/access.ts";
export { type Permit, parsePermit } from "./access/permit.ts";
export type * from "./action/action.ts";
export {
  ACTION_FIELDS,
  ACTION_KINDS,
  ACTIONS,
  fieldsOf,
  NOTHING_ATTACHED,
} from "./action/action.ts";
export {
  describeAction,
  parseAction,
  parseInvokeRequest,
  parseReadRequest,
  parseWriteRequest,
} from "./action/action-codec.ts";
export type * from "./agent/agent.ts";
export {
  AGENT_CAUSES,
  AGENT_STATES,
  LACKS,
  MEMORY_KINDS,
  NO_COUNTERS,
  PROPOSAL_STAGES,
  STEPS,
  WAKES_MAX,
  WAKING_KINDS,
  whyFrozen,
} from "./agent/agent.ts";
export type { Happened } from "./agent/concern.ts";
export type * from "./agent/inbox.ts";
export { seenAfter, summed, unseenOf } from "./agent/inbox.ts";
export type { WorkspaceText } from "./agent/memory.ts";
export {
  needsReview,
  unansweredDecision,
  waitingProposals,
} from "./agent/proposal.ts";
export type * from "./agent/review.ts";
export { REVIEW_DEFAULTS } from "./agent/review.ts";
export { reviewTermsOf } from "./agent/review-terms.ts";
export { wakeEvents } from "./agent/waking.ts";
export type * from "./artifact/artifact.ts";
export { customerKey, NO_USAGE } from "./artifact/artifact.ts";
export { codesOf } from "./artifact/code-history.ts";
export { patchedContent } from "./artifact/evolve-artifact.ts";
export {
  fitArgs,
  INTERFACE_KEYS,
  interfaceProblem,
  METHOD_KEYS,
} from "./artifact/interface.ts";
export { fit, schemaProblem } from "./artifact/json-schema.ts";
export type { WriteResult } from "./artifact/write.ts";
export type * from "./command.ts";
export { accept, refuse } from "./command.ts";
export type { ComputeBid, SaleResult, StandingOrder } from "./compute/compute-state.ts";
export { nextSaleAt, offersCompute, saleIn } from "./compute/supply.ts";
export { decide } from "./decide.ts";
export type * from "./event.ts";
export { ACTION_ENDS, endsAction } from "./event.ts";
export { evolve } from "./evolve.ts";
export { areRelated, headOf, rootOf } from "./family/family.ts";
export { exampleSale } from "./genesis/compute.ts";
export { type ShownMessage, shownMessage } from "./genesis/messenger.ts";
export { exampleAuction, exampleBids } from "./genesis/mint.ts";
export { EXAMPLES_AT_MS, interfaceOf, type NativeArtifact } from "./genesis/native.ts";
export { isNative, NATIVES, nativesIn } from "./genesis/natives.ts";
export { quotasOf } from "./genesis/rights-registry.ts";
export { checkInvariants, STATE_INVARIANTS, violations } from "./invariants.ts";
export { NOTICE_CHARS_MAX, NOTIFIED_MAX } from "./invocation/invocation.ts";
export { principalSubject, type Subject } from "./invocation/subject.ts";
export type * from "./ledger/account.ts";
export { grantKey } from "./ledger/account.ts";
export { windowLeft, windowsLeft } from "./ledger/quota.ts";
export type * from "./ledger/rolling-window.ts";
export { entriesOf, windowOf } from "./ledger/rolling-window.ts";
export { unwantedRefusal } from "./messages/contacts.ts";
export { mailboxOf, owedFor, questionOf } from "./messages/mailbox.ts";
export type * from "./messages/message.ts";
export { MESSENGER_ID, OPERATOR, RESETS } from "./messages/message.ts";
export type * from "./mint/mint-state.ts";
export { closesAt, flowKey } from "./mint/mint-state.ts";
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
  textProblem,
} from "./primitives/json.ts";
export { type Log, logItems, logOf } from "./primitives/log.ts";
export {
  BoundedResults,
  memoized,
  memoizedFold,
  memoizedMap,
  sameItems,
} from "./primitives/memoized.ts";
export { type Patch, patchOf } from "./primitives/patch.ts";
export { draw, fnv1a, type PrngState, seedPrng } from "./primitives/prng.ts";
export type { Result, WithProblem } from "./primitives/result.ts";
export { type Secret, sipHash, wordsOf } from "./primitives/siphash.ts";
export type { Table } from "./primitives/table.ts";
export { codeGuide, REFUSAL_CODES, type Refusal, type RefusalCode, refusal } from "./refusal.ts";
export type * from "./schedule/schedule.ts";
export { scheduledText } from "./schedule/schedule.ts";
export { EVENT_KINDS } from "./search/event-kinds.ts";
export {
  answerQuery,
  customersOf,
  FILTER_PARTS_MAX,
  QUERY_KINDS,
  QUERY_LIMIT_MAX,
} from "./search/query.ts";
export type * from "./search/view.ts";
export { lazyViewOf, scarceResource, selfOf, VIEW_BOUNDS, viewOf } from "./search/view.ts";
export type * from "./setup/physics.ts";
export { COMPUTE_SALES, PROCEEDS_USES, perResource, RESOURCES } from "./setup/physics.ts";
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
  WORKSPACE_TYPE,
  type WorldRow,
  worldRow,
} from "./state.ts";
