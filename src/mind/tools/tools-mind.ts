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
import { buildPrompt } from "../prompt/build-prompt.ts";
import type { Prompt, PromptPart, PromptSource } from "../prompt/prompt.ts";
import { systemText } from "../prompt/system-text.ts";
import type { Failure, ModelQuestion } from "../reply/ask-until-read.ts";
import type { RunScript } from "../shell/agent-shell.ts";
import { estimateTokens } from "../units.ts";
import { filesIn, filesPatch } from "../workspace/files.ts";
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
  newsOf,
  OFFER_TOKENS,
  otherTokens,
  payableTokens,
  type SourceParts,
  situationOf,
  sourceFor,
  type ToolAgent,
  WITH_TOOLS,
} from "./step-source.ts";
import { SUMMARY_SYSTEM, summaryQuestion, withSummary } from "./summary.ts";
import type { TryProgram } from "./tool.ts";
import { stepFrom, TOOL_OFFERS, withActionResult, withNewTurn } from "./turn.ts";

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

type Who = { readonly agent: ToolAgent; readonly parts: ToolParts };

const decide = async (given: View, signal: AbortSignal, who: Who): Promise<Thought> => {
  const { agent, parts } = who;
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
  const started = conversationIn(view.agent.mind);
  const told = withActionResult(started, view, "");
  feed.begin(started, told);
  // A turn in progress continues after the result of its action.
  const memories =
    told.turn !== null ? [] : await recallFor({ view, signal }, settings.rag, parts.memory);
  const warn = (text: string): void => void warnings.push(text);
  const source = sourceFor(agent, { ...parts, warn }, { view, memories });
  const room = Math.min(agent.tools.window_tokens, thinking.inputMax - fixedTokens(source));
  const first = nextCall(started, { source, agent }, room);
  if (!first.isSummary) feed.fitted(first.kept);
  const ask = feed.asking(thinking.asking(first.system), first.kept.turn?.step ?? 0);
  const { call, answer } = await fittingAnswer(first, ask, (kept) => {
    if (first.isSummary) return null;
    feed.compacted(kept);
    return questionFor(kept, agent, view);
  });
  if (call !== first) warn(`the conversation of ${view.id} ${COMPACTED}`);
  const { usage, latencyMs, isOverBudget } = thinking;
  const paid = { usage, isOverBudget, warnings };
  const outcome = await outcomeOf(call, answer, { source, agent, parts, feed });
  if ("ok" in outcome) {
    const { ok: _, ...reasons } = outcome;
    // A turn that does not fit ends, so that the next one can leave its messages behind.
    const kept = isTooLong(outcome) ? { ...call.kept, turn: null } : call.kept;
    if (isTooLong(outcome)) feed.done("", outcome.message);
    return { kind: "failed", ...reasons, memory: asJson(kept), ...paid };
  }
  return { ...outcome, waitMs: parts.thinkMs === "recorded" ? latencyMs : 0, ...paid };
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

type Asker = { readonly source: PromptSource; readonly agent: ToolAgent };

/**
 * The next step of a turn, with at most `room` tokens of conversation if it can be cut so far.
 * Between two turns, a long conversation is summarized first, unless the agent cannot pay for this.
 */
const nextCall = (started: Conversation, { source, agent }: Asker, room: number): NextCall => {
  const told = withActionResult(started, source.view, newsOf(source));
  const summary = summaryQuestion(told, agent.tools.window_tokens);
  if (summary !== null && estimateTokens(summary.question.prompt) <= room) {
    const { question, rest: kept } = summary;
    return { system: SUMMARY_SYSTEM, question, kept, isSummary: true };
  }
  const kept = fitted(inTurn(told, source), room);
  const question = questionFor(kept, agent, source.view);
  return { system: systemText(source), question, kept, isSummary: false };
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

/** The conversation in its turn, or in a new one, with one more step. */
const inTurn = (told: Conversation, source: PromptSource): Conversation => {
  const begun = told.turn === null ? withNewTurn(told, situationOf(source)) : told;
  const { turn } = begun;
  return turn === null ? begun : { ...begun, turn: { ...turn, step: turn.step + 1 } };
};

/** A step without calls of tools. */
const resting = (conversation: Conversation): Step => ({
  kind: "decided",
  action: NOOP,
  reasoning: "I sum up my conversation, to keep it short.",
  memory: asJson(conversation),
  sleep: null,
});

/** The question of the next step. After the last step of a turn, it offers no tools. */
const questionFor = (asked: Conversation, agent: ToolAgent, view: View): ModelQuestion => {
  const isLast = isLastAnswer(asked, agent);
  const messages = messagesFor(asked, agent, view);
  return {
    purpose: isLast ? "last_answer" : "step",
    prompt: writtenMessages(messages),
    messages,
    form: isLast ? WITHOUT_TOOLS : WITH_TOOLS,
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
  { source, agent, parts, feed }: DecisionParts,
): Promise<Step> => {
  const { view } = source;
  const content = view.workspace?.text ?? "";
  const files = filesIn(content);
  const step = await stepFrom(asked, blocks, {
    view,
    files,
    bytesMax: Buffer.byteLength(content) + Math.max(0, view.diskLeft),
    tryProgram: parts.tryProgram(),
    runScript: parts.runScript(),
    jsonDepthMax: parts.jsonDepthMax,
    sleepMaxS: parts.sleepMaxS,
    situation: () => situationOf(source),
    isLast: isLastAnswer(asked, agent),
    feed,
  });
  const texts = blocks.flatMap((block) => (block.type === "text" ? [block.text] : []));
  const reasoning = texts.filter((text) => text !== "").join("\n");
  if (step.conversation.turn === null) feed.done(reasoning);
  const patch = step.files === files ? null : filesPatch(content, step.files);
  const workspace = patch === null ? null : (view.workspace?.version ?? 0) + 1;
  return {
    kind: "decided",
    action: step.action ?? NOOP,
    reasoning,
    memory: asJson({ ...step.conversation, workspace }),
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
  const source = sourceFor(agent, parts, { view, memories });
  const started = conversationIn(view.agent.mind);
  const first = buildPrompt(source);
  const call = nextCall(started, { source, agent }, agent.tools.window_tokens);
  const messages = call.isSummary ? messagesOf(call.kept) : messagesFor(call.kept, agent, view);
  const offers = TOOL_OFFERS.map(({ name, description }) => `${name}: ${description}`);
  const offered = partOf("tools", { text: offers.join("\n"), tokens: OFFER_TOKENS });
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
  const seen = { view: visibleTo(agent.settings, view), memories: [] };
  const source = sourceFor(agent, { ...parts, warn: () => {} }, seen);
  const started = conversationIn(view.agent.mind);
  const payable = payableTokens(agent, view, parts.pricing);
  const room = Math.min(agent.tools.window_tokens, payable - fixedTokens(source));
  const { system, question } = nextCall(started, { source, agent }, room);
  const offers = question.form === WITH_TOOLS ? OFFER_TOKENS : 0;
  const input = estimateTokens(system) + estimateTokens(question.prompt) + offers;
  return {
    micros: callMicros(input, agent, parts),
    calls: 1,
    tokens: input + outputTokensMax(agent.settings),
  };
};
