import { type RecordedCall, readCalls } from "../mind/index.ts";
import type { Journal } from "../world/index.ts";
import { openRun } from "./open-run.ts";
import { UsageProblem } from "./usage-problem.ts";

/**
 * The calls of models that a run has recorded, in their order. A run without any is an error, and
 * so is a record that is damaged.
 */
export const callsOf = (run: string, out: string): readonly RecordedCall[] => {
  const { journal } = openRun(run, out);
  const reads = [...readCalls(journal.modelCalls())];
  journal.close();
  const calls = reads.map((read) => {
    if (read.ok) return read.call;
    throw new UsageProblem(`record ${read.id} of run ${run} is damaged: ${read.problem}`);
  });
  if (calls.length > 0) return calls;
  throw new UsageProblem(`run ${run} asked no model, so there is nothing to answer from`);
};

/** Whether what a journal keeps of calls can be read, as a check of `sim verify`. */
export const modelCallCheck = (journal: Journal) => {
  let count = 0;
  for (const read of readCalls(journal.modelCalls())) {
    if (!read.ok) return checked(false, `record ${read.id}: ${read.problem}`);
    count += 1;
  }
  return checked(true, `${count} calls of models`);
};

const checked = (ok: boolean, detail: string) => ({ name: "model-calls", ok, detail }) as const;
