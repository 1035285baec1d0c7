import type { Factors } from "../../observe/index.ts";
import type { Keep, Measure } from "../design/experiment.ts";
import type { SimCall } from "../design/planned-run.ts";
import type { Measurement } from "../measure/measure-run.ts";

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
  readonly keep: Keep | "past";
};

export type FinishedRun = Measurement & {
  readonly journalHash: string;
  readonly stateHash: string;
  readonly stoppedBy: string;
  readonly wallS: number;
  readonly usd: number;
  /** The size of what is kept of the run on disk. */
  readonly keptBytes: number;
};

export type JobOutcome =
  | { readonly ok: true; readonly run: FinishedRun }
  | { readonly ok: false; readonly error: string };

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
