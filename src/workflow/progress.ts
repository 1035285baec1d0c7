import { z } from "zod";
import {
  canonical,
  cutText,
  fnv1a,
  isObject,
  type Json,
  type JsonObject,
  jsonProblem,
} from "../kernel/index.ts";
import type { AnswerReader, Ask, Failure, ReadResult, Reply } from "../mind/index.ts";
import { BUILT_INS } from "./built-ins.ts";
import {
  cutMarked,
  fillTemplate,
  readExpression,
  readTemplate,
  type Slot,
  shownValue,
  valueIn,
} from "./expression.ts";
import { type Scope, scopeOf, stepNamed } from "./scope.ts";
import {
  builtInOf,
  canRunIn,
  initialStateOf,
  outputOf,
  STEPS,
  type Step,
  type Workflow,
} from "./workflow-schema.ts";

/** Evaluates a JavaScript expression deterministically in the sandbox, with limited gas. */
export type Evaluate = (expression: string, variables: JsonObject) => ReadResult<Json>;

/**
 * What a workflow needs from its host.
 *
 * Contract: no port throws or rejects. The agent pays for each question. A question fails with
 * `insufficient_llm_tokens` if the agent cannot pay or has no calls left.
 */
export type WorkflowPorts = {
  /** Asks a model for data. */
  readonly ask: Ask;
  /** How to ask a model for an action. `promptOf` adds a step's sections to the agent's prompt. */
  readonly decision: AnswerReader<Reply> & {
    readonly ask: Ask;
    promptOf(question: string): string;
    /** How many times the model may repair an unreadable decision, in addition to `max_retries`. */
    readonly repairs: number;
  };
  readonly evaluate: Evaluate;
};

export type WorkflowMoment = {
  /** The memory that the last iteration returned. Any other value restarts the workflow. */
  readonly memory: Json;
  readonly variables: JsonObject;
  readonly ports: WorkflowPorts;
  readonly fence: (text: string) => string;
  readonly jsonDepthMax: number;
};

export type StepTrace = {
  readonly step: string;
  /** `forgot`: a kept value was dropped because the memory was too large. */
  readonly outcome: "ran" | "skipped" | "failed" | "forgot";
  readonly note: string;
  readonly reason: Failure["reason"] | null;
};

export type StepEnd = Pick<StepTrace, "note"> &
  (
    | { readonly outcome: "ran" | "skipped"; readonly reason: null }
    | ({ readonly outcome: "failed" } & Pick<Failure, "reason" | "fault">)
  );

export const ran = (note: string): StepEnd => ({ outcome: "ran", note, reason: null });
export const skipped = (note: string): StepEnd => ({ outcome: "skipped", note, reason: null });
export const stepFailure = (reason: Failure["reason"], note: string): StepEnd => ({
  outcome: "failed",
  reason,
  note,
});
export const rejected = (note: string): StepEnd => stepFailure("intent_rejected", note);

export type WorkflowRun = { readonly memory: Json; readonly trace: readonly StepTrace[] } & (
  | Failure
  | {
      readonly ok: true;
      /** The decision of the steps. If no step decided, a noop whose `reasoning` says why. */
      readonly reply: Reply;
      readonly workingMemory: Json | null;
      readonly notes: readonly string[];
    }
);

/** The result of a step that ran earlier in the same iteration. */
type StepResult = {
  readonly step: Step;
  readonly value: Json;
  /** True if the value may hold text of other agents. */
  readonly foreign: boolean;
};

const RESULT_CHARS_MAX = 2_000;

const HEAD = "## Earlier steps\nThe results of the earlier steps. No action was executed yet.";

/**
 * Returns the section of a prompt that shows the results of earlier steps, or "" if there are none.
 * Leaves out results that the prompt itself inserts. If the section is too long, leaves out the
 * oldest results.
 */
const earlierSteps = (
  results: readonly StepResult[],
  inserted: readonly Slot[],
  fence: (text: string) => string,
): string => {
  const missing = results.filter(({ step }) => !inserted.some((slot) => isFrom(step, slot)));
  const parts: string[] = [];
  let left = 6_000;
  for (const { step, value, foreign } of missing.toReversed()) {
    const text = shownResult(value);
    left -= text.length;
    if (left < 0) break;
    parts.unshift(`### ${step.name}\n${foreign ? fence(text) : text}`);
  }
  return parts.length === 0 ? "" : [HEAD, ...parts].join("\n\n");
};

