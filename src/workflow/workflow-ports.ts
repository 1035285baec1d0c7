import type { Json, JsonObject } from "../kernel/index.ts";
import type { AnswerReader, Ask, Failure, ReadResult, Reply } from "../mind/index.ts";

/** Evaluates a JavaScript expression deterministically in the sandbox, with limited gas. */
export type Evaluate = (expression: string, variables: JsonObject) => ReadResult<Json>;

/**
 * What a workflow needs from its host.
 *
 * Contract: no port throws or rejects. The agent pays for each question. A question fails with
 * `insufficient_llm_tokens` if the agent cannot pay or has no calls left.
 */
export type WorkflowPorts = {
  /** Asks a model for data. */
  readonly ask: Ask;
  /** How to ask a model for an action. `promptOf` adds a step's sections to the agent's prompt. */
  readonly decision: AnswerReader<Reply> & {
    readonly ask: Ask;
    promptOf(question: string): string;
    /** How many times the model may repair an unreadable decision, in addition to `max_retries`. */
    readonly repairs: number;
  };
  readonly evaluate: Evaluate;
};

export type WorkflowMoment = {
  /** The memory that the last iteration returned. Any other value restarts the workflow. */
  readonly memory: Json;
  readonly variables: JsonObject;
  readonly ports: WorkflowPorts;
  readonly fence: (text: string) => string;
  readonly jsonDepthMax: number;
};

export type StepTrace = {
  readonly step: string;
  /** `forgot`: a kept value was dropped because the memory was too large. */
  readonly outcome: "ran" | "skipped" | "failed" | "forgot";
  readonly note: string;
  readonly reason: Failure["reason"] | null;
};

export type StepEnd = Pick<StepTrace, "note"> &
  (
    | { readonly outcome: "ran" | "skipped"; readonly reason: null }
    | ({ readonly outcome: "failed" } & Pick<Failure, "reason" | "fault">)
  );

export const ran = (note: string): StepEnd => ({ outcome: "ran", note, reason: null });
export const skipped = (note: string): StepEnd => ({ outcome: "skipped", note, reason: null });
export const stepFailure = (reason: Failure["reason"], note: string): StepEnd => ({
  outcome: "failed",
  reason,
  note,
});
export const rejected = (note: string): StepEnd => stepFailure("intent_rejected", note);

export type WorkflowRun = { readonly memory: Json; readonly trace: readonly StepTrace[] } & (
  | Failure
  | {
      readonly ok: true;
      /** The decision of the steps. If no step decided, a noop whose `reasoning` says why. */
      readonly reply: Reply;
      readonly workingMemory: Json | null;
      readonly notes: readonly string[];
    }
);
