import { isObject, type Json } from "../kernel/index.ts";
import { BUILT_INS } from "./built-ins.ts";
import { cutMarked, type Slot, shownValue } from "./template.ts";
import { builtInOf, outputOf, type Step } from "./workflow-schema.ts";

/** The result of a step that ran earlier in the same iteration. */
type StepResult = {
  readonly step: Step;
  readonly value: Json;
  /** True if the value may hold text of other agents. */
  readonly foreign: boolean;
};

/** The variable that holds the results of all steps of the iteration, by the name of the step. */
export const STEPS = "steps";

const RESULT_CHARS_MAX = 2_000;
const RESULTS_CHARS_MAX = 6_000;

const HEAD = "## Earlier steps\nThe results of the earlier steps. No action was executed yet.";

/**
 * Returns the section of a prompt that shows the results of earlier steps, or "" if there are none.
 * Leaves out results that the prompt itself inserts. If the section is too long, leaves out the
 * oldest results.
 */
export const earlierSteps = (
  results: readonly StepResult[],
  inserted: readonly Slot[],
  fence: (text: string) => string,
): string => {
  const missing = results.filter(({ step }) => !inserted.some((slot) => isFrom(step, slot)));
  const parts: string[] = [];
  let left = RESULTS_CHARS_MAX;
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
