import { canonical } from "../../kernel/index.ts";
import { decodeJson, sha256 } from "../../world/index.ts";
import type { Job } from "../run/executor.ts";

/**
 * A run as a job of the queue, as JSON. It has no path of the machine that submitted it: files are
 * in the pack `files`, and a worker has a folder of runs. It has no secrets and no environment.
 */
export type RunJob = {
  readonly experiment: { readonly name: string; readonly hash: string };
  /** `runs` is `RUNS_PLACE`, in `call.args` too. */
  readonly run: Job;
  /** The hash of the pack with the files that the run reads. */
  readonly files: string;
  /** The folder in the pack to which paths are relative, or "" for its root. */
  readonly folder: string;
  /** The id of the job that makes the common past, or null. */
  readonly past: string | null;
};

/** Stands for the folder of runs, which each worker has for itself. */
export const RUNS_PLACE = "RUNS";

/** A run whose process or worker died this many times is set aside as failed. */
export const RUN_ATTEMPTS_MAX = 3;

/** How long outcomes, packs of files and common pasts stay in Redis after their last use. */
export const KEPT_S = 24 * 60 * 60;

export const PREFIX = "catallaxy";
/** What the members of the presence work on. */
export const QUEUE_ROOM = "runs";
/** The reason of a job that its submitter has cancelled. */
export const CANCELLED = "cancelled";

/** Workers of another version have another queue, so that they never see these runs. */
export const queueName = (versionTag: string): string => `runs-${versionTag}`;

/** The id of a job: a hash of all that defines it, so that equal runs are one job. */
export const jobIdOf = (job: RunJob, versionTag: string): string =>
  sha256(canonical(decodeJson(JSON.stringify([versionTag, job]))));

export const redisKeys = {
  files: (hash: string): string => `${PREFIX}:files:${hash}`,
  outcome: (jobId: string): string => `${PREFIX}:outcome:${jobId}`,
  past: (jobId: string): string => `${PREFIX}:past:${jobId}`,
  /** The names of the submitters that wait for a job or need a past. */
  waiting: (jobId: string): string => `${PREFIX}:waiting:${jobId}`,
  /** The channel with the ids of cancelled jobs. */
  cancel: `${PREFIX}:cancel`,
} as const;

/** Puts another folder of runs into a job. */
export const withRuns = (job: Job, to: string): Job => ({
  ...job,
  runs: to,
  call: { ...job.call, args: job.call.args.map((arg) => (arg === job.runs ? to : arg)) },
});
