import { z } from "zod";
import type { Frozen } from "../../model/index.ts";
import { RUN_ID, runRequest } from "../../run/index.ts";
import { factorValue, measureSchema } from "../design/experiment.ts";
import type { Trajectory } from "../result/result.ts";

/** The name of a run: its folder can be nowhere else than in the folder of the runs. */
const runName = z.string().regex(RUN_ID);

/**
 * What an executor needs to make and measure one run, as JSON. The schema checks a job that comes
 * back from a queue: it can ask for no more than one new or forked run.
 */
export const job = z.strictObject({
  /** `out` is the folder of the runs of the experiment. */
  request: runRequest
    .extend({ name: runName })
    .refine(({ start }) => start.kind !== "resume", { error: "cannot resume a run" }),
  /** The id of the run that this one forks, or null. */
  past: runName.nullable(),
  arm: z.string(),
  factors: z.record(z.string(), factorValue),
  seed: z.number(),
  /** Empty for a common past, which is kept until `release`. */
  measures: z.array(measureSchema),
  keep: z.enum(["figures", "journals", "all", "past"]),
});
export type Job = Frozen<z.output<typeof job>>;

const nullableNumber = z.number().nullable();

const trajectory: z.ZodType<Trajectory> = z
  .object({ at_ms: z.array(z.number()) })
  .catchall(z.array(nullableNumber));

const finishedRun = z.object({
  figures: z.record(z.string(), nullableNumber),
  trajectory,
  /** A hash of all figures. Two runs with one digest had the same economy. */
  digest: z.string(),
  /** Trades in each quarter of the run. */
  tradesByQuarter: z.array(z.number()),
  journalHash: z.string(),
  stateHash: z.string(),
  stoppedBy: z.string(),
  wallS: z.number(),
  usd: z.number(),
  /** The size of what is kept of the run on disk. */
  keptBytes: z.number(),
});
export type FinishedRun = Frozen<z.output<typeof finishedRun>>;

export const jobOutcome = z.discriminatedUnion("ok", [
  z.object({ ok: z.literal(true), run: finishedRun }),
  z.object({ ok: z.literal(false), error: z.string() }),
]);
export type JobOutcome = Frozen<z.output<typeof jobOutcome>>;

/** What became of a run: its outcome, or why its process died, or null if it was stopped. */
export type Made = JobOutcome | { readonly died: string } | null;

/**
 * Where runs are made: processes of this machine, or a queue of several machines. An executor makes
 * `slots` runs at a time. `execute` never rejects: a failed run is an outcome. After `stop`, no run
 * is in progress, and the outcome of an interrupted run is null.
 */
export type Executor = {
  readonly slots: number;
  readonly execute: (job: Job) => Promise<JobOutcome | null>;
  /** Deletes the common past with this id in the folder of the runs. No run needs it any more. */
  readonly release: (past: string, runs: string) => void;
  readonly stop: () => Promise<void>;
};
