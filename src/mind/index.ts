export { addIssues } from "./add-issues.ts";
export { dotted, type Finding, findingsOf, type KeyPath, notAMap, valueAt } from "./finding.ts";
export { llmScorer } from "./judge/index.ts";
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
export { recallFor, recollectionOf, workingMemoryNotes } from "./llm/memories.ts";
export { type LlmDefaults, type MindSettings, type Own, valuesText } from "./llm/mind-settings.ts";
export { inputMaxOf, type Terms, Thinking } from "./llm/thinking.ts";
export {
  answerFor,
  hasMessenger,
  messageOf,
  messageText,
  owedAnswer,
  sendAction,
  sentIn,
} from "./messages/answer.ts";
export {
  type Decided,
  type FailedThought,
  FREE,
  type Mind,
  type Thought,
  type ThoughtPrice,
} from "./mind.ts";
export {
  asJson,
  checkedOnce,
  namesIn,
  readMemory,
  recordOf,
  withoutUndefined,
} from "./mind-memory-codec.ts";
export { buildPrompt, promptBounds } from "./prompt/build-prompt.ts";
export { fenced, fenceless, framed, oneLine } from "./prompt/fence.ts";
export type { Prompt, PromptPart, PromptSource } from "./prompt/prompt.ts";
export { waitingText } from "./prompt/sections/messages.ts";
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
export { isWholeAt } from "./schema-keys.ts";
export { entrySchema, SCRIPT_WORDS, scriptMind } from "./script/script.ts";
export { sleepOf, sleepSchema, WAKES } from "./script/sleep-schema.ts";
export {
  type SeatMove,
  type SeatSource,
  seatDescription,
  seatMind,
  seatSettings,
} from "./seat/seat-mind.ts";
export {
  COGNITIVE_SCHEMAS,
  ownPromptSettings,
  promptSettings,
  ragSettings,
  SECTION_NAMES,
} from "./settings.ts";
export type { ModuleCall, ModuleFault, ModuleInput, ModuleRole } from "./user/messages.ts";
export { calledWith } from "./user/module-call.ts";
export { askModule, type ModuleAnswer, moduleMind, showFault } from "./user/module-mind.ts";
export {
  isModuleName,
  isModulePath,
  type ModuleFile,
  type ModulePath,
  ownNameOf,
  pluginName,
} from "./user/module-path.ts";
export { type ModuleHost, ModuleThread, type UserModule } from "./user/module-thread.ts";
export type { DecideInput, UserDecision, UserMind } from "./user/user-mind.ts";
export type {
  PluginReply,
  Retention,
  UserAttribute,
  UserCommand,
  UserPlugin,
  UserPluginText,
  UserTool,
} from "./user/user-plugin.ts";
