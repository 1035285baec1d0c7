import { cutText, isObject, type Json, parseAction } from "../kernel/index.ts";
import type { Reply } from "../mind/index.ts";
import { plainText } from "./answer-form.ts";
import type { BuiltInName } from "./built-ins.ts";
import { loadGoals, recentMetricsOf, repeatedFailure, updatedGoals } from "./metrics.ts";
import type { Progress } from "./progress.ts";
import { readSlot, type Slot, valueIn } from "./template.ts";
import { VARIABLES } from "./variables.ts";
import { ran, rejected, type StepEnd, skipped } from "./workflow-ports.ts";
import { builtInOf, outputOf, type Step } from "./workflow-schema.ts";

const NOTE_CHARS_MAX = 1_000;

/** Runs a step without a model: an expression or a built-in. */
export const codeStep = (step: Step, progress: Progress, jsonDepthMax: number): StepEnd => {
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
  const note = cutText(plainText(text.value).trim(), NOTE_CHARS_MAX);
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
