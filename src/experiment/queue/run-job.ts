import { isAbsolute } from "node:path";
import { z } from "zod";
import { canonical } from "../../kernel/index.ts";
import type { Frozen } from "../../model/index.ts";
import { decodeJson, sha256 } from "../../world/index.ts";
import { NAME } from "../design/experiment-file.ts";
import { type Job, job } from "../run/executor.ts";

const hash = z.string().regex(/^[0-9a-f]{64}$/);

/** A folder in a pack of files. */
const packedFolder = z
  .string()
  .refine((path) => !isAbsolute(path) && !path.split(/[\\/]/).includes(".."));

/**
 * A run as a job of the queue, as JSON. It has no path of the machine that submitted it: files are
 * in the pack `files`, and a worker has a folder of runs. It has no secrets and no environment.
 * Workers check it, because names in it become paths.
 */
export const runJob = z.strictObject({
  experiment: z.strictObject({ name: z.string().regex(NAME), hash }),
  /** `request.out` is `RUNS_PLACE`. */
  run: job,
  /** The hash of the pack with the files that the run reads. */
  files: hash,
  /** The folder in the pack to which paths are relative, or "" for its root. */
  folder: packedFolder,
  /** The id of the job that makes the common past, or null. */
  past: hash.nullable(),
});
export type RunJob = Frozen<z.output<typeof runJob>>;

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

/**
 * Puts another folder of runs into a job. A worker executes all that its queue names, so it also
 * trusts a common past that another worker has made.
 */
export const withRuns = (run: Job, out: string): Job => ({
  ...run,
  request: { ...run.request, out, trust: true },
});
