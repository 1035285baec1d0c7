import { fnv1a, type JsonObject, type View } from "../kernel/index.ts";
import {
  answerFor,
  asJson,
  buildPrompt,
  type FailedThought,
  type Failure,
  FREE,
  leastReserved,
  type Mind,
  type MindParts,
  messageOf,
  type Preview,
  type PromptPart,
  recallFor,
  recollectionOf,
  Thinking,
  type Thought,
  type ThoughtPrice,
  visibleTo,
} from "../mind/index.ts";
import {
  blocksIn,
  type ChatBlock,
  callsOf,
  estimateTokens,
  outputTokensMax,
  textsOf,
} from "../model/index.ts";
import {
  fittingAnswer,
  isTooLong,
  type ModelAnswer,
  VERSIONS_MAX,
  withSummary,
} from "./conversation/compaction.ts";
import {
  type Conversation,
  type Focus,
  messagesOf,
  messageText,
  sessionName,
  withoutSide,
  withStepped,
} from "./conversation/conversation.ts";
import { type MindListener, StepFeed } from "./feed.ts";
import {
  type Asker,
  idleStep,
  isIdle,
  isLastAnswer,
  type MindStep,
  messagesFor,
  type NextCall,
  nextCall,
  nextMessage,
  questionFor,
  resting,
  toldIn,
  withSleep,
} from "./next-step.ts";
import { situationOf } from "./plugin/plugins.ts";
import type { RunScript } from "./shell/agent-shell.ts";
import {
  fixedTokens,
  otherTokens,
  payableTokens,
  type SourceParts,
  stepSource,
  type ToolAgent,
} from "./step-source.ts";
import { HEARTBEAT, reportFor } from "./tool/heartbeat.ts";
import { withResult } from "./tool/side-tools.ts";
import type { RunCode, RunPython, TryProgram } from "./tool/tool.ts";
import { stepFrom } from "./turn.ts";
import { filesIn, filesPatch } from "./workspace/files.ts";

/** All functions are made for one thought, which limits what it can do with them. */
export type ToolParts = MindParts["llm"] & {
  readonly tryProgram: () => TryProgram;
  readonly runCode: () => RunCode;
  readonly runScript: () => RunScript;
  readonly runPython: (signal: AbortSignal) => RunPython;
  /** Follows the steps of all agents. Null: nothing is streamed. */
  readonly onEvent: MindListener | null;
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
    decide: (view, signal) => decide(view, signal, agent, parts),
  };
};

const decide = async (
  given: View,
  signal: AbortSignal,
  agent: ToolAgent,
  parts: ToolParts,
): Promise<Thought> => {
  const { settings } = agent;
  const view = visibleTo(settings, given);
  const warnings: string[] = [];
  const { main, focus, kept: before, told, hasActed } = toldIn(view, agent);
  const feed = new StepFeed({
    agent: view.id,
    session: sideName(told, focus),
    listener: parts.onEvent,
    isStreamed: agent.protocol === "calls",
    usage: () => thinking.usage,
  });
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
  feed.begin(before, told);
  const idle = focus === null && isIdle(told, view, agent);
  const isNew = (told.turn === null || told.turn.step === 0) && !idle;
  const memories = isNew ? await recallFor({ view, signal }, settings.rag, parts.memory) : [];
  const warn = (text: string): void => void warnings.push(text);
  const step = stepSource(agent, { ...parts, warn }, { view, memories, told, hasActed });
  if (idle) {
    const { sleepMaxS } = parts;
    if (nextMessage(told, view) !== null) feed.done("");
    const idled = idleStep(told, view, { step, agent, sleepMaxS });
    return { ...idled, usage: FREE, waitMs: 0, warnings };
  }
  const room = Math.min(agent.tools.window_tokens, thinking.inputMax - fixedTokens(step));
  const first = nextCall(told, { step, agent }, room);
  if (!first.isSummary) feed.fitted(first.kept);
  const ask = feed.asking(thinking.asking(first.system), first.kept.turn?.step ?? 0, step.protocol);
  const { call, answer } = await fittingAnswer(first, ask, (kept) => {
    if (first.isSummary) return null;
    feed.compacted(kept);
    return questionFor(kept, { step, agent });
  });
  if (call !== first) warn(`the conversation of ${view.id} ${COMPACTED}`);
  const { usage, latencyMs, isOverBudget } = thinking;
  const spent = { usage, isOverBudget, warnings };
  const at = { main, focus, step, agent, parts, feed, signal };
  const outcome = await outcomeOf(call, answer, at);
  if ("ok" in outcome) return { ...failedStep(outcome, call.kept, at), ...spent };
  return { ...outcome, waitMs: parts.thinkMs === "recorded" ? latencyMs : 0, ...spent };
};

