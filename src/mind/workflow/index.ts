export { workflowSchema } from "./check-workflow.ts";
export type { Evaluate, Evaluated } from "./evaluator.ts";
export { type Mindful, type Variables, workflowVariables } from "./variables.ts";
export type { StepTrace, WorkflowMoment, WorkflowPorts, WorkflowRun } from "./workflow-ports.ts";
export { runWorkflow } from "./workflow-runner.ts";
export type { Workflow } from "./workflow-schema.ts";
