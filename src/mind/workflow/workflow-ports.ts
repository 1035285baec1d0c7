import type { Json } from "../../kernel/index.ts";
import type { Ask, Failure, Reply, Wanted } from "../reply/index.ts";
import type { Evaluate } from "./evaluator.ts";
import type { Variables } from "./variables.ts";

/**
 * What a workflow asks of those around it.
 *
 * Contract: none of these throws or rejects. Each question pays for itself, and fails with
 * `insufficient_llm_tokens` where the agent cannot, or has asked as often as it may.
 */
export type WorkflowPorts = {
  readonly ask: Ask;
  /** What a step is asked that decides: with all that an agent is told when it does. */
  readonly decision: Wanted<Reply> & {
    promptOf(question: string): string;
    /** How often a decision that cannot be read is sent back, whatever its step says. */
    readonly repairs: number;
  };
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
  /** Of a step that failed; null for all others. */
  readonly reason: Failure["reason"] | null;
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
  | (Failure & { readonly memory: Json; readonly trace: readonly StepTrace[] });
