/** One run as the list of runs shows it; the shape of `sim runs --json`. */
export type ShelvedRun = {
  readonly run_id: string;
  readonly status: "running" | "finished" | "stopped" | "failed" | "interrupted";
  readonly started_at: string;
  readonly from_s: number;
  readonly duration_s: number | null;
  readonly events: number | null;
  readonly parent: string | null;
};

/** The runs that can be looked at. */
export type RunShelf = {
  /** The newest first; those that cannot be read are left out. */
  readonly list: () => readonly ShelvedRun[];
  /** The folder of a run; null for any other name, whatever it looks like. */
  readonly folderOf: (runId: string) => string | null;
  /** How it stands with a run; `unknown` where that cannot be read. */
  readonly statusOf: (runId: string) => ShelvedRun["status"] | "unknown";
};
