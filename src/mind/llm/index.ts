export { promptWith } from "./agent-prompt.ts";
export { llmMind } from "./llm-mind.ts";
export { type LlmDefaults, type MindSettings, settingsOf } from "./mind-settings.ts";
export type { MemoryBackend } from "./recalling.ts";
export { callsNeeded } from "./thought-price.ts";
export { firstQuestions, type WorkflowParts, workflowMind } from "./workflow-mind.ts";
