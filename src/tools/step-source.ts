import type { View } from "../kernel/index.ts";
import type { Recalled } from "../memory/index.ts";
import {
  inputMaxOf,
  type MindSettings,
  type PromptSource,
  promptSource,
  systemText,
} from "../mind/index.ts";
import { estimateTokens, type Pricing } from "../model/index.ts";
import type { Conversation } from "./conversation/conversation.ts";
import {
  BUILT_IN_TOOLS,
  type Plugin,
  type PluginMoment,
  pluginsWith,
  type StepPlugins,
  stepPlugins,
} from "./plugin/plugins.ts";
import { type Protocol, type ProtocolName, protocolFor, protocolTokens } from "./protocol.ts";
import { HEARTBEAT_FILE } from "./tool/heartbeat.ts";
import type { ToolSettings } from "./tool/tool-settings.ts";

export type ToolAgent = {
  readonly settings: MindSettings;
  readonly tools: ToolSettings;
  readonly protocol: ProtocolName;
  /** The plugins of the agent's persona. */
  readonly plugins: readonly Plugin[];
};

const GUIDE = `# How you work
You work in turns of several steps. In each step you call tools. Tools of your workspace answer at
once, and you may call several in one step. One tool of the world in a step is your action. A turn
ends when you answer without a tool, or with end_turn or wait.
Your workspace is private. Draft a program in a file, run it with try_program, correct it, and
publish it with write_artifact and code_file.
Keep what you must not forget in memory/MEMORY.md, and add what happens to today's note with note. A
file skills/NAME/SKILL.md, with name and description as front matter, keeps how to do a task.
A turn can start with a message. What you say at its end is sent to the sender as your answer,
unless you have sent the sender a message in this turn.
Each step costs model budget. End your turn when there is nothing worth its price.`;

export type SourceParts = {
  readonly sleepMaxS: number;
  readonly pricing: Pricing;
  readonly warn: PluginMoment["warn"];
};

/** What a step is made of, besides the conversation. */
export type StepSource = {
  readonly source: PromptSource;
  readonly plugins: StepPlugins;
  readonly protocol: Protocol;
};

type Seen = {
  readonly view: View;
  readonly memories: readonly Recalled[];
  /** The conversation with the result of the last action. */
  readonly told: Conversation;
} & Pick<PluginMoment, "hasActed">;

export const stepSource = (
  agent: ToolAgent,
  { sleepMaxS, pricing, warn }: SourceParts,
  { told, hasActed, ...seen }: Seen,
): StepSource => {
  const parts = { actionsGuide: "", sleepMaxS, warn };
  const base = { ...promptSource(agent.settings, parts, seen), question: "" };
  const memories = new Map(Object.entries(told.plugins));
  const shown = {
    tokensMax: filesTokens(agent, seen.view, pricing),
    // The text of a heartbeat has this file already.
    without: told.turn?.trigger === "heartbeat" ? HEARTBEAT_FILE : null,
  };
  const plugins = stepPlugins(pluginsWith(agent, shown), {
    source: base,
    view: base.view,
    isTurnStart: told.turn === null || told.turn.step === 0,
    hasActed,
    memories,
    warn,
  });
  const protocol = protocolFor(agent.protocol, plugins);
  const replyGuide = `${GUIDE}\n\n${protocol.guide}`;
  const source = { ...base, replyGuide, pluginText: plugins.system };
  return { source, plugins, protocol };
};

/**
 * The most tokens of files in the system text. They get at most half of what the agent's whole
 * budget and quota can pay, so that files that are too long do not stop the agent for good.
 */
const filesTokens = (agent: ToolAgent, view: View, pricing: Pricing): number => {
  const payable = payableTokens(agent, view, pricing) - otherTokens(agent);
  return Math.min(agent.tools.files_tokens, Math.max(0, Math.floor(payable / 2)));
};

/** The most input tokens that the agent's whole model budget and its token quota can pay for. */
export const payableTokens = (
  { settings }: ToolAgent,
  { account, windows }: View,
  pricing: Pricing,
): number => {
  const left = { micros: account.llmBudgetMicros, tokens: windows.llm_tokens.quota };
  return inputMaxOf(left, { settings, pricing });
};

/** The tokens of a step without its conversation. */
export const fixedTokens = ({ source, protocol }: StepSource): number =>
  estimateTokens(systemText(source)) + protocol.offerTokens;

/** The tokens of a system text that no agent's prompt exceeds by much. */
const SYSTEM_TOKENS = 1_500;

/** The most tokens of a call without files and conversation. */
export const otherTokens = ({ settings, tools, plugins, protocol }: ToolAgent): number =>
  protocolTokens(protocolFor(protocol, BUILT_IN_TOOLS)) +
  SYSTEM_TOKENS +
  estimateTokens(settings.systemPrompt) +
  (plugins.length === 0 ? 0 : tools.plugins_tokens);
