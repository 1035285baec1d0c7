import type { View } from "../../kernel/index.ts";
import type { Recalled } from "../memory/index.ts";
import type { PromptSettings, SectionName } from "../settings.ts";

/** All that a prompt is made of. */
export type PromptSource = {
  readonly view: View;
  /** Who the agent is told to be: its system prompt. */
  readonly persona: string;
  /** True for agents of the first day, false for those born on the way. */
  readonly founder: boolean;
  readonly settings: PromptSettings;
  /** How to act, the same text as the handbook's page. */
  readonly actionsGuide: string;
  /** How to answer: the form of a reply in words. */
  readonly replyGuide: string;
  readonly memories: readonly Recalled[];
  /** The agent's working memory as it is to be shown; empty for none. */
  readonly workingMemory: string;
};

/** What became of one section. */
export type PromptPart = {
  readonly name: "system" | SectionName;
  /** As it stands in the prompt; empty where it was cut altogether. */
  readonly text: string;
  readonly tokens: number;
  /** Tokens that were cut away; 0 where all of it is there. */
  readonly cutTokens: number;
};

/** `system` is the part that stays the same; `prompt` is what changes. Tokens are estimates. */
export type Prompt = {
  readonly system: string;
  readonly prompt: string;
  readonly parts: readonly PromptPart[];
  readonly tokens: number;
};