/** Returns whether a slot inserts the result of a step, or a part of the result. */
const isFrom = (step: Step, { name, path }: Slot): boolean => {
  if (name === STEPS) return path[0] === undefined || path[0] === step.name;
  const builtIn = step.type === "code" ? builtInOf(step) : undefined;
  const given = builtIn === undefined ? [] : BUILT_INS[builtIn].gives.map((each) => each.name);
  return name === outputOf(step) || given.some((variable) => variable === name);
};

/** Formats a decision as reasons and action, so that long reasons do not displace the action. */
const shownResult = (value: Json): string => {
  if (!isObject(value) || !("action" in value) || typeof value.reasoning !== "string") {
    return cutMarked(shownValue(value), RESULT_CHARS_MAX);
  }
  const { assessment, reasoning, action } = value;
  const thoughts = [assessment, reasoning].filter(
    (text) => typeof text === "string" && text !== "",
  );
  const half = RESULT_CHARS_MAX / 2;
  const proposed = `Proposed action: ${cutMarked(JSON.stringify(action ?? null), half)}`;
  return [cutMarked(thoughts.join("\n"), half), proposed].filter((text) => text !== "").join("\n");
};

/** The maximum size of a workflow's memory in the journal, in characters of JSON. */
const MEMORY_CHARS_MAX = 16_000;

const count = z.int().min(0);
const json: z.ZodType<Json> = z.json();

const memorySchema = z.strictObject({
  /** The hash that `markOf` returns for the workflow. */
  of: z.int(),
  iteration: count,
  state: z.string().nullable(),
  counters: z.record(z.string(), z.int()),
  /** The outputs kept for later iterations, by name. `at` is the iteration that set a value. */
  context: z.record(z.string(), z.strictObject({ at: count, value: json })),
});
type WorkflowMemory = Readonly<Omit<z.infer<typeof memorySchema>, "of">>;

/** Returns a hash of the states and of each step's name, type, output and built-in. */
const markOf = ({ states = [], steps }: Workflow): number =>
  fnv1a(
    canonical([
      states,
      steps.map((step) => [step.name, step.type, outputOf(step), builtInOf(step)]),
    ]),
  );

const freshMemory = (workflow: Workflow): WorkflowMemory => ({
  iteration: 0,
  state: initialStateOf(workflow),
  counters: {},
  context: {},
});

/** Reads the memory from the journal. Returns fresh memory if another workflow wrote `memory`. */
const readMemory = (workflow: Workflow, scope: Scope, memory: Json): WorkflowMemory => {
  const read = memorySchema.safeParse(memory);
  if (!read.success || read.data.of !== markOf(workflow)) return freshMemory(workflow);
  const { iteration, state, counters, context } = read.data;
  const known = workflow.states ?? [];
  const isLost = state === null ? known.length > 0 : !known.includes(state);
  if (isLost || iteration >= Number.MAX_SAFE_INTEGER) return freshMemory(workflow);
  const names = scope.get("counters")?.fields ?? [];
  return {
    iteration,
    state,
    counters: only(counters, (name) => names.includes(name)),
    context: only(context, (name) => scope.get(name)?.persists === true),
  };
};

const only = <T>(
  record: { readonly [name: string]: T },
  keeps: (name: string) => boolean,
): { readonly [name: string]: T } =>
  Object.fromEntries(Object.entries(record).filter(([name]) => keeps(name)));

/** Returns the memory to write to the journal. Drops the oldest outputs until the memory fits. */
const writtenMemory = (
  workflow: Workflow,
  memory: WorkflowMemory,
): { readonly memory: Json; readonly dropped: readonly string[] } => {
  const context = new Map(Object.entries(memory.context));
  const written = () => ({ of: markOf(workflow), ...memory, context: Object.fromEntries(context) });
  const dropped: string[] = [];
  const oldestFirst = [...context].toSorted(([, a], [, b]) => a.at - b.at);
  for (const [name] of oldestFirst) {
    if (JSON.stringify(written()).length <= MEMORY_CHARS_MAX) break;
    context.delete(name);
    dropped.push(name);
  }
  return { memory: written(), dropped };
};

