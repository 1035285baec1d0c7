import type { View } from "../kernel/index.ts";
import { buildPrompt, type Prompt, type PromptPart, recallFor, visibleTo } from "../mind/index.ts";
import { estimateTokens } from "../model/index.ts";
import type { LlmParts } from "../workflow/index.ts";
import { messagesOf, messageText } from "./conversation/conversation.ts";
import { messagesFor, nextCall, toldIn } from "./next-call.ts";
import { type SourceParts, stepSource, type ToolAgent } from "./step-source.ts";

type Preview = { readonly prompt: Prompt; readonly steps: readonly []; readonly stepSystem: null };

/** Returns what the next call of a model would send, if the agent sees `view`. */
export const toolsPreview = async (
  agent: ToolAgent,
  parts: SourceParts & Pick<LlmParts, "memory">,
  { view: given, signal }: { readonly view: View; readonly signal: AbortSignal },
): Promise<Preview> => {
  const { settings } = agent;
  const view = visibleTo(settings, given);
  const memories = await recallFor({ view, signal }, settings.rag, parts.memory);
  const { told, hasActed } = toldIn(view, agent);
  const step = stepSource(agent, parts, { view, memories, told, hasActed });
  const first = buildPrompt(step.source);
  const call = nextCall(told, { step, agent }, agent.tools.window_tokens);
  const messages = call.isSummary ? messagesOf(call.kept) : messagesFor(call.kept, { step, agent });
  const { form, offerTokens } = step.protocol;
  const offers = form.tools.map(
    ({ name, description, input }) => `${name}: ${description}\n  ${JSON.stringify(input)}`,
  );
  const offered = partOf("tools", { text: offers.join("\n"), tokens: offerTokens });
  const [system, ...sections] = first.parts;
  const said = [partOf("conversation", partFrom(messages.map(messageText)))];
  const own = agent.plugins.map(({ name }) => name);
  const added = Object.values(call.kept.added).flat();
  const texts = added.filter(({ plugin }) => own.includes(plugin)).map((each) => each.text);
  const plugins = texts.length === 0 ? [] : [partOf("plugins", partFrom(texts))];
  const shown = messages.length === 1 ? [...sections, ...plugins] : said;
  const all = [
    ...(system === undefined ? [] : [system]),
    ...(offers.length === 0 ? [] : [offered]),
    ...shown,
  ];
  const prompt = shown.map((part) => part.text).join("\n\n");
  const tokens = all.reduce((sum, part) => sum + part.tokens, 0);
  return {
    prompt: { system: first.system, prompt, parts: all, tokens },
    steps: [],
    stepSystem: null,
  };
};

const partFrom = (texts: readonly string[]): Pick<PromptPart, "text" | "tokens"> => {
  const text = texts.join("\n\n");
  return { text, tokens: estimateTokens(text) };
};

const partOf = (
  name: "conversation" | "tools" | "plugins",
  { text, tokens }: Pick<PromptPart, "text" | "tokens">,
): PromptPart => ({ name, text, tokens, cutTokens: 0 });
