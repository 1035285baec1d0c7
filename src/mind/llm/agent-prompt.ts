import type { View } from "../../kernel/index.ts";
import { type Recalled, renderWorkingMemory, workingMemoryOf } from "../memory/index.ts";
import { buildPrompt, type Prompt } from "../prompt/index.ts";
import { replyGuide } from "../reply/index.ts";
import type { LlmParts } from "./llm-mind.ts";
import type { MindSettings } from "./mind-settings.ts";

/** What an agent sees, and what comes to its mind with it. */
export type Impression = { readonly view: View; readonly memories: readonly Recalled[] };

/** The parts of a run that bear on prompts. */
type PromptParts = Pick<LlmParts, "actionsGuide" | "sleepMaxS" | "warn">;

/** The prompt of an agent as things stand: what it sees, recalls and keeps in mind. */
export const promptWith = (
  settings: MindSettings,
  parts: PromptParts,
  { view, memories }: Impression,
): Prompt =>
  buildPrompt({
    view,
    persona: settings.systemPrompt,
    founder: view.family.parent === null,
    settings: settings.prompt,
    actionsGuide: parts.actionsGuide,
    replyGuide: replyGuide(settings.cognitiveSchema, parts),
    memories,
    workingMemory: shownWorkingMemory(view, settings, parts),
  });

const NONE_YET =
  "You have none yet. Write one to the artifact named after you with _working_memory behind it: " +
  "an object with current_goal, progress, lessons and strategic_objectives. " +
  "Nobody else reads it unless you give it another access.";

const shownWorkingMemory = (
  view: View,
  { workingMemory }: MindSettings,
  { warn }: PromptParts,
): string => {
  if (!workingMemory.enabled) return "";
  const value = workingMemoryOf(view.content, view.workingMemoryText);
  if (value === null && workingMemory.warn_on_missing) warn(`${view.id} has no working memory`);
  if (!workingMemory.auto_inject) return "";
  return value === null ? NONE_YET : renderWorkingMemory(value, workingMemory);
};
