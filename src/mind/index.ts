export {
  type AgentConfig,
  agentConfigSchema,
  POLICY_NAMES,
  readAgentConfig,
} from "./agent-config.ts";
export { LibraryError, loadLibrary } from "./library/index.ts";
export type { Mind, Thought, ThoughtPrice } from "./mind.ts";
export { type MindParts, mindFor } from "./minds.ts";
export { type KnowHow, knowHowOf } from "./policy/know-how.ts";
