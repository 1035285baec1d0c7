import { cutText } from "../kernel/index.ts";
import type { Failure, Reply } from "../mind/index.ts";

import { estimateTokens } from "../model/index.ts";
import { codeStep } from "./code-step.ts";
import { llmStep, stepPrompt } from "./llm-step.ts";
import { Progress, type ProgressMoment } from "./progress.ts";
import { readSlot } from "./template.ts";
import {
  ran,
  rejected,
  type StepEnd,
  type StepTrace,
  skipped,
  type WorkflowMoment,
  type WorkflowRun,
} from "./workflow-ports.ts";
import {
  leavesFrom,
  type Step,
  type Transition,
  transitionsOf,
  type Workflow,
  yieldsAction,
} from "./workflow-schema.ts";

const NOTE_CHARS_MAX = 300;

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
    const note = cutText(end.note, NOTE_CHARS_MAX);
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

export type StepPrompt = ReturnType<typeof stepPrompts>[number];

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
