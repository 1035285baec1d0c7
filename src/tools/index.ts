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
export { HEARTBEAT } from "./tool/heartbeat.ts";
