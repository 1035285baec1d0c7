export {
  type AgentConfig,
  agentConfigSchema,
  agentFields,
  checkAgent,
  isModelMind,
  readAgentConfig,
  SYSTEM_PROMPT_CHARS_MAX,
} from "./agent-config.ts";
export type { Frozen } from "./frozen.ts";
export { llmScorer } from "./judge/index.ts";
export { LibraryError, loadLibrary } from "./library/index.ts";
export {
  callsNeeded,
  firstQuestions,
  type LlmDefaults,
  type MemoryBackend,
  type MindSettings,
  promptWith,
  settingsOf,
  type WorkflowParts,
} from "./llm/index.ts";
export {
  type MemorySettings,
  type MemoryStore,
  memorySettings,
  memoryStoreFor,
} from "./memory/index.ts";
export type { Decided, Mind, Thought } from "./mind.ts";
export { type MindParts, mindFor } from "./minds.ts";
export {
  type Attempt,
  CallReader,
  CallWriter,
  type CostRow,
  costIn,
  type Durable,
  type Environment,
  type LlmSettings,
  llmSettings,
  type Model,
  ModelCosts,
  modelFor,
  NO_CALLS,
  outlayIn,
  type Pacing,
  parseModelId,
  pricingFrom,
  providerProblems,
  type RecordedCall,
  type Recording,
  type ReplayCounts,
  readCalls,
  WINDOW_MS,
} from "./model/index.ts";
export { didYouMean, nearestFirst, nearestOf } from "./nearest.ts";
export { type KnowHow, knowHowOf } from "./policy/know-how.ts";
export { type PolicyGuide, policyGuides } from "./policy-guide.ts";
export type { Prompt } from "./prompt/index.ts";
export { SCRIPT_WORDS } from "./script/script.ts";
export {
  ownPromptSettings,
  promptSettings,
  ragSettings,
  SECTION_NAMES,
  workingMemorySettings,
} from "./settings.ts";
export type { Evaluate, StepPrompt } from "./workflow/index.ts";
