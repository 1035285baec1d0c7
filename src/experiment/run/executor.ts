import { z } from "zod";
import type { Frozen } from "../../model/index.ts";
import type { Experiment, Measure } from "../design/experiment.ts";
import type { SimCall } from "../design/planned-run.ts";
import type { Factors, Trajectory } from "../result/result.ts";

/** What an executor needs to make and measure one run. All of it is JSON. */
export type Job = {
  readonly call: SimCall;
  /** The id of the run that this one forks, or null. */
  readonly past: string | null;
  /** The folder of the runs of the experiment. */
  readonly runs: string;
  readonly arm: string;
  readonly factors: Factors;
  readonly seed: number;
  /** Empty for a common past, which is kept until `release`. */
  readonly measures: readonly Measure[];
  readonly keep: Experiment["keep"] | "past";
};

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

/**
 * Where runs are made: processes of this machine, or a queue of several machines. An executor makes
 * `slots` runs at a time. `execute` never rejects: a failed run is an outcome. After `stop`, no run
 * is in progress, and the outcome of an interrupted run is null.
 */
export type Executor = {
  readonly slots: number;
  readonly execute: (job: Job) => Promise<JobOutcome | null>;
  /** Deletes a common past that no run needs any more. */
  readonly release: (past: SimCall, runs: string) => void;
  readonly stop: () => Promise<void>;
};
