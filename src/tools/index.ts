export {
  type Conversation,
  conversationIn,
  messagesOf,
  sessionName,
  summaryText,
} from "./conversation/conversation.ts";
export type { MindEvent } from "./feed.ts";
export {
  commandsOf,
  modulePlugin,
  type OwnPlugin,
  type PluginCommand,
  runPluginCommand,
} from "./plugin/module-plugin.ts";
export { BUILT_IN_NAMES } from "./plugin/plugins.ts";
export { AgentPython, missingPython } from "./python/agent-python.ts";
export { AgentShell } from "./shell/agent-shell.ts";
export type { ToolAgent } from "./step-source.ts";
export { HEARTBEAT } from "./tool/heartbeat.ts";
export type { RunCode, TryProgram } from "./tool/tool.ts";
export { toolSettings } from "./tool/tool-settings.ts";
export { type ToolParts, toolsMind, toolsPreview } from "./tools-mind.ts";
export { withFile } from "./workspace/edit.ts";
export { contentWith, type Files, filesIn, filesPatch, readPath } from "./workspace/files.ts";
export { shownFilesText, skillsIn } from "./workspace/shown-files.ts";
