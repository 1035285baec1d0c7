import { cutText } from "../../kernel/index.ts";
import type { Failure, Reply } from "../reply/index.ts";
import { codeStep } from "./code-step.ts";
import { llmStep } from "./llm-step.ts";
import { Progress } from "./progress.ts";
import { hindrance } from "./step-condition.ts";
import type { StepEnd } from "./step-end.ts";
import { transitionStep } from "./transition-step.ts";
import type { StepTrace, WorkflowMoment, WorkflowRun } from "./workflow-ports.ts";
import type { Step, Workflow } from "./workflow-schema.ts";

const NOTE_CHARS_MAX = 300;

/**
 * One iteration of a workflow: its steps in order. Never throws or rejects for what a model, a
 * persona or the agent's past can cause. `workflow` has passed `workflowSchema`.
 */
export const runWorkflow = (workflow: Workflow, moment: WorkflowMoment): Promise<WorkflowRun> =>
  new WorkflowRunner(workflow, moment).run();

class WorkflowRunner {
  readonly #workflow: Workflow;
  readonly #moment: WorkflowMoment;
  readonly #progress: Progress;
  readonly #trace: StepTrace[] = [];

  constructor(workflow: Workflow, moment: WorkflowMoment) {
    this.#workflow = workflow;
    this.#moment = moment;
    this.#progress = new Progress(workflow, moment);
  }

  async run(): Promise<WorkflowRun> {
    let failure: Failure | null = null;
    for (const step of this.#workflow.steps) {
      const end = await this.#end(step);
      const note = cutText(end.note, NOTE_CHARS_MAX);
      const reason = end.outcome === "failed" ? end.reason : null;
      this.#trace.push({ step: step.name, outcome: end.outcome, note, reason });
      if (end.outcome !== "failed") continue;
      failure = { ok: false, reason: end.reason, message: `step ${step.name}: ${note}` };
      if (this.#workflow.error_handling?.on_step_failure === "abort") return this.#failed(failure);
    }
    const { decided } = this.#progress;
    if (decided === null && failure !== null) return this.#failed(failure);
    return this.#succeeded(decided ?? this.#noop());
  }

  async #end(step: Step): Promise<StepEnd> {
    const progress = this.#progress;
    const hindered = hindrance(step, progress);
    if (hindered !== null) return hindered;
    switch (step.type) {
      case "llm":
        return llmStep(step, progress, this.#moment.ports);
      case "code":
        return codeStep(step, progress, this.#moment.jsonDepthMax);
      case "transition":
        return transitionStep(step, this.#workflow, progress);
    }
  }

  /** Nothing went wrong, and no step decided on anything. */
  #noop(): Reply {
    const why = this.#trace.map(({ step, outcome, note }) => `${step} ${outcome} (${note})`);
    const reasoning = `No step of the workflow decided on an action: ${why.join("; ")}.`;
    return { reasoning, assessment: "", action: { noop: {} }, sleep: null };
  }

  #succeeded(reply: Reply): WorkflowRun {
    const { workingMemory, notes } = this.#progress;
    return { ok: true, reply, workingMemory, notes, ...this.#left() };
  }

  #failed(failure: Failure): WorkflowRun {
    return { ...failure, ...this.#left() };
  }

  #left(): Pick<WorkflowRun, "memory" | "trace"> {
    const { memory, dropped } = this.#progress.written();
    const forgotten = dropped.map(
      (step): StepTrace => ({
        step,
        outcome: "forgot",
        note: "what the workflow keeps was too large; this was set longest ago",
        reason: null,
      }),
    );
    return { memory, trace: [...this.#trace, ...forgotten] };
  }
}
