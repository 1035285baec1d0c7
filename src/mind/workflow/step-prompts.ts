import { estimateTokens } from "../tokens.ts";
import { codeStep } from "./code-step.ts";
import { Progress, type ProgressMoment } from "./progress.ts";
import { hindrance } from "./step-condition.ts";
import type { Workflow } from "./workflow-schema.ts";

/** What an llm step would be asked. */
export type StepPrompt = {
  readonly step: string;
  readonly tokens: number;
  readonly text: string;
};

/**
 * What every llm step of an iteration would be asked before any model has answered: its results
 * are not there yet, those of code steps are. No condition keeps a question from being shown.
 */
export const stepPrompts = (
  workflow: Workflow,
  moment: ProgressMoment & { readonly jsonDepthMax: number },
): readonly StepPrompt[] => {
  const progress = new Progress(workflow, moment);
  return workflow.steps.flatMap((step) => {
    if (step.type === "code" && hindrance(step, progress) === null) {
      codeStep(step, progress, moment.jsonDepthMax);
    }
    if (step.type !== "llm") return [];
    const prompt = progress.prompt(step.prompt ?? "");
    const text = prompt.ok ? prompt.text : prompt.problem;
    return [{ step: step.name, tokens: estimateTokens(text), text }];
  });
};
