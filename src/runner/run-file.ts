import { join } from "node:path";
import { replaceFile } from "./replace-file.ts";

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
  /** Run time at which it begins: 0, or that of the state that it goes on from. */
  readonly from_s: number;
  /** Run time that it has come to. */
  readonly duration_s: number;
  /** Those of its own. */
  readonly events: number;
  readonly stopped_by: string | null;
  /** The run from whose state this one goes on, and after which of its events. */
  readonly parent: string | null;
  readonly parent_seq: number | null;
};

const NAME = "run.json";

/** Returns what the system has against it, or null. */
export const writeRunFile = (folder: string, run: RunFile): string | null =>
  replaceFile(join(folder, NAME), `${JSON.stringify(run, null, 2)}\n`);
