export { type LlmParts, llmMind, promptWith } from "./llm-mind.ts";
export { type LlmDefaults, type MindSettings, settingsOf } from "./mind-settings.ts";
export type { MemoryBackend } from "./recalling.ts";
export { callsNeeded, type WorkflowParts, workflowMind } from "./workflow-mind.ts";
