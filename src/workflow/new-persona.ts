import { modelTemplate, PROMPT_FILES, type ShippedSettings } from "../mind/index.ts";
import { workflowKey } from "./check-workflow.ts";

const workflowText = (about: string): string => `
workflow: # ${about}
  max_model_calls: 3 # per iteration
  error_handling: { on_step_failure: continue } # or abort
  steps:
    - name: metrics
      type: code # runs a built-in or an expression
      run: compute_metrics # sets success_rate, stuck_in_loop, should_pivot and more

    - name: plan
      type: llm
      if: iteration % 5 === 1 || should_pivot # in every fifth iteration, and when actions fail
      prompt: |
        You have {balance} scrip. What you own: {my_artifacts}
        Your latest actions: {recent_actions}
        Your plan up to now: {plan.goal}
        Settle on a goal, and on the next step towards it.
      schema: { goal: string, next_step: string } # without a schema the step decides on an action
      persist: true # keeps the plan for later iterations

    - name: act
      type: llm
      prompt: |
        Your goal: {plan.goal}
        The next step: {plan.next_step}
        Choose the one action that takes this step.
`;

/** A new persona with `mind: llm` or `mind: workflow`. */
export const llmTemplate = (mind: string, shipped: ShippedSettings) => {
  const steps = mind === "workflow" ? workflowText(workflowKey.description ?? "") : "";
  return { text: steps + modelTemplate(shipped, { hasForm: true }), files: PROMPT_FILES };
};
