import type { FollowedExperiment } from "../../experiment/index.ts";

/** `stopped`: ended before the horizon. `interrupted`: marked as running, but has no process. */
export type RunStatus = "running" | "finished" | "stopped" | "failed" | "interrupted";

/** One run, as `sim runs --json` and the list of runs show it. */
export type RunRecord = {
  readonly run_id: string;
  readonly status: RunStatus;
  readonly started_at: string;
  /** The run time at which this run started: 0, or the run time at the fork. */
  readonly from_s: number;
  /** The run time reached, and the events since `from_s`. Null if the journal is damaged. */
  readonly duration_s: number | null;
  readonly events: number | null;
  readonly parent: string | null;
  readonly seed: number;
  readonly clock: string;
  readonly labels: readonly string[];
  /** The settings that differ from the shipped ones, by dotted key. */
  readonly changed: Readonly<Record<string, unknown>>;
};

export type RunStore = {
  /** Lists the readable runs, newest first. */
  readonly list: () => readonly RunRecord[];
  /** The experiment that makes the runs, if one does. */
  readonly experiment: FollowedExperiment;
  readonly folderOf: (runId: string) => string | null;
  readonly statusOf: (runId: string) => RunStatus | "unknown";
};
