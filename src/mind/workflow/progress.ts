import { cutText, type Json, jsonProblem } from "../../kernel/index.ts";
import type { Reply } from "../reply/index.ts";
import { readExpression } from "./expression.ts";
import { type Scope, scopeOf } from "./scope.ts";
import { fillTemplate, readTemplate, type Slot, shownValue, valueAt } from "./template.ts";
import type { Variables } from "./variables.ts";
import { readMemory, type WorkflowMemory, writtenMemory } from "./workflow-memory.ts";
import type { WorkflowMoment, WorkflowPorts } from "./workflow-ports.ts";
import type { Workflow } from "./workflow-schema.ts";

/** An output larger than this is not kept; a step that gives one has failed. */
const OUTPUT_CHARS_MAX = 40_000;
const OUTPUT_DEPTH_MAX = 10;
const REASONING_CHARS_MAX = 2_000;
const NOTES_MAX = 10;
const PROBLEM_CHARS_MAX = 300;

type Filled = { readonly ok: true; readonly text: string } | Unfit;
type Found = { readonly ok: true; readonly value: Json } | Unfit;
type Unfit = { readonly ok: false; readonly problem: string };

/** What of a moment bears on the values of steps, and not on whom they ask. */
export type ProgressMoment = Pick<WorkflowMoment, "memory" | "variables" | "fence"> & {
  readonly ports: Pick<WorkflowPorts, "evaluate">;
};

/** How far one iteration has come: what its steps have set, decided and noted. */
export class Progress {
  readonly #workflow: Workflow;
  readonly #moment: ProgressMoment;
  readonly #scope: Scope;
  readonly #variables: Map<string, Json>;
  readonly #kept: Map<string, WorkflowMemory["context"][string]>;
  readonly #counters: Map<string, number>;
  readonly #decisions = new Map<string, Reply>();
  readonly #notes: string[] = [];
  readonly #iteration: number;
  readonly #state: string | null;
  #nextState: string | null = null;
  #decided: Reply | null = null;
  #workingMemory: Json | null = null;

  constructor(workflow: Workflow, moment: ProgressMoment) {
    this.#workflow = workflow;
    this.#moment = moment;
    this.#scope = scopeOf(workflow);
    const memory = readMemory(workflow, this.#scope, moment.memory);
    this.#iteration = memory.iteration + 1;
    this.#state = memory.state;
    this.#counters = new Map(Object.entries(memory.counters));
    this.#kept = new Map(Object.entries(memory.context));
    this.#variables = new Map(Object.entries(moment.variables));
    for (const [name, { value }] of this.#kept) this.#variables.set(name, value);
  }

  /** The state of the whole iteration. */
  get state(): string | null {
    return this.#state;
  }

  /** The state that the next iteration begins in, where it is another one. */
  get nextState(): string | null {
    return this.#nextState;
  }

  /** The latest decision of a step of this iteration. */
  get decided(): Reply | null {
    return this.#decided;
  }

  get workingMemory(): Json | null {
    return this.#workingMemory;
  }

  get notes(): readonly string[] {
    return this.#notes;
  }

  /** Null for what was not set, or is not known. */
  value(name: string): Json {
    if (name === "iteration") return this.#iteration;
    if (name === "state") return this.#state;
    if (name === "counters") return this.#countersShown();
    return this.#variables.get(name) ?? null;
  }

  /** All variables that are set. */
  variables(): Variables {
    return {
      ...Object.fromEntries(this.#variables),
      iteration: this.#iteration,
      state: this.#state,
      counters: this.#countersShown(),
    };
  }

  /** Sets a variable for the steps behind; says what is wrong with the value, or null. */
  set(name: string, value: Json): string | null {
    const problem = jsonProblem(value, OUTPUT_DEPTH_MAX);
    if (problem !== null) return `its result is no plain data: ${problem}`;
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

  /** Takes a decision for the action of the iteration, and keeps it under a name. */
  decide(name: string, reply: Reply): void {
    const { action } = reply;
    const reasoning = cutText(reply.reasoning, REASONING_CHARS_MAX);
    const assessment = cutText(reply.assessment, REASONING_CHARS_MAX);
    const problem = this.set(name, { reasoning, assessment, action });
    // Programs can be long: then the whole of it is there for this iteration alone.
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
    if (this.#notes.length >= NOTES_MAX) return false;
    this.#notes.push(text);
    return true;
  }

  rewriteWorkingMemory(value: Json): void {
    this.#workingMemory = value;
    this.#variables.set("working_memory", value);
  }

  slotValue({ name, path }: Slot): Json {
    return valueAt(this.value(name), path);
  }

  /** A prompt with the values in it; what comes from others is fenced. */
  prompt(template: string): Filled {
    return this.#fill(template, (slot) => {
      const shown = shownValue(this.slotValue(slot));
      const { foreign = true } = this.#scope.get(slot.name) ?? {};
      return foreign ? this.#moment.fence(shown) : shown;
    });
  }

  /** A text with the values in it, for anything but a prompt. */
  text(template: string): Filled {
    return this.#fill(template, (slot) => shownValue(this.slotValue(slot)));
  }

  /** What a template stands for: where it is one variable and nothing else, that one's value. */
  given(template: string): Found {
    const read = readTemplate(template);
    if (!read.ok) return read;
    const [only, second] = read.parts;
    if (only !== undefined && second === undefined && typeof only !== "string") {
      return { ok: true, value: this.slotValue(only) };
    }
    const filled = this.text(template);
    return filled.ok ? { ok: true, value: filled.text } : filled;
  }

  /** The value of an expression; it sees only what it names. */
  evaluate(expression: string): Found {
    const read = readExpression(expression);
    if (!read.ok) return read;
    const names = read.reads.map(({ name }) => name);
    const variables = Object.fromEntries(names.map((name) => [name, this.value(name)]));
    const evaluated = this.#moment.ports.evaluate(expression, variables);
    if (evaluated.ok) return evaluated;
    return { ok: false, problem: cutText(evaluated.problem, PROBLEM_CHARS_MAX) };
  }

  /** What is kept for the next iteration, and the names of what there was no room for. */
  written(): ReturnType<typeof writtenMemory> {
    return writtenMemory(this.#workflow, {
      iteration: this.#iteration,
      state: this.#nextState ?? this.#state,
      counters: Object.fromEntries(this.#counters),
      context: Object.fromEntries(this.#kept),
    });
  }

  #fill(template: string, shown: (slot: Slot) => string): Filled {
    const read = readTemplate(template);
    return read.ok ? { ok: true, text: fillTemplate(read.parts, shown) } : read;
  }

  /** Counters begin at 0. */
  #countersShown(): Json {
    const names = this.#scope.get("counters")?.fields ?? [];
    return Object.fromEntries(names.map((name) => [name, this.#counters.get(name) ?? 0]));
  }
}
