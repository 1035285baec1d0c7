import { fnv1a, type JsonObject, type View } from "../../kernel/index.ts";
import { visibleTo } from "../llm/agent-prompt.ts";
import type { LlmParts } from "../llm/llm-mind.ts";
import { recallFor, recollectionOf } from "../llm/memories.ts";
import { Thinking } from "../llm/thinking.ts";
import type { Decided, Mind, Thought, ThoughtPrice } from "../mind.ts";
import { asJson } from "../mind-memory-codec.ts";
import {
  blocksIn,
  type ChatBlock,
  type ChatMessage,
  chatForm,
  outputTokensMax,
  writtenMessages,
} from "../model/index.ts";
import { attributesIn } from "../plugin/plugin.ts";
import { keptAt } from "../plugin/retention.ts";
import { buildPrompt } from "../prompt/build-prompt.ts";
import type { Prompt, PromptPart } from "../prompt/prompt.ts";
import { systemText } from "../prompt/system-text.ts";
import type { Failure, ModelQuestion } from "../reply/ask-until-read.ts";
import type { RunScript } from "../shell/agent-shell.ts";
import { estimateTokens, seconds } from "../units.ts";
import { filesIn, filesPatch } from "../workspace/files.ts";
import { situationOf } from "./built-in-plugins.ts";
import { fittingAnswer, isTooLong, type ModelAnswer, VERSIONS_MAX } from "./compaction.ts";
import {
  type Conversation,
  conversationIn,
  fitted,
  messagesOf,
  messageText,
} from "./conversation.ts";
import { type MindListener, StepFeed } from "./feed.ts";
import {
  fixedTokens,
  otherTokens,
  payableTokens,
  type SourceParts,
  type StepSource,
  stepSource,
  type ToolAgent,
} from "./step-source.ts";
import { SUMMARY_SYSTEM, summaryQuestion, withSummary } from "./summary.ts";
import type { TryProgram } from "./tool.ts";
import { stepFrom, withActionResult, withNewTurn } from "./turn.ts";

/** Both functions are made for one thought, which limits what it can do with them. */
export type ToolParts = LlmParts & {
  readonly tryProgram: () => TryProgram;
  readonly runScript: () => RunScript;
  /** Follows the steps of all agents. Null: nothing is streamed. */
  readonly onEvent: MindListener | null;
};

const WITHOUT_TOOLS = chatForm("last_answer", []);
/** Sent with a question, and not kept. */
const REFUSED_CHANGES: ChatMessage = {
  role: "user",
  text:
    "The world refused the changes of your workspace in your last step, for example because of " +
    "your quota bytes_written. List your files.",
};

/** Sent with the last question of a turn, and not kept. */
const LAST_ANSWER: ChatMessage = {
  role: "user",
  text:
    "This turn has used all of its steps. Answer now without a tool: what you have done, and " +
    "what you will do in the next turn.",
};

/**
 * A mind that works in turns of several steps. Each step is one thought with one model call, and
 * the tools that the model calls. A tool of the workspace answers at once; a tool of the world is
 * the action of the step. The conversation and the turn are the memory of the mind. A call that
 * does not fit in the model's context window is made again with a shorter conversation.
 */
export const toolsMind = (agent: ToolAgent, parts: ToolParts): Mind => {
  const { settings } = agent;
  const { thinkMs, memory } = parts;
  const isMeasured = thinkMs === "recorded";
  const longest = longestCall(agent);
  const micros = callMicros(longest, agent, parts);
  const { price: pricing } = parts.pricing.priceOf(settings.model);
  return {
    price: { micros, calls: 1, tokens: longest + outputTokensMax(settings) },
    exactPrice: {
      of: (view) => priceOf(view, agent, parts),
      terms: fnv1a(JSON.stringify([agent, pricing])),
    },
    thinkMs: isMeasured ? [0, 0] : thinkMs,
    parallel: isMeasured ? null : { maxMicros: micros * VERSIONS_MAX },
    recollect: recollectionOf(settings, memory, { withoutNoops: true }),
    hasLazyView: false,
    decide: (view, signal) => decide(view, signal, { agent, parts }),
  };
};

