export { type LlmSettings, llmSettings } from "./llm-settings.ts";
export {
  type Attempt,
  MODEL_FAULTS,
  type Model,
  type ModelAnswer,
  type ModelFailure,
  type ModelFault,
  type ModelReply,
  type ModelRequest,
  NO_TOKENS,
  type ReplyForm,
  type TokenUsage,
} from "./model.ts";
export { type CostRow, ModelCosts, NO_CALLS } from "./model-costs.ts";
export { type ModelFor, type ModelForParts, modelFor } from "./model-for.ts";
export { parseModelId } from "./model-id.ts";
export type { Durable } from "./output-commit.ts";
export { type Pricing, pricingFrom } from "./pricing.ts";
export { type Environment, providerProblems } from "./providers.ts";
export {
  type RecordedCall,
  type RecordedRequest,
  requestKey,
} from "./recorded-call.ts";
export {
  type CallRead,
  CallReader,
  CallWriter,
  costIn,
  outlayIn,
  readCalls,
} from "./recorded-call-codec.ts";
export type { Recording, ReplayCounts } from "./replaying.ts";
export { WINDOW_MS } from "./sliding-window.ts";
export { realTime, type Time } from "./time.ts";
export type { Pacing } from "./turns.ts";
export { worstCase } from "./usage.ts";
export { readVectors, VECTORS } from "./vectors.ts";
