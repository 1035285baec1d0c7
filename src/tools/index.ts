export { BUILT_IN_NAMES } from "./built-in-plugins.ts";
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
  type PluginCommand,
  runPluginCommand,
} from "./plugin/module-plugin.ts";
export type { OwnPlugin } from "./plugin/plugin-calls.ts";
export { AgentPython, missingPython } from "./python/agent-python.ts";
export { AgentShell } from "./shell/agent-shell.ts";
export { HEARTBEAT } from "./sides/heartbeat.ts";
export type { ToolAgent } from "./step-source.ts";
export type { RunCode, TryProgram } from "./tool.ts";
export { toolSettings } from "./tool-settings.ts";
export { type ToolParts, toolsMind } from "./tools-mind.ts";
export { toolsPreview } from "./tools-preview.ts";
export { withFile } from "./workspace/edit.ts";
export { contentWith, type Files, filesIn, filesPatch, readPath } from "./workspace/files.ts";
export { shownFilesText } from "./workspace/shown-files.ts";
export { skillsIn } from "./workspace/skills.ts";
