export { workflowSchema } from "./check-workflow.ts";
export type { Evaluate } from "./evaluator.ts";
export { type StepPrompt, stepPrompts } from "./step-prompts.ts";
export { type Mindful, workflowVariables } from "./variables.ts";
export type { WorkflowPorts, WorkflowRun } from "./workflow-ports.ts";
export { runWorkflow } from "./workflow-runner.ts";
export type { Workflow } from "./workflow-schema.ts";
