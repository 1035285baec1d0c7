import type { Failure } from "../reply/index.ts";

type Reason = Failure["reason"];

/** How a step ended. */
export type StepEnd =
  | { readonly outcome: "ran" | "skipped"; readonly note: string }
  | { readonly outcome: "failed"; readonly reason: Reason; readonly note: string };

export const ran = (note: string): StepEnd => ({ outcome: "ran", note });
export const skipped = (note: string): StepEnd => ({ outcome: "skipped", note });
export const failed = (reason: Reason, note: string): StepEnd => ({
  outcome: "failed",
  reason,
  note,
});
