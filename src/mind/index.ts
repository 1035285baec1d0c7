export {
  type AgentConfig,
  agentConfigSchema,
  agentDefaults,
  agentFields,
  checkPersona,
  hasTools,
  hasWorkspace,
  isModelMind,
  MIND_NAMES,
  type ModuleConfig,
  moduleSettings,
  modulesNeeded,
  needsPython,
  personaMind,
  personaPlugins,
  policySettings,
  readAgentConfig,
  readStoredConfig,
  SYSTEM_PROMPT_CHARS_MAX,
  settingsOf,
  withImpliedMind,
} from "./agent-config.ts";
export type { CliStep, EndedTurn, TurnAgent, TurnSource } from "./cli/cli-mind.ts";
export { type CliSettings, cliDescription } from "./cli/cli-settings.ts";
export { type TurnCall, turnCall, turnModel } from "./cli/turn-call.ts";
export { messagesOfTurn } from "./cli/turn-prompt.ts";
export {
  type ConversationTurn,
  conversationTurns,
  groupTurnsIntoBatches,
  turnLine,
} from "./coding-agent/conversation-batch.ts";
export { installedAgents } from "./coding-agent/installed.ts";
export { killMarked, newMark } from "./coding-agent/marked-processes.ts";
export {
  AGENT_PROVIDERS,
  type AgentProgram,
  type AgentProvider,
  type McpCommand,
  providerNamed,
} from "./coding-agent/providers.ts";
export {
  type KnownSession,
  runTurn,
  type TurnRequest,
  type TurnResult,
} from "./coding-agent/run-turn.ts";
export type { Segment } from "./coding-agent/segment.ts";
export { STREAM_FORMATS, type StreamFormat } from "./coding-agent/stream/stream-reader.ts";
export { filesTouched, workOf } from "./coding-agent/tool-work.ts";
export type { AgentStatus } from "./coding-agent/turn-log.ts";
export { detectCdCommands, workingFolder } from "./coding-agent/working-folder.ts";
export {
  type Conversation,
  conversationIn,
  messagesOf,
  sessionName,
  summaryText,
} from "./conversation/conversation.ts";
export { didYouMean, meantOrAll } from "./did-you-mean.ts";
export {
  dotted,
  type Finding,
  findingsOf,
  type KeyPath,
  notAMap,
  valueAt,
} from "./finding.ts";
export { llmScorer } from "./judge/index.ts";
export { examplesIn, LibraryError, type LibraryExample, loadLibrary } from "./library/index.ts";
export { promptWith } from "./llm/agent-prompt.ts";
export { type LlmDefaults, valuesText } from "./llm/mind-settings.ts";
export { callsNeeded, leastReserved } from "./llm/thought-price.ts";
export {
  type AgentMemory,
  checkMemoryServer,
  type Embedder,
  embeddingModel,
  hashedVector,
  type MemoryQuery,
  type MemoryRecord,
  type MemoryStore,
  memoryModels,
  memoryServer,
  memorySettings,
  openMemory,
  type Recall,
  replaySettings,
  withoutServer,
  workingMemorySettings,
} from "./memory/index.ts";
export { type Decided, FREE, type Mind, type Thought, type ThoughtPrice } from "./mind.ts";
export { type MindParts, mindFor, previewFor } from "./minds.ts";
export {
  type Attempt,
  CallReader,
  CallWriter,
  type ChatMessage,
  type CostRow,
  cancelled,
  costIn,
  type Durable,
  type Environment,
  estimatedUsage,
  type Frozen,
  faultOf,
  llmSettings,
  type Model,
  ModelCosts,
  type ModelReply,
  type ModelRequest,
  missingKey,
  modelFailure,
  modelFor,
  type Pacing,
  type Pricing,
  type ProviderName,
  parseModelId,
  pricingFrom,
  providerProblems,
  type RecordedCall,
  type Recording,
  type ReplayCounts,
  readCalls,
  reasoningTokens,
  spendingIn,
  untilAborted,
  WINDOW_MS,
} from "./model/index.ts";
export type { MomentNode, MomentRecord, NodeLabel } from "./moments/moment-records.ts";
export { agentName, momentName, momentRecords, momentVerb } from "./moments/moment-records.ts";
export {
  NodeNames,
  PROSE_CHARS_COMPARED,
  termOf,
} from "./moments/salient-terms.ts";
export { WorkMoments } from "./moments/work-moments.ts";
export { commandsOf, type PluginCommand, runPluginCommand } from "./plugin/module-plugin.ts";
export type { OwnPlugin } from "./plugin/plugin-calls.ts";
export { type PolicyGuide, policyGuides } from "./policy/policies.ts";
export { SHIPPED_TOPICS } from "./policy/producer.ts";
export { type RecipeBook, recipeBookOf } from "./policy/recipe-book.ts";
export { AgentPython, missingPython } from "./python/agent-python.ts";
export {
  messageAction,
  readableAction,
  searchAction,
  WORLD_ABOUT,
  WORLD_INPUTS,
} from "./reply/world-actions.ts";
export { isWholeAt } from "./schema-keys.ts";
export { SCRIPT_WORDS } from "./script/script.ts";
export { sleepOf, sleepSchema } from "./script/sleep-schema.ts";
export { type SeatMove, type SeatSource, seatDescription } from "./seat/seat-mind.ts";
export {
  ownPromptSettings,
  promptSettings,
  ragSettings,
  SECTION_NAMES,
} from "./settings.ts";
export { AgentShell } from "./shell/agent-shell.ts";
export { HEARTBEAT } from "./sides/heartbeat.ts";
export { BUILT_IN_NAMES } from "./tools/built-in-plugins.ts";
export type { MindEvent } from "./tools/feed.ts";
export type { RunCode, TryProgram } from "./tools/tool.ts";
export { toolSettings } from "./tools/tool-settings.ts";
export type { ToolParts } from "./tools/tools-mind.ts";
export { estimateTokens } from "./units.ts";
export type { ModuleFault, ModuleRole } from "./user/messages.ts";
export { askModule, type ModuleAnswer, showFault } from "./user/module-mind.ts";
export { isModulePath, type ModuleFile, ownNameOf, pluginName } from "./user/module-path.ts";
export { type ModuleHost, ModuleThread, type UserModule } from "./user/module-thread.ts";
export type { DecideInput, UserDecision, UserMind } from "./user/user-mind.ts";
export type {
  UserAttribute,
  UserCommand,
  UserPlugin,
  UserPluginText,
  UserTool,
} from "./user/user-plugin.ts";
export { moduleUrl } from "./worker-thread.ts";
export { checkAnswers } from "./workflow/check/check-answers.ts";
export type { Evaluate } from "./workflow/workflow-ports.ts";
export { withFile } from "./workspace/edit.ts";
export { contentWith, type Files, filesIn, filesPatch, readPath } from "./workspace/files.ts";
export { shownFilesText } from "./workspace/shown-files.ts";
export { skillsIn } from "./workspace/skills.ts";