/** A step that failed. A turn that does not fit ends, so that the next one has less. */
const failedStep = (
  failure: Failure,
  asked: Conversation,
  { main, focus, feed }: DecisionParts,
): Pick<FailedThought, "kind" | "memory" | keyof Omit<Failure, "ok">> => {
  const { ok: _, ...reasons } = failure;
  const kept = isTooLong(failure) ? { ...asked, turn: null } : asked;
  if (isTooLong(failure)) feed.done("", failure.message);
  const memory = withFailed({ main, focus }, kept, reasons.message);
  return { kind: "failed", ...reasons, memory: asJson(memory) };
};

const COMPACTED =
  "did not fit in the context window of its model and was compacted; lower tools.window_tokens";

type DecisionParts = Asker & {
  readonly main: Conversation;
  readonly focus: Focus;
  readonly parts: ToolParts;
  readonly feed: StepFeed;
  readonly signal: AbortSignal;
};

const outcomeOf = async (
  call: NextCall,
  answer: ModelAnswer,
  moment: DecisionParts,
): Promise<Failure | MindStep> => {
  if (call.isSummary) {
    // The digest stays if the older turns are too long for a summary.
    if (!answer.ok && !isTooLong(answer)) return answer;
    const kept = answer.ok ? withSummary(call.kept, answer.text) : call.kept;
    moment.feed.compacted(kept);
    return resting(kept, { reasoning: "I sum up my conversation, to keep it short." });
  }
  if (!answer.ok) return answer;
  const said = blocksIn(answer.text);
  if (said === null) return UNREADABLE;
  return decisionFrom(call.kept, said, moment);
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
  said: readonly ChatBlock[],
  { main, focus, step: { source, plugins, protocol }, agent, ...moment }: DecisionParts,
): Promise<MindStep> => {
  const { parts, feed, signal } = moment;
  const { view } = source;
  const blocks = protocol.decode(said);
  const attributes = protocol.attributes(said);
  const texts = textsOf(blocks);
  plugins.read({ text: texts.join("\n"), attributes, calls: callsOf(blocks) });
  const content = view.workspace?.text ?? "";
  const files = filesIn(content);
  const step = await stepFrom(asked, blocks, {
    view,
    focus,
    main: focus === null ? asked : main,
    owes: asked.turn?.owes ?? null,
    files,
    bytesMax: Buffer.byteLength(content) + Math.max(0, view.diskLeft),
    tryProgram: parts.tryProgram(),
    runScript: parts.runScript(),
    runCode: parts.runCode(),
    runPython: parts.runPython(signal),
    tools: protocol.tools,
    jsonDepthMax: parts.jsonDepthMax,
    sleepMaxS: parts.sleepMaxS,
    situation: () => situationOf(source),
    isLast: isLastAnswer(asked, agent),
    feed,
  });
  const reasoning = texts.filter((text) => text !== "").join("\n");
  const remembered = Object.fromEntries(plugins.memories);
  const patch = step.files === files ? null : filesPatch(content, step.files);
  const workspace = patch === null ? null : (view.workspace?.version ?? 0) + 1;
  const stepped = { ...step.conversation, workspace, plugins: remembered };
  const hasEnded = stepped.turn === null;
  const whole = withStepped(main, focus, stepped);
  const isHelper = hasEnded && focus !== null && focus !== HEARTBEAT;
  const after = isHelper ? withResult(whole, focus, reasoning) : whole;
  const slept = withSleep(after, step.sleep, { view, agent, sleepMaxS: parts.sleepMaxS });
  const last = hasEnded ? lastAction(asked, reasoning, { view, focus }) : null;
  const action = step.action ?? last ?? NOOP;
  const message = messageOf(action);
  if (message !== null) feed.message(message.to, message.text);
  if (hasEnded) feed.done(reasoning);
  return {
    kind: "decided",
    action,
    reasoning,
    memory: asJson(slept.main),
    sleep: slept.sleep,
    read_through: asked.read_through,
    keeps: { notes: [], workingMemory: null, workspace: patch },
  };
};

