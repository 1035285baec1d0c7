import { renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** `run.json`: what others can learn of a run without opening its journal. */
export type RunFile = {
  readonly run_id: string;
  readonly version: string;
  readonly engine: string;
  readonly seed: number;
  readonly clock: "wall" | "virtual";
  readonly status: "running" | "finished" | "failed";
  readonly pid: number;
  readonly started_at: string;
  readonly horizon_ms: number;
  readonly duration_s: number;
  readonly events: number;
  readonly stopped_by: string | null;
  /** The run from whose state this one goes on, and after which of its events. */
  readonly parent: string | null;
  readonly parent_seq: number | null;
};

const NAME = "run.json";

/**
 * Replaces the file as a whole, so that a reader never sees half of it. Returns what the system has
 * against it, or null.
 */
export const writeRunFile = (folder: string, run: RunFile): string | null => {
  const path = join(folder, NAME);
  try {
    writeFileSync(`${path}.new`, `${JSON.stringify(run, null, 2)}\n`);
    renameSync(`${path}.new`, path);
    return null;
  } catch (error) {
    rmSync(`${path}.new`, { force: true });
    return `cannot write ${path}: ${error instanceof Error ? error.message : String(error)}`;
  }
};
