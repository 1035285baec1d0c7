import { join } from "node:path";

export type RunPaths = {
  readonly journal: string;
  /** The configuration as resolved. */
  readonly config: string;
  /** What others can learn without opening the journal. */
  readonly run: string;
  /** Copies of the personas with which it began. */
  readonly agents: string;
};

/** What lies where in the folder of a run. */
export const runPaths = (folder: string): RunPaths => ({
  journal: join(folder, "journal.db"),
  config: join(folder, "config.yaml"),
  run: join(folder, "run.json"),
  agents: join(folder, "agents"),
});
