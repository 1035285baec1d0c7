import { cutText, isObject, type Json, type JsonObject, parseAction } from "../kernel/index.ts";
import {
  type AnswerReader,
  askUntilRead,
  type Failure,
  type ReadResult,
  type Reply,
} from "../mind/index.ts";
import { estimateTokens } from "../model/index.ts";
import { type AnswerFields, answerForm, isWords, plainText, readAnswer } from "./answer-form.ts";
import {
  type BuiltInName,
  loadGoals,
  recentMetricsOf,
  repeatedFailure,
  updatedGoals,
} from "./built-ins.ts";
import { readSlot, type Slot, valueIn } from "./expression.ts";
import {
  Progress,
  type ProgressMoment,
  ran,
  rejected,
  type StepEnd,
  type StepTrace,
  skipped,
  stepFailure,
  type WorkflowMoment,
  type WorkflowPorts,
  type WorkflowRun,
} from "./progress.ts";
import { VARIABLES } from "./variables.ts";
import {
  builtInOf,
  leavesFrom,
  outputOf,
  type Step,
  type Transition,
  transitionsOf,
  type Workflow,
  yieldsAction,
} from "./workflow-schema.ts";

/** Runs the steps of a valid workflow once, in order. Never throws or rejects. */
export const runWorkflow = async (
  workflow: Workflow,
  moment: WorkflowMoment,
): Promise<WorkflowRun> => {
  const progress = new Progress(workflow, moment);
  const trace: StepTrace[] = [];
  let failure: Failure | null = null;
  for (const step of workflow.steps) {
    const end = await runStep(step, progress, moment);
    if (end.outcome === "ran") progress.finish(step);
    const note = cutText(end.note, 300);
    trace.push({ ...end, step: step.name, note });
    if (end.outcome !== "failed") continue;
    const { outcome: _, note: __, ...why } = end;
    failure = { ok: false, ...why, message: `step ${step.name}: ${note}` };
    if (workflow.error_handling?.on_step_failure === "abort") {
      return { ...failure, ...written(progress, trace) };
    }
  }
  const { decided, kept } = progress;
  if (decided === null && failure !== null) return { ...failure, ...written(progress, trace) };
  const reply = decided ?? noopBecause(trace);
  return { ok: true, reply, ...kept, ...written(progress, trace) };
};

const runStep = async (
  step: Step,
  progress: Progress,
  moment: WorkflowMoment,
): Promise<StepEnd> => {
  const hindrance = progress.whyNotRun(step);
  if (hindrance !== null) return hindrance;
  switch (step.type) {
    case "llm":
      return llmStep(step, progress, moment.ports);
    case "code":
      return codeStep(step, progress, moment.jsonDepthMax);
    case "transition":
      return transitionStep(step, progress);
  }
};

const noopBecause = (trace: readonly StepTrace[]): Reply => {
  const why = trace.map(({ step, outcome, note }) => `${step} ${outcome} (${note})`).join("; ");
  const reasoning = `No step of the workflow decided on an action: ${why}.`;
  return { reasoning, assessment: "", action: { noop: {} }, sleep: null };
};

/** Returns the memory to keep. Adds a trace entry for each value that did not fit in the memory. */
const written = (progress: Progress, trace: readonly StepTrace[]) => {
  const { memory, dropped } = progress.written();
  const note = "the persisted results were too large, and this one was the oldest";
  const forgotten = dropped.map(
    (step): StepTrace => ({ step, outcome: "forgot", note, reason: null }),
  );
  return { memory, trace: [...trace, ...forgotten] };
};

type Unasked = ProgressMoment & { readonly jsonDepthMax: number };

/** The prompts of llm steps, also of skipped ones. Runs code steps, as prompts use the results. */
export const stepPrompts = (workflow: Workflow, moment: Unasked) => {
  const progress = new Progress(workflow, moment);
  return workflow.steps.flatMap((step) => {
    runCodeStep(step, progress, moment);
    if (step.type !== "llm") return [];
    const prompt = stepPrompt(step, progress);
    const text = prompt.ok ? prompt.value : prompt.problem;
    return [{ step: step.name, tokens: estimateTokens(text), text, decides: yieldsAction(step) }];
  });
};

/**
 * Returns the first question of an iteration, or null if the iteration asks none. `decides` is true
 * if the question asks for an action and therefore follows the agent's prompt.
 */
export const firstQuestion = (workflow: Workflow, moment: Unasked) => {
  const progress = new Progress(workflow, moment);
  for (const step of workflow.steps) {
    runCodeStep(step, progress, moment);
    if (step.type !== "llm" || progress.whyNotRun(step) !== null) continue;
    const prompt = stepPrompt(step, progress);
    if (prompt.ok) return { text: prompt.value, decides: yieldsAction(step) };
  }
  return null;
};

const runCodeStep = (step: Step, progress: Progress, { jsonDepthMax }: Unasked): void => {
  if (step.type !== "code" || progress.whyNotRun(step) !== null) return;
  if (codeStep(step, progress, jsonDepthMax).outcome === "ran") progress.finish(step);
};

