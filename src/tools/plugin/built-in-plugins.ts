import { unseenOf } from "../../kernel/index.ts";
import { buildPrompt, type PromptSource, SECTION_NAMES, waitingText } from "../../mind/index.ts";
import { seconds, usd } from "../../model/index.ts";
import { SIDE_TOOLS } from "../tool/side-tools.ts";
import { BASH, WORKSPACE_TOOLS } from "../tool/workspace-tools.ts";
import { WORLD_TOOLS } from "../tool/world-tools.ts";
import { type ShownFiles, shownFilesText } from "../workspace/shown-files.ts";
import type { Plugin } from "./plugin.ts";

/** What an agent sees at the start of a turn. */
export const situationOf = (source: PromptSource): string => {
  const { settings } = source;
  // Each message starts a turn of its own.
  const sections = { ...settings.sections, messages: { enabled: false } };
  return buildPrompt({ ...source, settings: { ...settings, sections } }).prompt;
};

/** The situation stays until the turn ends, so that no later call pays for old news. */
const SITUATION: Plugin = {
  name: "situation",
  contribute: ({ source, isTurnStart }) =>
    isTurnStart ? { texts: [{ text: situationOf(source), keep: "turn", show: true }] } : {},
};

const ONLY_INBOX = Object.fromEntries(
  SECTION_NAMES.map((name) => [name, { enabled: name === "inbox" }] as const),
);

const inboxOf = (source: PromptSource): string =>
  buildPrompt({ ...source, settings: { ...source.settings, sections: ONLY_INBOX } }).prompt;

/** What an agent must know in the middle of a turn: time, means, and what is new in its inbox. */
const newsOf = (source: PromptSource): string => {
  const { view } = source;
  const { scrip, llmBudgetMicros } = view.account;
  const means = `${scrip} scrip, ${usd(llmBudgetMicros)} of model budget`;
  const now = `[${seconds(view.now)}; ${means}${waitingText(view.mailbox)}]`;
  const isNew = unseenOf(view.inbox).length > 0 || view.inbox.sums.length > 0;
  return isNew ? `${now}\n${inboxOf(source)}` : now;
};

const NEWS: Plugin = {
  name: "news",
  contribute: ({ source, isTurnStart, hasActed }) =>
    hasActed && !isTurnStart ? { texts: [{ text: newsOf(source), keep: true, show: true }] } : {},
};

const WORLD: Plugin = { name: "world", contribute: () => ({ tools: WORLD_TOOLS }) };

const WORKSPACE: Plugin = {
  name: "workspace",
  contribute: () => ({ tools: WORKSPACE_TOOLS, slowTools: SLOW_TOOLS }),
};

const SLOW_TOOLS = [BASH, ...SIDE_TOOLS];

/** The tools of an agent without plugins of its own. */
export const BUILT_IN_TOOLS = {
  tools: [...WORLD_TOOLS, ...WORKSPACE_TOOLS],
  slowTools: SLOW_TOOLS,
  attributes: [],
};

/** Shows files of the workspace in the system text. */
const filesPlugin = (agent: object, shown: ShownFiles): Plugin => ({
  name: "files",
  contribute: ({ source }) => {
    const content = source.view.workspace?.text ?? "";
    return { system: shownFilesText(agent, { content, ...shown }) };
  },
});

/** All plugins of an agent. The files come last in the system text, because they change. */
export const pluginsWith = (
  agent: { readonly plugins: readonly Plugin[] },
  files: ShownFiles,
): readonly Plugin[] => [
  WORLD,
  WORKSPACE,
  ...agent.plugins,
  filesPlugin(agent, files),
  SITUATION,
  NEWS,
];

/** The names that plugins of a user cannot have. */
export const BUILT_IN_NAMES = ["world", "workspace", "files", "situation", "news"];
