import { z } from "zod";
import { replaceFile } from "./replace-file.ts";
import { runPaths } from "./run-paths.ts";

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

/** What of `run.json` is needed to tell runs apart; later versions may add to it. */
export const runFileSchema = z.looseObject({
  run_id: z.string(),
  status: z.enum(["running", "finished", "failed"]),
  started_at: z.iso.datetime(),
  seed: z.int().default(0),
  clock: z.enum(["wall", "virtual"]).default("virtual"),
  version: z.string().default(""),
  engine: z.string().default(""),
  horizon_ms: z.number().default(0),
  stopped_by: z.string().nullable().default(null),
  from_s: z.number().default(0),
  duration_s: z.number(),
  events: z.int(),
  parent: z.string().nullable(),
  parent_seq: z.int().nullable().default(null),
});

/** Returns what the system has against it, or null. */
export const writeRunFile = (folder: string, run: RunFile): string | null =>
  replaceFile(runPaths(folder).run, `${JSON.stringify(run, null, 2)}\n`);
