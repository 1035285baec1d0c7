import { readFileSync, renameSync, writeFileSync } from "node:fs";
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
  readonly parent: string | null;
};

const NAME = "run.json";

/** Replaces the file as a whole, so that a reader never sees half of it. */
export const writeRunFile = (folder: string, run: RunFile): void => {
  const path = join(folder, NAME);
  writeFileSync(`${path}.new`, `${JSON.stringify(run, null, 2)}\n`);
  renameSync(`${path}.new`, path);
};

export const readRunFile = (folder: string): RunFile =>
  JSON.parse(readFileSync(join(folder, NAME), "utf8")) as RunFile;
