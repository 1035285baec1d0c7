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
export type { Durable, Pacing } from "./limits/pacing.ts";
export { WINDOW_MS } from "./limits/rate-limit.ts";
export { llmSettings, replyTokensMax } from "./llm-settings.ts";
export { READ_SECTIONS } from "./mock/prompt-facts.ts";
export { modelFor } from "./model-for.ts";
export { addressProblem } from "./port/address.ts";
export {
  blocksIn,
  type ChatBlock,
  type ChatMessage,
  callsOf,
  chatMessage,
  messageJson,
  resultsText,
  soundText,
  type ToolCall,
  type ToolResult,
  textsOf,
  toolResult,
  writtenMessages,
} from "./port/chat.ts";
export type {
  Attempt,
  Frozen,
  Model,
  ModelFault,
  ModelReply,
  ModelRequest,
  ReplyDelta,
  ReplyForm,
  Retry,
  ToolOffer,
} from "./port/model.ts";
export { type ChatForm, chatForm, faultOf, modelFailure, NO_TOKENS } from "./port/model.ts";
export {
  outputTokensMax,
  type Reasoning,
  reasoningSetting,
  reasoningTokens,
} from "./port/reasoning.ts";
export { delay, realTime, type Time, untilAborted } from "./port/time.ts";
export {
  cutToTokens,
  estimateTokens,
  seconds,
  tokensOfUnits,
  unitsOfTokens,
  usd,
} from "./port/units.ts";
export { type TokenBound, worstCase } from "./port/usage.ts";
export { readVectors, VECTORS } from "./port/vectors.ts";
export { type CostRow, ModelCosts, type Pricing, pricingFrom } from "./providers/pricing.ts";
export type { Environment, ProviderProblem } from "./providers/provider.ts";
export {
  canEmbed,
  keyVariables,
  mayBeFree,
  missingKey,
  parseModelId,
  providerProblems,
} from "./providers/providers.ts";
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
