export { checkAnswers, workflowSchema } from "./check-workflow.ts";
export {
  callsNeeded,
  type LlmParts,
  leastReserved,
  llmMind,
  type Preview,
  previewOf,
} from "./llm-mind.ts";
export type { Evaluate } from "./progress.ts";
