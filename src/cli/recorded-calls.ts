import { type RecordedCall, readCalls } from "../mind/index.ts";
import { openRun } from "./open-run.ts";
import { UsageProblem } from "./usage-problem.ts";

/** The calls of models that a run has recorded, in their order. A run without any is an error. */
export const callsOf = (run: string, out: string): readonly RecordedCall[] => {
  const { journal } = openRun(run, out);
  const calls = [...readCalls(journal.modelCalls())];
  journal.close();
  if (calls.length > 0) return calls;
  throw new UsageProblem(`run ${run} asked no model, so there is nothing to answer from`);
};
