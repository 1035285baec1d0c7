export {
  type AgentConfig,
  agentConfigSchema,
  readAgentConfig,
} from "./agent-config.ts";
export { LibraryError, loadLibrary } from "./library/index.ts";
export type { Mind, Thought, ThoughtPrice } from "./mind.ts";
export { type MindParts, mindFor } from "./minds.ts";
export { type KnowHow, knowHowOf } from "./policy/know-how.ts";
export { type PolicyGuide, policyGuides } from "./policy-guide.ts";
export { SCRIPT_WORDS } from "./script/script.ts";
