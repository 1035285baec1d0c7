import { unseenOf, type View } from "../../kernel/index.ts";
import { promptSource } from "../llm/agent-prompt.ts";
import type { LlmParts } from "../llm/llm-mind.ts";
import type { MindSettings } from "../llm/mind-settings.ts";
import { inputMaxOf } from "../llm/thought-price.ts";
import type { Recalled } from "../memory/index.ts";
import { buildPrompt } from "../prompt/build-prompt.ts";
import type { PromptSource } from "../prompt/prompt.ts";
import { systemText } from "../prompt/system-text.ts";
import { SECTION_NAMES } from "../settings.ts";
import { estimateTokens, seconds, usd } from "../units.ts";
import { offerTokens, PROTOCOLS, type ProtocolName, protocolTokens } from "./protocol.ts";
import { shownFilesText } from "./shown-files.ts";
import type { ToolSettings } from "./tool-settings.ts";

export type ToolAgent = {
  readonly settings: MindSettings;
  readonly tools: ToolSettings;
  readonly protocol: ProtocolName;
};

const GUIDE = `# How you work
You work in turns of several steps. In each step you call tools. Tools of your workspace answer at
once, and you may call several in one step. One tool of the world in a step is your action. A turn
ends when you answer without a tool, or with end_turn or wait.
Your workspace is private. Draft a program in a file, run it with try_program, correct it, and
publish it with write_artifact and code_file.
Keep what you must not forget in memory/MEMORY.md, and add what happens to today's note with note. A
file skills/NAME/SKILL.md, with name and description as front matter, keeps how to do a task.
Each step costs model budget. End your turn when there is nothing worth its price.`;

export type SourceParts = Pick<LlmParts, "sleepMaxS" | "pricing"> & {
  readonly warn: (text: string) => void;
};

/** What the system text and the situation of a step are made of. */
export const sourceFor = (
  agent: ToolAgent,
  { sleepMaxS, pricing, warn }: SourceParts,
  seen: { readonly view: View; readonly memories: readonly Recalled[] },
): PromptSource => {
  const parts = { actionsGuide: "", sleepMaxS, warn };
  const source = promptSource(agent.settings, parts, seen);
  const files = filesText(agent, seen.view, pricing);
  const replyGuide = `${GUIDE}\n\n${PROTOCOLS[agent.protocol].guide}`;
  return { ...source, replyGuide, question: "", files };
};

/**
 * What the workspace adds to the system text. It gets at most half of the tokens that the agent's
 * whole budget and quota can pay, so that files that are too long do not stop the agent for good.
 */
const filesText = (agent: ToolAgent, view: View, pricing: LlmParts["pricing"]): string => {
  const payable = payableTokens(agent, view, pricing) - otherTokens(agent);
  const tokensMax = Math.min(agent.tools.files_tokens, Math.max(0, Math.floor(payable / 2)));
  return shownFilesText(agent, { content: view.workspace?.text ?? "", tokensMax });
};

/** The most input tokens that the agent's whole model budget and its token quota can pay for. */
export const payableTokens = (
  { settings }: ToolAgent,
  { account, windows }: View,
  pricing: LlmParts["pricing"],
): number => {
  const left = { micros: account.llmBudgetMicros, tokens: windows.llm_tokens.quota };
  return inputMaxOf(left, { settings, pricing });
};

/** What an agent sees at the start of a turn. */
export const situationOf = (source: PromptSource): string => buildPrompt(source).prompt;

/** What an agent must know in the middle of a turn: time, means, and what is new in its inbox. */
export const newsOf = (source: PromptSource): string => {
  const { view } = source;
  const { scrip, llmBudgetMicros } = view.account;
  const now = `[${seconds(view.now)}; ${scrip} scrip, ${usd(llmBudgetMicros)} of model budget]`;
  const isNew = unseenOf(view.inbox).length > 0 || view.inbox.sums.length > 0;
  return isNew ? `${now}\n${inboxOf(source)}` : now;
};

const ONLY_INBOX = Object.fromEntries(
  SECTION_NAMES.map((name) => [name, { enabled: name === "inbox" }] as const),
);

const inboxOf = (source: PromptSource): string =>
  buildPrompt({ ...source, settings: { ...source.settings, sections: ONLY_INBOX } }).prompt;

/** The tokens of a step without its conversation. */
export const fixedTokens = (source: PromptSource, { protocol }: ToolAgent): number =>
  estimateTokens(systemText(source)) + offerTokens(PROTOCOLS[protocol].form);

/** The tokens of a system text that no agent's prompt exceeds by much. */
const SYSTEM_TOKENS = 1_500;

/** The most tokens of a call without files and conversation. */
export const otherTokens = ({ settings, protocol }: ToolAgent): number =>
  protocolTokens(PROTOCOLS[protocol]) + SYSTEM_TOKENS + estimateTokens(settings.systemPrompt);
