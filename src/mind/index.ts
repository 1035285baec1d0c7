export {
  type AgentConfig,
  agentConfigSchema,
  agentDefaults,
  agentFields,
  checkPersona,
  isModelMind,
  MIND_NAMES,
  type ModuleConfig,
  moduleSettings,
  personaMind,
  policySettings,
  readAgentConfig,
  readStoredConfig,
  SYSTEM_PROMPT_CHARS_MAX,
} from "./agent-config.ts";
export { closestFirst, closestWord, didYouMean } from "./did-you-mean.ts";
export { llmScorer } from "./judge/index.ts";
export { LibraryError, loadLibrary } from "./library/index.ts";
export { type LlmParts, previewOf, promptWith } from "./llm/llm-mind.ts";
export { type LlmDefaults, settingsOf } from "./llm/mind-settings.ts";
export { callsNeeded } from "./llm/thinking.ts";
export {
  checkMemoryServer,
  embeddingModel,
  type MemoryStore,
  memoryModels,
  memorySettings,
  openMemory,
  replaySettings,
} from "./memory/index.ts";
export { type Decided, FREE, type Mind, type Thought } from "./mind.ts";
export { type MindParts, mindFor } from "./minds.ts";
export {
  type Attempt,
  CallReader,
  CallWriter,
  type CostRow,
  costIn,
  type Durable,
  type Environment,
  llmSettings,
  type Model,
  ModelCosts,
  modelFor,
  type Pacing,
  parseModelId,
  pricingFrom,
  providerProblems,
  type RecordedCall,
  type Recording,
  type ReplayCounts,
  readCalls,
  reasoningTokens,
  spendingIn,
  WINDOW_MS,
} from "./model/index.ts";
export { type PolicyGuide, policyGuides } from "./policy/policies.ts";
export { SHIPPED_TOPICS } from "./policy/producer.ts";
export { type RecipeBook, recipeBookOf } from "./policy/recipe-book.ts";
export type { Prompt } from "./prompt/prompt.ts";
export { SCRIPT_WORDS } from "./script/script.ts";
export {
  type Frozen,
  ownPromptSettings,
  promptSettings,
  ragSettings,
  SECTION_NAMES,
  workingMemorySettings,
} from "./settings.ts";
export {
  isModulePath,
  loadUserMind,
  moduleNameFor,
  type UserModule,
} from "./user/load-user-mind.ts";
export { moduleMind } from "./user/module-mind.ts";
export type { Choice, Occasion, UserMind } from "./user/user-mind.ts";
export { checkAnswers } from "./workflow/check/check-answers.ts";
export type { Evaluate } from "./workflow/workflow-ports.ts";