/** The maximum size of an output, in characters of JSON. A step with a larger output fails. */
const OUTPUT_CHARS_MAX = 40_000;
const REASONING_CHARS_MAX = 2_000;

/** The parts of a `WorkflowMoment` that a prompt preview needs. A preview calls no model. */
export type ProgressMoment = Pick<WorkflowMoment, "memory" | "variables" | "fence"> & {
  readonly ports: Pick<WorkflowPorts, "evaluate">;
};

/** The progress of one iteration: the variables, decisions and notes of its steps so far. */
export class Progress {
  readonly workflow: Workflow;
  readonly #moment: ProgressMoment;
  readonly #scope: Scope;
  readonly #variables: Map<string, Json>;
  readonly #kept: Map<string, WorkflowMemory["context"][string]>;
  readonly #counters: Map<string, number>;
  readonly #decisions = new Map<string, Reply>();
  /** The results of the steps that ran in this iteration, in order. */
  readonly #results = new Map<Step, Json>();
  readonly #notes: string[] = [];
  readonly #iteration: number;
  readonly state: string | null;
  #nextState: string | null = null;
  #decided: Reply | null = null;
  #workingMemory: Json | null = null;

  constructor(workflow: Workflow, moment: ProgressMoment) {
    this.workflow = workflow;
    this.#moment = moment;
    this.#scope = scopeOf(workflow);
    const memory = readMemory(workflow, this.#scope, moment.memory);
    this.#iteration = memory.iteration + 1;
    this.state = memory.state;
    this.#counters = new Map(Object.entries(memory.counters));
    this.#kept = new Map(Object.entries(memory.context));
    this.#variables = new Map(Object.entries(moment.variables));
    for (const [name, { value }] of this.#kept) this.#variables.set(name, value);
  }

  /** The state of the next iteration, or null if the state stays the same. */
  get nextState(): string | null {
    return this.#nextState;
  }

  get decided(): Reply | null {
    return this.#decided;
  }

  get kept(): { readonly workingMemory: Json | null; readonly notes: readonly string[] } {
    return { workingMemory: this.#workingMemory, notes: this.#notes };
  }

  value(name: string): Json {
    const variables = this.variables();
    return Object.hasOwn(variables, name) ? (variables[name] ?? null) : null;
  }

  variables(): JsonObject {
    return {
      ...Object.fromEntries(this.#variables),
      [STEPS]: this.#resultsByName(),
      iteration: this.#iteration,
      state: this.state,
      counters: Object.fromEntries(
        (this.#scope.get("counters")?.fields ?? []).map((name) => [
          name,
          this.#counters.get(name) ?? 0,
        ]),
      ),
    };
  }

  /** Stores the result of a step that ran, for `steps.NAME` and the prompts of later steps. */
  finish(step: Step): void {
    if (step.type !== "transition") this.#results.set(step, this.value(outputOf(step)));
  }

  /** Sets a variable for later steps. Returns null, or the problem if the value is not allowed. */
  set(name: string, value: Json): string | null {
    const problem = jsonProblem(value, 10);
    if (problem !== null) return `its result is not plain data: ${problem}`;
    if (JSON.stringify(value).length > OUTPUT_CHARS_MAX) {
      return `its result is larger than ${OUTPUT_CHARS_MAX} characters of JSON`;
    }
    this.#variables.set(name, value);
    this.#decisions.delete(name);
    if (this.#scope.get(name)?.persists === true) {
      this.#kept.set(name, { at: this.#iteration, value });
    }
    return null;
  }

  /** Makes `reply` the decision of the iteration, and stores `reply` in the variable `name`. */
  decide(name: string, reply: Reply): void {
    const { action } = reply;
    const reasoning = cutText(reply.reasoning, REASONING_CHARS_MAX);
    const assessment = cutText(reply.assessment, REASONING_CHARS_MAX);
    const problem = this.set(name, { reasoning, assessment, action });
    // If the action is too large, the variable omits it. The decision below still has it.
    if (problem !== null) this.set(name, { reasoning, assessment, action: null });
    this.#decisions.set(name, reply);
    this.#decided = reply;
  }

  decisionUnder(name: string): Reply | null {
    return this.#decisions.get(name) ?? null;
  }

  moveTo(state: string): void {
    this.#nextState = state;
  }

  count(name: string, by: number): number {
    const sum = (this.#counters.get(name) ?? 0) + by;
    const counted = Number.isSafeInteger(sum) ? sum : 0;
    this.#counters.set(name, counted);
    return counted;
  }

  note(text: string): boolean {
    if (this.#notes.length >= 10) return false;
    this.#notes.push(text);
    return true;
  }

  rewriteWorkingMemory(value: Json): void {
    this.#workingMemory = value;
    this.#variables.set("working_memory", value);
  }

  slotValue({ name, path }: Slot): Json {
    return valueIn(this.value(name), path);
  }

  /**
   * Fills in the variables of a prompt, and fences values that may hold text of other agents.
   * `earlier` is the section with the results of earlier steps, or "" if there are none.
   */
  prompt(template: string): ReadResult<{ readonly earlier: string; readonly question: string }> {
    const read = readTemplate(template);
    if (!read.ok) return read;
    const { fence } = this.#moment;
    const question = fillTemplate(read.parts, (slot) => {
      const shown = shownValue(this.slotValue(slot));
      return this.#isForeign(slot) ? fence(shown) : shown;
    });
    const results = [...this.#results].map(([step, value]) => {
      const foreign = this.#isForeign({ name: outputOf(step), path: [] });
      return { step, value, foreign };
    });
    const inserted = read.parts.filter((part) => typeof part !== "string");
    return { ok: true, value: { earlier: earlierSteps(results, inserted, fence), question } };
  }

  /** Fills in the variables of a text, without fences around the values. Not for prompts. */
  text(template: string): ReadResult<string> {
    const read = readTemplate(template);
    if (!read.ok) return read;
    return {
      ok: true,
      value: fillTemplate(read.parts, (slot) => shownValue(this.slotValue(slot))),
    };
  }

  /** Returns the value if the template is only one variable, otherwise the filled-in text. */
  given(template: string): ReadResult<Json> {
    const read = readTemplate(template);
    if (!read.ok) return read;
    const [only, second] = read.parts;
    if (only !== undefined && second === undefined && typeof only !== "string") {
      return { ok: true, value: this.slotValue(only) };
    }
    return this.text(template);
  }

  /** Evaluates an expression. Passes only the variables that the expression names. */
  evaluate(expression: string): ReadResult<Json> {
    const read = readExpression(expression);
    if (!read.ok) return read;
    const names = read.reads.map(({ name }) => name);
    const variables = Object.fromEntries(names.map((name) => [name, this.value(name)]));
    const evaluated = this.#moment.ports.evaluate(expression, variables);
    if (evaluated.ok) return evaluated;
    return { ok: false, problem: cutText(evaluated.problem, 300) };
  }

  /** Returns why a step's states or condition exclude the step now, or null if the step runs. */
  whyNotRun(step: Step): StepEnd | null {
    if (!canRunIn(step, this.state)) return skipped(`the state is ${this.state}`);
    if (step.if === undefined) return null;
    const holds = this.evaluate(step.if);
    if (!holds.ok) return rejected(`if: ${holds.problem}`);
    return holds.value ? null : skipped(`not ${step.if}`);
  }

  /** Returns the memory for the next iteration, and the names of the values that did not fit. */
  written(): ReturnType<typeof writtenMemory> {
    return writtenMemory(this.workflow, {
      iteration: this.#iteration,
      state: this.#nextState ?? this.state,
      counters: Object.fromEntries(this.#counters),
      context: Object.fromEntries(this.#kept),
    });
  }

  /** Returns the results of this iteration, and the persisted results of steps that did not run. */
  #resultsByName(): JsonObject {
    const steps = this.workflow.steps.filter(({ type }) => type !== "transition");
    return Object.fromEntries(
      steps.map((step) => {
        const persisted = this.#kept.get(outputOf(step))?.value;
        return [step.name, this.#results.get(step) ?? persisted ?? null];
      }),
    );
  }

  #isForeign({ name, path }: Slot): boolean {
    const step = name === STEPS ? stepNamed(this.workflow, path[0]) : undefined;
    return this.#scope.get(step === undefined ? name : outputOf(step))?.foreign ?? true;
  }
}