/** What a turn sends at its end: the answer that it owes, or the report of a heartbeat. */
const lastAction = (
  { turn }: Conversation,
  text: string,
  { view, focus }: { readonly view: View; readonly focus: Focus },
): JsonObject | null => {
  if (turn === null) return null;
  return focus === HEARTBEAT
    ? reportFor(turn.sent_before, text, view)
    : answerFor(turn, text, view);
};

/** The memory after a step that failed. A heartbeat that fails is not repeated. */
const withFailed = (
  { main, focus }: { readonly main: Conversation; readonly focus: Focus },
  kept: Conversation,
  problem: string,
): Conversation => {
  if (focus === HEARTBEAT) return withoutSide(main, focus);
  const after = withStepped(main, focus, kept);
  const hasEnded = focus !== null && kept.turn === null;
  return hasEnded ? withResult(after, focus, `It failed: ${problem}`) : after;
};

/** The name of a conversation: its session, and the side if it is one. */
const sideName = (conversation: Conversation, focus: Focus): string =>
  focus === null ? sessionName(conversation) : `${sessionName(conversation)}/${focus}`;

const NOOP: JsonObject = { noop: {} };

/** The most input tokens of a call. */
const longestCall = (agent: ToolAgent): number =>
  agent.tools.window_tokens + agent.tools.files_tokens + otherTokens(agent);

const callMicros = (input: number, { settings }: ToolAgent, { pricing }: ToolParts): number =>
  pricing.priceBound(settings.model, { input, output: outputTokensMax(settings) });

/** What the next step costs at most. Its conversation is cut to what the agent can ever pay. */
const priceOf = (view: View, agent: ToolAgent, parts: ToolParts): ThoughtPrice => {
  const { focus, told, hasActed } = toldIn(view, agent);
  if (focus === null && isIdle(told, view, agent)) return { micros: 0, calls: 0, tokens: 0 };
  const seen = { view: visibleTo(agent.settings, view), memories: [], told, hasActed };
  const step = stepSource(agent, { ...parts, warn: () => {} }, seen);
  const payable = payableTokens(agent, view, parts.pricing);
  const room = Math.min(agent.tools.window_tokens, payable - fixedTokens(step));
  const { system, question } = nextCall(seen.told, { step, agent }, room);
  const { form, offerTokens } = step.protocol;
  const offers = question.form === form ? offerTokens : 0;
  const input = estimateTokens(system) + estimateTokens(question.prompt) + offers;
  return {
    micros: callMicros(input, agent, parts),
    calls: 1,
    tokens: input + outputTokensMax(agent.settings),
  };
};

/** Returns what the next call of a model would send, if the agent sees `view`. */
export const toolsPreview = async (
  agent: ToolAgent,
  parts: SourceParts & Pick<ToolParts, "memory">,
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
  const whole = { system: first.system, prompt, parts: all, tokens };
  const asked = { prompt: whole, steps: [], stepSystem: null };
  return { ...asked, settings, callsPerThought: 1, reserved: leastReserved(settings, asked) };
};

const partFrom = (texts: readonly string[]): Pick<PromptPart, "text" | "tokens"> => {
  const text = texts.join("\n\n");
  return { text, tokens: estimateTokens(text) };
};

const partOf = (
  name: "conversation" | "tools" | "plugins",
  { text, tokens }: Pick<PromptPart, "text" | "tokens">,
): PromptPart => ({ name, text, tokens, cutTokens: 0 });
