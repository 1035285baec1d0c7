export type { Durable, Pacing } from "./limits/pacing.ts";
export { WINDOW_MS } from "./limits/rate-limit.ts";
export { addressProblem, type LlmSettings, llmSettings } from "./llm-settings.ts";
export {
  type Attempt,
  MODEL_FAULTS,
  type Model,
  type ModelFault,
  type ModelReply,
  type ModelRequest,
  NO_TOKENS,
  type ReplyForm,
} from "./model.ts";
export { modelFor } from "./model-for.ts";
export { type CostRow, ModelCosts, NO_CALLS, type Pricing, pricingFrom } from "./pricing.ts";
export { type Environment, parseModelId, providerProblems } from "./providers.ts";
export { CallReader, CallWriter, costIn, readCalls, spendingIn } from "./recorded-call-codec.ts";
export type { RecordedCall, Recording, ReplayCounts } from "./recording.ts";
export { realTime, type Time, untilAborted } from "./time.ts";
export { readVectors, VECTORS } from "./vectors.ts";
