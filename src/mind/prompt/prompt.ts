import type { View } from "../../kernel/index.ts";
import type { Recalled } from "../../memory/index.ts";
import type { PromptSettings, SectionName } from "../core/settings.ts";

export type PromptSource = {
  readonly view: View;
  readonly persona: string;
  readonly founder: boolean;
  readonly settings: PromptSettings;
  readonly actionsGuide: string;
  readonly replyGuide: string;
  /** What plugins and the files of a workspace add to the system text. */
  readonly pluginText?: string;
  /** The end of the prompt. By default, it asks for an action in the required form. */
  readonly question?: string;
  readonly memories: readonly Recalled[];
  /** The working memory to show. Empty if there is none. */
  readonly workingMemory: string;
  /** A limit in addition to `settings.budget_tokens`: the tokens that the agent can pay for. */
  readonly tokensMax: number;
};

/**
 * `question` is the end of the prompt. It lists the omitted sections too. An agent with tools has
 * its tools and the texts of its plugins, and in the middle of a turn its conversation instead of
 * the sections.
 */
export type PromptPart = {
  readonly name: "system" | SectionName | "question" | "tools" | "conversation" | "plugins";
  readonly text: string;
  readonly tokens: number;
  readonly cutTokens: number;
};

/** `system` stays the same between thoughts; `prompt` changes. All token counts are estimates. */
export type Prompt = {
  readonly system: string;
  readonly prompt: string;
  readonly parts: readonly PromptPart[];
  readonly tokens: number;
};

type SectionSettings = {
  readonly title: string;
  /** If the prompt is too long, sections with a lower priority are cut first. */
  readonly priority: number;
  readonly tokensMax: number;
  /** Which lines to keep if the section is too long: the first lines or the last lines. */
  readonly keeps: "start" | "end";
  /** True if the section may hold text of other agents. The section is then fenced as data. */
  readonly foreign: boolean;
};

/** A part of a prompt. `lines` depends only on the source. A section without lines is omitted. */
export type Section = SectionSettings & {
  readonly lines: (source: PromptSource) => readonly string[];
};

type Given = Pick<SectionSettings, "title" | "priority" | "tokensMax"> & Partial<SectionSettings>;

export const section = (given: Given, lines: Section["lines"]): Section => ({
  keeps: "start",
  foreign: false,
  ...given,
  lines,
});
