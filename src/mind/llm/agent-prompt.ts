import type { View } from "../../kernel/index.ts";
import { type Recalled, renderWorkingMemory, workingMemoryOf } from "../../memory/index.ts";
import { estimateTokens, outputTokensMax, type TokenBound, worstCase } from "../../model/index.ts";
import type { MindSettings } from "../core/settings.ts";
import { buildPrompt } from "../prompt/build-prompt.ts";
import type { Prompt, PromptSource } from "../prompt/prompt.ts";
import { type SystemSource, systemText } from "../prompt/system-text.ts";
import { REPLY_FORMS, replyGuide } from "../reply/reply-form.ts";

/** What one agent sees and recalls when it thinks. */
export type Seen = { readonly view: View; readonly memories: readonly Recalled[] };

export type PromptParts = {
  readonly actionsGuide: string;
  readonly sleepMaxS: number;
  readonly warn: (text: string) => void;
};

export const systemSource = (
  settings: MindSettings,
  parts: Pick<PromptParts, "actionsGuide" | "sleepMaxS">,
  { id, founder }: { readonly id: string; readonly founder: boolean },
): SystemSource => ({
  view: { id },
  persona: settings.systemPrompt,
  founder,
  settings: settings.prompt,
  actionsGuide: parts.actionsGuide,
  replyGuide: replyGuide(settings.cognitiveSchema, parts),
});

/** Returns the source of an agent's prompt, whatever the agent can pay for. */
export const promptSource = (
  settings: MindSettings,
  parts: PromptParts,
  { view, memories }: Seen,
): PromptSource => ({
  ...systemSource(settings, parts, { id: view.id, founder: view.family.parent === null }),
  view: visibleTo(settings, view),
  memories,
  workingMemory: shownWorkingMemory(view, settings, parts),
  tokensMax: Number.POSITIVE_INFINITY,
});

/** Hides others from an agent with `see_others: false`. What concerns the agent itself remains. */
export const visibleTo = ({ prompt }: MindSettings, view: View): View => {
  if (prompt.see_others) return view;
  const results = view.mint.results.filter(({ bidder }) => bidder === view.id);
  const hidden = { market: [], texts: [], principals: [], events: [] };
  return { ...view, ...hidden, mint: { ...view.mint, results } };
};

export const promptWith = (settings: MindSettings, parts: PromptParts, seen: Seen): Prompt =>
  buildPrompt(promptSource(settings, parts, seen));

const NONE_YET =
  "You have none yet. Write it to the artifact whose id is your name followed by " +
  "_working_memory: an object with current_goal, progress, lessons and strategic_objectives. " +
  "Only you can read it, unless you give it another access contract.";

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

/** Returns the system text of the steps of a workflow that ask for data and not for an action. */
export const stepSystemText = (source: SystemSource): string =>
  systemText({ ...source, replyGuide: STEP_GUIDE });

const STEP_GUIDE = `# How to answer
You decide in several steps. This step takes no action yet: it asks a question. Answer the question
in the form for which it asks.`;

const STEP_JOINT = "\n\n";

/** The tokens that the question of a step adds to the agent's prompt. */
export const stepTokens = (question: string): number => estimateTokens(STEP_JOINT + question);

/** Returns the prompt of a step that asks for an action, with at most `tokensMax` tokens. */
export const stepPromptWith = (
  source: PromptSource,
  question: string,
  tokensMax: number,
): string => {
  const { prompt } = buildPrompt({ ...source, tokensMax: tokensMax - stepTokens(question) });
  return prompt + STEP_JOINT + question;
};

type FirstQuestions = {
  readonly prompt: Pick<Prompt, "system" | "prompt">;
  readonly steps: readonly { readonly text: string; readonly decides: boolean }[];
  readonly stepSystem: string | null;
};

/**
 * Returns the tokens that the budget of the run reserves for the shortest question of a thought.
 * Counts no schema for the steps of a workflow that do not decide.
 */
export const leastReserved = (
  { model, temperature, maxTokens, reasoning, cognitiveSchema }: MindSettings,
  { prompt: { system, prompt }, steps, stepSystem }: FirstQuestions,
): TokenBound => {
  const limits = { model, temperature, maxTokens, reasoning };
  const form = REPLY_FORMS[cognitiveSchema];
  const whole = { ...limits, purpose: "decide", agent: null, system, prompt, form };
  const asked = steps.map(({ text, decides }) =>
    decides
      ? { ...whole, prompt: prompt + text }
      : { ...whole, system: stepSystem ?? "", prompt: text, form: null },
  );
  const bounds = (asked.length === 0 ? [whole] : asked).map(worstCase);
  return { input: Math.min(...bounds.map(({ input }) => input)), output: outputTokensMax(limits) };
};
