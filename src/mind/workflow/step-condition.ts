import type { Progress } from "./progress.ts";
import { failed, type StepEnd, skipped } from "./step-end.ts";
import { canRunIn, type Step } from "./workflow-schema.ts";

/** What keeps a step from running: its states, or its condition; null where nothing does. */
export const hindrance = (step: Step, progress: Progress): StepEnd | null => {
  const { state } = progress;
  if (!canRunIn(step, state)) return skipped(`the state is ${state}`);
  if (step.if === undefined) return null;
  const holds = progress.evaluate(step.if);
  if (!holds.ok) return failed("intent_rejected", `if: ${holds.problem}`);
  return isTrue(holds.value) ? null : skipped(`not ${step.if}`);
};

/** As the language counts it: not false, 0, null or the empty text. */
export const isTrue = (value: unknown): boolean => Boolean(value);