type Thinker = { readonly agent: ToolAgent; readonly parts: ToolParts };

const decide = async (
  given: View,
  signal: AbortSignal,
  { agent, parts }: Thinker,
): Promise<Thought> => {
  const { settings } = agent;
  const view = visibleTo(settings, given);
  const warnings: string[] = [];
  const feed = new StepFeed(view.id, parts.onEvent, () => thinking.usage);
  const thinking: Thinking = new Thinking({
    view,
    shown: feed.shown,
    signal,
    model: parts.model,
    pricing: parts.pricing,
    settings,
    callsMax: VERSIONS_MAX,
    tooLong: "the conversation does not fit the model, so lower tools.window_tokens",
    durable: parts.durable(),
  });
  const { kept: before, told, hasActed } = toldIn(view);
  feed.begin(before, told);
  const memories =
    told.turn === null ? await recallFor({ view, signal }, settings.rag, parts.memory) : [];
  const warn = (text: string): void => void warnings.push(text);
  const step = stepSource(agent, { ...parts, warn }, { view, memories, told, hasActed });
  const room = Math.min(agent.tools.window_tokens, thinking.inputMax - fixedTokens(step));
  const first = nextCall(told, { step, agent }, room);
  if (!first.isSummary) feed.fitted(first.kept);
  const ask = feed.asking(thinking.asking(first.system), first.kept.turn?.step ?? 0);
  const { call, answer } = await fittingAnswer(first, ask, (kept) => {
    if (first.isSummary) return null;
    feed.compacted(kept);
    return questionFor(kept, { step, agent });
  });
  if (call !== first) warn(`the conversation of ${view.id} ${COMPACTED}`);
  const { usage, latencyMs, isOverBudget } = thinking;
  const spent = { usage, isOverBudget, warnings };
  const outcome = await outcomeOf(call, answer, { step, agent, parts, feed });
  if ("ok" in outcome) {
    const { ok: _, ...reasons } = outcome;
    // A turn that does not fit ends, so that the next one can leave its messages behind.
    const kept = isTooLong(outcome) ? { ...call.kept, turn: null } : call.kept;
    if (isTooLong(outcome)) feed.done("", outcome.message);
    return { kind: "failed", ...reasons, memory: asJson(kept), ...spent };
  }
  return { ...outcome, waitMs: parts.thinkMs === "recorded" ? latencyMs : 0, ...spent };
};

const COMPACTED =
  "did not fit in the context window of its model and was compacted; lower tools.window_tokens";

/** Whether the turn has used its steps, so that the model is asked for an answer without tools. */
const isLastAnswer = ({ turn }: Conversation, { tools }: ToolAgent): boolean =>
  (turn?.step ?? 0) > tools.max_steps;

/** The messages of the next call. It says if the last changes of the workspace were refused. */
const messagesFor = (
  asked: Conversation,
  agent: ToolAgent,
  { workspace }: View,
): readonly ChatMessage[] => {
  const version = workspace?.version ?? 0;
  const isRefused = asked.workspace !== null && asked.workspace !== version;
  return [
    ...messagesOf(asked),
    ...(isRefused ? [REFUSED_CHANGES] : []),
    ...(isLastAnswer(asked, agent) ? [LAST_ANSWER] : []),
  ];
};

/** A call of the model. `kept` is the conversation before the answer, also if there is none. */
type NextCall = {
  readonly system: string;
  readonly question: ModelQuestion;
  readonly kept: Conversation;
  readonly isSummary: boolean;
};

type Asker = { readonly step: StepSource; readonly agent: ToolAgent };

type Told = {
  readonly kept: Conversation;
  readonly told: Conversation;
  readonly hasActed: boolean;
};