/** In a step's `map`, the key for all values that have no key of their own. */
const ANY_VALUE = "*";

/**
 * Chooses the state of the next iteration. The state never changes during an iteration, so that an
 * agent does not pay for two states in one iteration. Only the first transition of an iteration
 * counts. If the workflow lists transitions, only the listed transitions are possible.
 */
const transitionStep = (step: Step, progress: Progress): StepEnd => {
  const { state, nextState } = progress;
  if (nextState !== null) return skipped(`moves to ${nextState} already`);
  const listed = transitionsOf(progress.workflow);
  const target = targetOf(step, progress);
  if ("why" in target) return ran(target.why);
  const { to } = target;
  if (to !== null && to === state) return ran(`stays in ${state}`);
  if (to !== null && listed.length === 0) return move(to, progress);
  const leaving = listed.filter((each) => leavesFrom(each, state));
  const fits = (each: Transition) => (to === null ? each.to !== state : each.to === to);
  return takeFirst(leaving.filter(fits), progress);
};

/** `to` is the next state, or null for any state. `why` says why the state does not change. */
type Target = { readonly to: string | null } | { readonly why: string };

const targetOf = ({ to, on, map = {} }: Step, progress: Progress): Target => {
  if (to !== undefined || on === undefined) return { to: to ?? null };
  const slot = readSlot(on);
  const value = slot === null ? null : progress.slotValue(slot);
  const word =
    value === null ? "nothing" : typeof value === "string" ? value : JSON.stringify(value);
  const chosen = Object.hasOwn(map, word) ? map[word] : map[ANY_VALUE];
  return chosen === undefined || value === null
    ? { why: `stays in ${progress.state}: ${on} is ${word}` }
    : { to: chosen };
};

const takeFirst = (possible: readonly Transition[], progress: Progress): StepEnd => {
  for (const { to, condition } of possible) {
    if (condition === null) return move(to, progress);
    const holds = progress.evaluate(condition);
    if (!holds.ok) return rejected(`the way to ${to}: ${holds.problem}`);
    if (holds.value) return move(to, progress);
  }
  return ran(`stays in ${progress.state}: no transition applies`);
};

const move = (to: string, progress: Progress): StepEnd => {
  const from = progress.state;
  progress.moveTo(to);
  return ran(`${from} -> ${to}`);
};

/** Runs a step without a model: an expression or a built-in. */
const codeStep = (step: Step, progress: Progress, jsonDepthMax: number): StepEnd => {
  const builtIn = builtInOf(step);
  if (builtIn !== undefined) return runBuiltIn(builtIn, step, { progress, jsonDepthMax });
  const evaluated = progress.evaluate(step.expression ?? "");
  if (!evaluated.ok) return rejected(evaluated.problem);
  return ended(progress.set(outputOf(step), evaluated.value), "evaluated");
};

type Around = { readonly progress: Progress; readonly jsonDepthMax: number };

const runBuiltIn = (name: BuiltInName, step: Step, around: Around): StepEnd => {
  const { progress } = around;
  switch (name) {
    case "compute_metrics":
      return spread(step, recentMetricsOf(progress.variables()), progress);
    case "load_goals":
      return spread(step, loadGoals(progress.variables()), progress);
    case "update_goals":
      return updateGoals(step, progress);
    case "execute_decision":
      return executeDecision(step, around);
    case "remember":
      return remember(step, progress);
    case "count": {
      const { counter = "", by = 1 } = step.with ?? {};
      const counted = progress.count(String(counter), typeof by === "number" ? by : 1);
      return ended(progress.set(outputOf(step), counted), `${counter} is ${counted}`);
    }
  }
};

const ended = (problem: string | null, note: string): StepEnd =>
  problem === null ? ran(note) : rejected(problem);

/** Sets the output of the step to `values`, and sets one variable for each value. */
const spread = (
  step: Step,
  values: { readonly [name: string]: Json },
  progress: Progress,
): StepEnd => {
  for (const [name, value] of Object.entries(values)) {
    // Skips variables that every workflow has, because these variables are set already.
    if (VARIABLES.some((known) => known.name === name)) continue;
    const problem = progress.set(name, value);
    if (problem !== null) return rejected(problem);
  }
  return ended(progress.set(outputOf(step), values), "computed");
};

const updateGoals = (step: Step, progress: Progress): StepEnd => {
  const given: { [parameter: string]: Json } = {};
  for (const [parameter, template] of Object.entries(step.with ?? {})) {
    const found = progress.given(String(template));
    if (!found.ok) return rejected(found.problem);
    given[parameter] = found.value;
  }
  const updated = updatedGoals(progress.variables(), given);
  const problem = progress.set(outputOf(step), updated);
  if (problem !== null) return rejected(problem);
  progress.rewriteWorkingMemory(updated);
  return ran("working memory is updated");
};

const remember = (step: Step, progress: Progress): StepEnd => {
  const text = progress.text(String(step.with?.text ?? ""));
  if (!text.ok) return rejected(text.problem);
  const note = cutText(plainText(text.value).trim(), 1_000);
  if (note === "") return skipped("there is nothing to remember");
  if (!progress.note(note)) return rejected("this iteration has no room for more notes");
  return ended(progress.set(outputOf(step), note), "remembered");
};

