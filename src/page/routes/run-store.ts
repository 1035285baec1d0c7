import type { FollowedExperiment } from "../../experiment/index.ts";
import type { RunRecord, RunStatus } from "../../run/index.ts";

/** For the browser, whose files import only this folder. */
export type { RunRecord, RunStatus };

export type RunStore = {
  /** Lists the readable runs, newest first. */
  readonly list: () => readonly RunRecord[];
  /** The experiment that makes the runs, if one does. */
  readonly experiment: FollowedExperiment;
  readonly folderOf: (runId: string) => string | null;
  readonly statusOf: (runId: string) => RunStatus | "unknown";
};