/** The conversation that a step starts with, and whether it brought the result of an action. */
const toldIn = (view: View): Told => {
  const kept = conversationIn(view.agent.mind);
  const hasActed = kept.turn !== null && kept.turn.pending !== null;
  return { kept, told: withActionResult(kept, view), hasActed };
};

/**
 * The next step of a turn, with at most `room` tokens of conversation if it can be cut so far.
 * Between two turns, a long conversation is summarized first, unless the agent cannot pay for this.
 */
const nextCall = (told: Conversation, { step, agent }: Asker, room: number): NextCall => {
  const summary = summaryQuestion(told, agent.tools.window_tokens);
  if (summary !== null && estimateTokens(summary.question.prompt) <= room) {
    const { question, rest: kept } = summary;
    return { system: SUMMARY_SYSTEM, question, kept, isSummary: true };
  }
  const kept = fitted(inTurn(told, step), room);
  const question = questionFor(kept, { step, agent });
  return { system: systemText(step.source), question, kept, isSummary: false };
};

type Step = Omit<Decided, "usage" | "waitMs">;

type DecisionParts = Asker & { readonly parts: ToolParts; readonly feed: StepFeed };

const outcomeOf = async (
  call: NextCall,
  answer: ModelAnswer,
  moment: DecisionParts,
): Promise<Failure | Step> => {
  if (call.isSummary) {
    // The digest stays if the older turns are too long for a summary.
    if (!answer.ok && !isTooLong(answer)) return answer;
    const kept = answer.ok ? withSummary(call.kept, answer.text) : call.kept;
    moment.feed.compacted(kept);
    return resting(kept);
  }
  if (!answer.ok) return answer;
  const blocks = blocksIn(answer.text);
  return blocks === null ? UNREADABLE : decisionFrom(call.kept, blocks, moment);
};

/** The conversation in its turn, or in a new one, with one more step and the texts of plugins. */
const inTurn = (told: Conversation, { source, plugins }: StepSource): Conversation => {
  const begun = told.turn === null ? withNewTurn(told, turnText(source.view)) : told;
  const { turn } = begun;
  if (turn === null) return begun;
  const call = begun.calls + 1;
  const { [String(begun.next - 1)]: _, ...earlier } = begun.added;
  const texts = plugins.textsAt(call);
  const added = texts.length === 0 ? earlier : { ...earlier, [String(begun.next - 1)]: texts };
  return {
    ...begun,
    turn: { ...turn, step: turn.step + 1 },
    calls: call,
    added: keptAt(added, call),
  };
};

/** The start of a turn. The situation follows, and is dropped when the turn has ended. */
const turnText = ({ now }: View): string => `A new turn starts at ${seconds(now)}.`;

/** A step without calls of tools. */
const resting = (conversation: Conversation): Step => ({
  kind: "decided",
  action: NOOP,
  reasoning: "I sum up my conversation, to keep it short.",
  memory: asJson(conversation),
  sleep: null,
});

/** The question of the next step. After the last step of a turn, it offers no tools. */
const questionFor = (asked: Conversation, { step, agent }: Asker): ModelQuestion => {
  const isLast = isLastAnswer(asked, agent);
  const messages = messagesFor(asked, agent, step.source.view);
  return {
    purpose: isLast ? "last_answer" : "step",
    prompt: writtenMessages(messages),
    messages,
    form: isLast ? WITHOUT_TOOLS : step.plugins.form,
  };
};

const UNREADABLE: Failure = {
  ok: false,
  reason: "llm_error",
  fault: "unreadable_reply",
  message: "unreadable_reply: the reply is not a list of texts and calls of tools",
};

