import type { Json } from "../../kernel/index.ts";
import type { Failed } from "../mind.ts";
import type { ReplyForm } from "../model/index.ts";
import type { Reply } from "../reply/index.ts";
import type { Evaluate } from "./evaluator.ts";
import type { Variables } from "./variables.ts";

export type Reason = Failed["reason"];
export type Failure = { readonly ok: false; readonly reason: Reason; readonly message: string };

/** One question of a step; `purpose` is the name of the step. */
export type StepQuestion = { readonly purpose: string; readonly prompt: string };

/**
 * What a workflow asks of those around it.
 *
 * Contract: none of these throws or rejects. Each call of `ask` and `propose` pays for itself, and
 * fails with `insufficient_llm_tokens` where the agent cannot.
 */
export type WorkflowPorts = {
  /** Asks for text, or for data in a form. */
  ask(
    question: StepQuestion & { readonly form: ReplyForm | null },
  ): Promise<{ readonly ok: true; readonly text: string } | Failure>;
  /** Asks for a decision, with all that an agent is told when it decides. */
  propose(question: StepQuestion): Promise<{ readonly ok: true; readonly reply: Reply } | Failure>;
  readonly evaluate: Evaluate;
};

/** All that one iteration begins with. */
export type WorkflowMoment = {
  /** What the iteration before gave back; anything else begins anew. */
  readonly memory: Json;
  /** From `workflowVariables`. */
  readonly variables: Variables;
  readonly ports: WorkflowPorts;
  /** Makes a text that others wrote safe to stand in a prompt. */
  readonly fence: (text: string) => string;
  readonly jsonDepthMax: number;
};

/** What became of a step, for whoever looks at the workflow. */
export type StepTrace = {
  readonly step: string;
  /** `forgot`: a kept value was dropped, since all of them together were too large. */
  readonly outcome: "ran" | "skipped" | "failed" | "forgot";
  readonly note: string;
  /** How often it asked a model. */
  readonly asked: number;
};

export type WorkflowRun =
  | {
      readonly ok: true;
      /** A noop with the reasons where no step decided on an action. */
      readonly reply: Reply;
      readonly memory: Json;
      /** Working memory as it is to be written, null where it stays. */
      readonly workingMemory: Json | null;
      /** To be remembered by the agent. */
      readonly notes: readonly string[];
      readonly trace: readonly StepTrace[];
    }
  | {
      readonly ok: false;
      readonly reason: Reason;
      readonly message: string;
      readonly memory: Json;
      readonly trace: readonly StepTrace[];
    };
