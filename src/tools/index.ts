export {
  type Conversation,
  conversationIn,
  messagesOf,
  sessionName,
  summaryText,
} from "./conversation/conversation.ts";
export type { MindEvent } from "./feed.ts";
export type { ToolsConfig } from "./keys.ts";
export {
  commandsOf,
  type OwnPlugin,
  type PluginCommand,
  runPluginCommand,
} from "./plugin/module-plugin.ts";
export { missingPython } from "./python/find-python.ts";
export { HEARTBEAT } from "./tool/heartbeat.ts";
export { withFile } from "./workspace/edit.ts";
export { contentWith, type Files, filesIn, filesPatch, readPath } from "./workspace/files.ts";
export { shownFilesText, skillsIn } from "./workspace/shown-files.ts";
