export { checkAnswers } from "./check-answers.ts";
export { workflowSchema } from "./check-workflow.ts";
export { type LlmParts, llmMind, type Preview, previewOf } from "./llm-mind.ts";
export { callsNeeded, leastReserved } from "./thought-price.ts";
export type { Evaluate } from "./workflow-ports.ts";
