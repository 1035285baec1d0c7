import type { Job, JobOutcome } from "../../experiment/index.ts";

/** From the command to the process that makes runs. */
export type ToWorker = {
  readonly job: Job;
  /** The folder to which paths of the job are relative. */
  readonly folder: string;
};

/** From the process to the command. The process makes one run at a time. */
export type FromWorker = { readonly outcome: JobOutcome };
