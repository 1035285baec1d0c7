export { buildPrompt } from "./build-prompt.ts";
export { fenced, oneLine } from "./fence.ts";
export type { Prompt, PromptPart, PromptSource } from "./prompt.ts";
