/**
 * How it stands with a run. Stopped: it has ended before its horizon, and can be gone on with.
 * Interrupted: it says that it is running, but no process writes it.
 */
export type RunStatus = "running" | "finished" | "stopped" | "failed" | "interrupted";

/** One run of many, as `sim runs --json` and the list of runs show it. */
export type RunRecord = {
  readonly run_id: string;
  readonly status: RunStatus;
  readonly started_at: string;
  /** Run time at which it begins: 0, or that of the state that it goes on from. */
  readonly from_s: number;
  /**
   * As far as it has come, and its own events. Null when it did not come to its end and its journal
   * cannot be read.
   */
  readonly duration_s: number | null;
  readonly events: number | null;
  readonly parent: string | null;
};

/** The runs that can be looked at. */
export type RunShelf = {
  /** The newest first; those that cannot be read are left out. */
  readonly list: () => readonly RunRecord[];
  /** The folder of a run; null for any other name, whatever it looks like. */
  readonly folderOf: (runId: string) => string | null;
  /** How it stands with a run; `unknown` where that cannot be read. */
  readonly statusOf: (runId: string) => RunStatus | "unknown";
};
