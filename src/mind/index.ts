export {
  CLI_SYSTEM_PROMPT,
  type CliSettings,
  type CliStep,
  CODING_AGENTS,
  cliDescription,
  cliMind,
  cliSettings,
  type KnownSession,
  messagesOfTurn,
  STREAM_FORMATS,
  type TurnAgent,
  type TurnSource,
} from "./cli-mind.ts";
export {
  addIssues,
  dotted,
  type Finding,
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
export {
  COGNITIVE_SCHEMAS,
  type LlmDefaults,
  type MindSettings,
  type Own,
  ownPromptSettings,
  promptSettings,
  ragSettings,
  SECTION_NAMES,
  valuesText,
} from "./core/settings.ts";
export { sleepOf, sleepSchema, WAKES } from "./core/sleep.ts";
export {
  asJson,
  checkedOnce,
  namesIn,
  readMemory,
  recordOf,
  withoutUndefined,
} from "./core/stored-memory.ts";
export {
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
export { inputMaxOf, type Terms, Thinking } from "./llm/thinking.ts";
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
} from "./prompt/messages.ts";
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
export { entrySchema, SCRIPT_WORDS, scriptMind } from "./script-mind.ts";
export {
  type SeatMove,
  type SeatSource,
  seatDescription,
  seatMind,
  seatSettings,
} from "./seat-mind.ts";
export type { ModuleCall, ModuleFault, ModuleInput, ModuleRole } from "./user/messages.ts";
export { askModule, type ModuleAnswer, moduleMind, showFault } from "./user/module-mind.ts";
export {
  isModuleName,
  isModulePath,
  type ModuleFile,
  type ModulePath,
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