const executeDecision = (step: Step, { progress, jsonDepthMax }: Around): StepEnd => {
  const slot = readSlot(String(step.with?.decision ?? ""));
  const decision = slot === null ? progress.decided : decisionAt(slot, progress);
  if (decision === null) return skipped("no decision to execute");
  const parsed = parseAction(decision.action, jsonDepthMax);
  if (parsed.kind === "refused") return rejected(parsed.refusal.message);
  const repeated = repeatedFailure(decision.action, progress.variables());
  if (repeated !== null) return rejected(`it should pivot, but repeats what failed: ${repeated}`);
  progress.decide(outputOf(step), decision);
  return ran("decided");
};

/** Returns this iteration's decision under `name`, else a decision made of the slot's value. */
const decisionAt = ({ name, path }: Slot, progress: Progress): Reply | null => {
  const made = path.length === 0 ? progress.decisionUnder(name) : null;
  if (made !== null) return made;
  const value = valueIn(progress.value(name), path);
  if (value === null) return null;
  const inside = isObject(value) ? value : {};
  const action = inside.action ?? value;
  const reasoning = typeof inside.reasoning === "string" ? inside.reasoning : "";
  return { reasoning, assessment: "", action, sleep: null };
};

/** The default number of retries. Decisions need no retries, because they have repairs. */
const DATA_RETRIES = 1;

/** Returns what an llm step adds to the agent's prompt. For data steps this is the whole prompt. */
const stepPrompt = (step: Step, progress: Progress): ReadResult<string> => {
  const read = progress.prompt(step.prompt ?? "");
  if (!read.ok) return read;
  const { earlier, question } = read.value;
  if (earlier === "" && !yieldsAction(step)) return { ok: true, value: question };
  const sections = [earlier, `## This step\n${question}`].filter((text) => text !== "");
  return { ok: true, value: sections.join("\n\n") };
};

const llmStep = async (step: Step, progress: Progress, ports: WorkflowPorts): Promise<StepEnd> => {
  const prompt = stepPrompt(step, progress);
  if (!prompt.ok) return rejected(`the prompt: ${prompt.problem}`);
  const { schema = "action" } = step;
  if (schema === "action") return decide(step, prompt.value, { progress, ports });
  const answer = await askUntilRead(ports.ask, {
    purpose: step.name,
    prompt: prompt.value,
    wanted: readerOf(step.name, schema),
    repairs: 0,
    retries: step.max_retries ?? DATA_RETRIES,
  });
  if (!answer.ok) return unanswered(answer);
  const problem = progress.set(outputOf(step), answer.value);
  return problem === null ? ran("answered") : stepFailure("llm_error", problem);
};

const unanswered = ({ ok: _, message: note, ...why }: Failure): StepEnd => ({
  outcome: "failed",
  note,
  ...why,
});

/** Asks for an action. If `should_pivot` is true, the action must not repeat the last failure. */
const decide = async (
  step: Step,
  question: string,
  { progress, ports }: { readonly progress: Progress; readonly ports: WorkflowPorts },
): Promise<StepEnd> => {
  const { ask, promptOf, repairs, ...wanted } = ports.decision;
  const decided = (words: string) =>
    askUntilRead(ask, {
      purpose: step.name,
      prompt: promptOf(words),
      wanted,
      repairs,
      retries: step.max_retries ?? 0,
    });
  const repeatedBy = ({ action }: Reply) => repeatedFailure(action, progress.variables());
  let decision = await decided(question);
  const repeated = decision.ok ? repeatedBy(decision.value) : null;
  if (repeated !== null) decision = await decided(`${question}${reminderOf(repeated)}`);
  if (!decision.ok) return unanswered(decision);
  const again = repeatedBy(decision.value);
  if (again !== null) {
    return rejected(`the model chose twice to repeat the action that failed: ${again}`);
  }
  progress.decide(outputOf(step), decision.value);
  return ran("decided");
};

const reminderOf = (repeated: string): string => `

You chose ${repeated}, but that is the action that just failed. Change your approach: choose another
action, another method, or another target.`;

const CHOICE = "choice";

const readerOf = (
  name: string,
  schema: Exclude<NonNullable<Step["schema"]>, "action">,
): AnswerReader<Json> => {
  if (schema === "text") return { form: null, read: readText };
  if (isWords(schema)) {
    const fields = { [CHOICE]: schema };
    return { form: answerForm(name, fields), read: (text) => choiceIn(readAnswer(text, fields)) };
  }
  const fields: AnswerFields = schema;
  return { form: answerForm(name, fields), read: (text) => readAnswer(text, fields) };
};

const choiceIn = (answer: ReadResult<JsonObject>): ReadResult<Json> =>
  answer.ok ? { ok: true, value: answer.value[CHOICE] ?? null } : answer;

const readText = (text: string): ReadResult<Json> => {
  const value = cutText(plainText(text).trim(), 6_000);
  return value === "" ? { ok: false, problem: "the reply is empty" } : { ok: true, value };
};
