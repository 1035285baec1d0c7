export {
  blocksIn,
  type ChatBlock,
  type ChatMessage,
  chatMessage,
  messageJson,
  resultsText,
  soundText,
  type ToolResult,
  toolResult,
  writtenMessages,
} from "./chat.ts";
export {
  attributesOfResponse,
  attributesWithCalls,
  blocksOfResponse,
  CALLS_NAME,
  readToolCalls,
  responseOfBlocks,
} from "./chat-text/calls-in-text.ts";
export { endOfObject, extractJson } from "./chat-text/json-in-text.ts";
export { type ResponseAttribute, responseGuide } from "./chat-text/response-text.ts";
export {
  blocksOfScript,
  RUN_CODE_NAME,
  SCRIPT_LANGUAGES,
  type ScriptLanguage,
  scriptOfBlocks,
} from "./chat-text/script-text.ts";
export type { Frozen } from "./frozen.ts";
export type { Durable, Pacing } from "./limits/pacing.ts";
export { WINDOW_MS } from "./limits/rate-limit.ts";
export { addressProblem, llmSettings, replyTokensMax } from "./llm-settings.ts";
export type {
  Attempt,
  Model,
  ModelFault,
  ModelReply,
  ModelRequest,
  ReplyDelta,
  ReplyForm,
  Retry,
  ToolOffer,
} from "./model.ts";
export {
  type ChatForm,
  cancelled,
  chatForm,
  faultOf,
  modelFailure,
  NO_TOKENS,
} from "./model.ts";
export { modelFor } from "./model-for.ts";
export { type CostRow, ModelCosts, type Pricing, pricingFrom, type TokenBound } from "./pricing.ts";
export {
  type Environment,
  missingKey,
  type ProviderName,
  parseModelId,
  providerProblems,
} from "./providers.ts";
export { outputTokensMax, type Reasoning, reasoningSetting, reasoningTokens } from "./reasoning.ts";
export {
  CallReader,
  CallWriter,
  costIn,
  readCalls,
  spendingIn,
} from "./recording/recorded-call-codec.ts";
export {
  type RecordedCall,
  type Recording,
  type ReplayCounts,
  requestKey,
  TURN_FORM,
} from "./recording/recording.ts";
export { delay, realTime, type Time, untilAborted } from "./time.ts";
export {
  cutToTokens,
  estimateTokens,
  seconds,
  tokensOfUnits,
  unitsOfTokens,
  usd,
} from "./units.ts";
export { estimatedUsage, worstCase } from "./usage.ts";
export { readVectors, VECTORS } from "./vectors.ts";
