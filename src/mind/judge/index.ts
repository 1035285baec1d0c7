export { llmScorer } from "./llm-scorer.ts";