/** Runs the tools that the model called. */
const decisionFrom = async (
  asked: Conversation,
  blocks: readonly ChatBlock[],
  { step: { source, plugins }, agent, parts, feed }: DecisionParts,
): Promise<Step> => {
  const { view } = source;
  const texts = blocks.flatMap((block) => (block.type === "text" ? [block.text] : []));
  const calls = blocks.flatMap((block) => (block.type === "tool_call" ? [block] : []));
  plugins.read({ text: texts.join("\n"), attributes: attributesIn(calls), calls });
  const content = view.workspace?.text ?? "";
  const files = filesIn(content);
  const step = await stepFrom(asked, blocks, {
    view,
    files,
    tools: plugins.tools,
    bytesMax: Buffer.byteLength(content) + Math.max(0, view.diskLeft),
    tryProgram: parts.tryProgram(),
    runScript: parts.runScript(),
    jsonDepthMax: parts.jsonDepthMax,
    sleepMaxS: parts.sleepMaxS,
    situation: () => situationOf(source),
    isLast: isLastAnswer(asked, agent),
    feed,
  });
  const reasoning = texts.filter((text) => text !== "").join("\n");
  if (step.conversation.turn === null) feed.done(reasoning);
  const remembered = Object.fromEntries(plugins.memories);
  const patch = step.files === files ? null : filesPatch(content, step.files);
  const workspace = patch === null ? null : (view.workspace?.version ?? 0) + 1;
  return {
    kind: "decided",
    action: step.action ?? NOOP,
    reasoning,
    memory: asJson({ ...step.conversation, workspace, plugins: remembered }),
    sleep: step.sleep,
    keeps: { notes: [], workingMemory: null, workspace: patch },
  };
};

const NOOP: JsonObject = { noop: {} };

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
  const { told, hasActed } = toldIn(view);
  const step = stepSource(agent, parts, { view, memories, told, hasActed });
  const first = buildPrompt(step.source);
  const call = nextCall(told, { step, agent }, agent.tools.window_tokens);
  const messages = call.isSummary ? messagesOf(call.kept) : messagesFor(call.kept, agent, view);
  const { form, offerTokens } = step.plugins;
  const offers = form.tools.map(({ name, description }) => `${name}: ${description}`);
  const offered = partOf("tools", { text: offers.join("\n"), tokens: offerTokens });
  const [system, ...sections] = first.parts;
  const text = messages.map(messageText).join("\n\n");
  const said = [partOf("conversation", { text, tokens: estimateTokens(text) })];
  const shown = messages.length === 1 ? sections : said;
  const all = [...(system === undefined ? [] : [system]), offered, ...shown];
  const prompt = shown.map((part) => part.text).join("\n\n");
  const tokens = all.reduce((sum, part) => sum + part.tokens, 0);
  return {
    prompt: { system: first.system, prompt, parts: all, tokens },
    steps: [],
    stepSystem: null,
  };
};

const partOf = (
  name: "conversation" | "tools",
  { text, tokens }: Pick<PromptPart, "text" | "tokens">,
): PromptPart => ({ name, text, tokens, cutTokens: 0 });

/** The most input tokens of a call. */
const longestCall = (agent: ToolAgent): number =>
  agent.tools.window_tokens + agent.tools.files_tokens + otherTokens(agent);

const callMicros = (input: number, { settings }: ToolAgent, { pricing }: ToolParts): number =>
  pricing.priceBound(settings.model, { input, output: outputTokensMax(settings) });

/** What the next step costs at most. Its conversation is cut to what the agent can ever pay. */
const priceOf = (view: View, agent: ToolAgent, parts: ToolParts): ThoughtPrice => {
  const seen = { view: visibleTo(agent.settings, view), memories: [], ...toldIn(view) };
  const step = stepSource(agent, { ...parts, warn: () => {} }, seen);
  const payable = payableTokens(agent, view, parts.pricing);
  const room = Math.min(agent.tools.window_tokens, payable - fixedTokens(step));
  const { system, question } = nextCall(seen.told, { step, agent }, room);
  const offers = question.form === step.plugins.form ? step.plugins.offerTokens : 0;
  const input = estimateTokens(system) + estimateTokens(question.prompt) + offers;
  return {
    micros: callMicros(input, agent, parts),
    calls: 1,
    tokens: input + outputTokensMax(agent.settings),
  };
};
