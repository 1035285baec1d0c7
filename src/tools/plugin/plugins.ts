import { type Json, unseenOf, type View } from "../../kernel/index.ts";
import {
  buildPrompt,
  type ModuleFault,
  type PluginReply,
  type PromptSource,
  SECTION_NAMES,
  waitingText,
} from "../../mind/index.ts";
import { type ResponseAttribute, seconds, usd } from "../../model/index.ts";
import { type AddedText, addedAt, type PluginText } from "../conversation/added-texts.ts";
import { SIDE_TOOLS } from "../tool/side-tools.ts";
import type { Tool, ToolOutcome } from "../tool/tool.ts";
import { BASH, WORKSPACE_TOOLS } from "../tool/workspace-tools.ts";
import { WORLD_TOOLS } from "../tool/world-tools.ts";
import { type ShownFiles, shownFilesText } from "../workspace/shown-files.ts";

/** The step for which a plugin is asked. */
export type PluginMoment = {
  readonly source: PromptSource;
  readonly view: View;
  readonly isTurnStart: boolean;
  /** Whether an action of the agent has ended since its last step. */
  readonly hasActed: boolean;
  /** What each plugin remembers, by its name. A plugin changes only its own entry. */
  readonly memories: Map<string, Json>;
  /** Warns the run. `at`: the place in a module of the user, if it is known. */
  readonly warn: (text: string, at?: ModuleFault) => void;
};

/** What a plugin adds to a step. */
type Contribution = {
  /** A part of the system text. Providers cache equal beginnings, so it should rarely change. */
  readonly system?: string;
  /** Texts at the end of the last message. */
  readonly texts?: readonly PluginText[];
  /** Tools that answer at once. */
  readonly tools?: readonly Tool<ToolOutcome>[];
  /** Slow tools. Scripts cannot call them. */
  readonly slowTools?: readonly Tool[];
  readonly attributes?: readonly ResponseAttribute[];
  /** Called after the reply of the model. */
  readonly read?: (reply: PluginReply) => void;
};

/** A part of a mind with tools: what the model knows, and what it can call. */
export type Plugin = {
  readonly name: string;
  readonly contribute: (moment: PluginMoment) => Contribution;
  /** Called when the conversation starts again without its past. */
  readonly reset?: (moment: PluginMoment) => void;
};

/** What the plugins of an agent add to one step. */
export type StepPlugins = {
  readonly system: string;
  /** The texts with which the call `call` is made. */
  readonly textsAt: (call: number) => readonly AddedText[];
  readonly tools: readonly Tool<ToolOutcome>[];
  readonly slowTools: readonly Tool[];
  readonly attributes: readonly ResponseAttribute[];
  /** Tells the plugins what the model replied. */
  readonly read: (reply: PluginReply) => void;
  /** Tells the plugins that the conversation starts again. */
  readonly reset: () => void;
  readonly memories: ReadonlyMap<string, Json>;
};

/** Asks all plugins in order. */
export const stepPlugins = (plugins: readonly Plugin[], moment: PluginMoment): StepPlugins => {
  const asked = plugins.map((plugin) => ({ plugin, added: plugin.contribute(moment) }));
  const system = asked.flatMap(({ added }) => (added.system ? [added.system] : []));
  return {
    system: system.join("\n\n"),
    textsAt: (call) =>
      asked.flatMap(({ plugin, added }) =>
        (added.texts ?? []).flatMap((text) => addedAt(call, plugin.name, text) ?? []),
      ),
    tools: asked.flatMap(({ added }) => added.tools ?? []),
    slowTools: asked.flatMap(({ added }) => added.slowTools ?? []),
    attributes: asked.flatMap(({ added }) => added.attributes ?? []),
    read: (reply) => {
      for (const { added } of asked) added.read?.(reply);
    },
    reset: () => {
      for (const plugin of plugins) plugin.reset?.(moment);
    },
    memories: moment.memories,
  };
};

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
