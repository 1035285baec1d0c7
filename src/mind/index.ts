export { cliKind, messagesOfTurn } from "./cli-mind.ts";
export {
  addIssues,
  dotted,
  type Finding,
  FORM_HINTS,
  findingsOf,
  firstIssue,
  isWholeAt,
  type KeyPath,
  notAMap,
  valueAt,
} from "./core/findings.ts";
export {
  type Decided,
  type FailedThought,
  FREE,
  type Mind,
  type Thought,
  type ThoughtPrice,
} from "./core/mind.ts";
export { hasTurns, isPlayed, PLAYED_MINDS } from "./core/mind-names.ts";
export {
  agentDefaults,
  cognitiveSchemaKey,
  mindSettingsOf,
  modelKeys,
  SYSTEM_PROMPT_CHARS_MAX,
  workingMemoryKey,
} from "./core/model-settings.ts";
export {
  type CliSettings,
  type CliStep,
  CODING_AGENTS,
  type KnownSession,
  SESSION_ID,
  type SeatMove,
  type SeatSource,
  STREAM_FORMATS,
  type TurnAgent,
  type TurnSource,
} from "./core/move-sources.ts";
export {
  type LlmDefaults,
  type MindSettings,
  type Own,
  promptSettings,
  ragSettings,
  SECTION_NAMES,
  type ShippedSettings,
  valuesText,
} from "./core/settings.ts";
export { sleepOf, sleepSchema, WAKES } from "./core/sleep.ts";
export {
  asJson,
  checkedOnce,
  namesIn,
  readMemory,
  recordOf,
} from "./core/stored-memory.ts";
export {
  type ConfigOf,
  type LoadedKind,
  type MindConfig,
  type MindKeys,
  type MindKind,
  type MindParts,
  mindKind,
  type OpenKind,
  type Preview,
  type PreviewParts,
  type Remark,
} from "./kind.ts";
export {
  leastReserved,
  type PromptParts,
  promptSource,
  promptWith,
  type Seen,
  stepPromptWith,
  stepSystemText,
  stepTokens,
  systemSource,
  visibleTo,
} from "./llm/agent-prompt.ts";
export { llmScorer } from "./llm/judge.ts";
export { recallFor, recollectionOf, workingMemoryNotes } from "./llm/memories.ts";
export { modelTemplate, PROMPT_FILES, remark } from "./llm/template.ts";
export { inputMaxOf, type Terms, Thinking } from "./llm/thinking.ts";
export { type ModuleConfig, moduleKind } from "./module-kind.ts";
export { buildPrompt, promptBounds } from "./prompt/build-prompt.ts";
export { fenced, fenceless, framed, oneLine } from "./prompt/fence.ts";
export {
  answerFor,
  hasMessenger,
  messageOf,
  messageText,
  owedAnswer,
  sendAction,
  sentIn,
  waitingText,
} from "./prompt/message-sections.ts";
export type { Prompt, PromptPart, PromptSource } from "./prompt/prompt.ts";
export { systemText } from "./prompt/system-text.ts";
export {
  type AnswerReader,
  type Ask,
  askUntilRead,
  type Failure,
  type ModelQuestion,
  type ReadResult,
} from "./reply/ask-until-read.ts";
export { decisionReader, type Reply } from "./reply/read-reply.ts";
export { REPLY_FORMS } from "./reply/reply-form.ts";
export {
  messageAction,
  readableAction,
  searchAction,
  WORLD_ABOUT,
  WORLD_INPUTS,
} from "./reply/world-actions.ts";
export { SCRIPT_WORDS, scriptKind } from "./script-mind.ts";
export { offMind, seatKind } from "./seat-mind.ts";
export type { ModuleCall, ModuleFault, ModuleInput, ModuleRole } from "./user/messages.ts";
export { askModule, type ModuleAnswer, showFault } from "./user/module-mind.ts";
export {
  isModuleName,
  isModulePath,
  type ModuleFile,
  ownNameOf,
  pluginName,
} from "./user/module-path.ts";
export {
  calledWith,
  type ModuleHost,
  ModuleThread,
  type UserModule,
} from "./user/module-thread.ts";
export type {
  DecideInput,
  PluginReply,
  Retention,
  UserAttribute,
  UserCommand,
  UserDecision,
  UserMind,
  UserPlugin,
  UserPluginText,
  UserTool,
} from "./user/module-types.ts";
