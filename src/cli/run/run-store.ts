import { existsSync, readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import type { z } from "zod";
import type { RunRecord, RunStatus } from "../../page/index.ts";
import { checkYaml, readYaml, runFileSchema, runPaths, showProblem } from "../../run/index.ts";
import { type Ancestor, type CheckpointSource, Journal, runHolder } from "../../world/index.ts";

export type RunRead =
  | {
      readonly ok: true;
      readonly folder: string;
      readonly record: RunRecord;
      readonly origin: Ancestor | null;
      /** The facts from `run.json` that a checkpoint of this run needs. */
      readonly about: Pick<CheckpointSource, "madeBy" | "run">;
    }
  | { readonly ok: false; readonly folder: string; readonly problem: string };

export const isRunFolder = (folder: string): boolean =>
  existsSync(runPaths(folder).run) || existsSync(runPaths(folder).journal);

/** The folders of all runs in `out`, sorted by name. Empty if `out` does not exist. */
export const runFolders = (out: string): readonly string[] => {
  if (statSync(out, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  const folders = readdirSync(out).map((name) => join(out, name));
  return folders.filter(isRunFolder).toSorted();
};

/** Reads `run.json`. If the run is not over, reads its duration and events from the journal. */
export const readRun = (folder: string): RunRead => {
  const file = runPaths(folder).run;
  const failed = (problem: string): RunRead => ({ ok: false, folder, problem });
  if (!existsSync(file))
    return failed(`${folder} has no run.json; delete the folder if its run never started`);
  // Reads JSON as YAML, because the YAML reader reports the line of an error.
  const parsed = readYaml(file);
  const checked = parsed.ok ? checkYaml(parsed.yaml, runFileSchema) : parsed;
  if (!checked.ok) return failed(checked.problems.slice(0, 1).map(showProblem).join(""));
  const { run_id, started_at, from_s, duration_s, events, parent, parent_seq } = checked.value;
  const status = statusOf(checked.value, folder);
  const isOver = status === "finished" || status === "stopped";
  const figures = isOver ? { duration_s, events } : figuresIn(folder);
  const origin =
    parent === null || parent_seq === null ? null : { run_id: parent, seq: parent_seq };
  const { seed, clock, version, engine, labels, changed } = checked.value;
  const about = { madeBy: { version, engine }, run: { id: basename(folder), seed, clock } };
  const times = { started_at, from_s, ...figures };
  const record = { run_id, status, ...times, parent, seed, clock, labels, changed };
  return { ok: true, folder, record, origin, about };
};

const statusOf = (run: z.infer<typeof runFileSchema>, folder: string): RunStatus => {
  const { status, stopped_by, duration_s, horizon_ms } = run;
  if (status === "running" && runHolder(folder) === null) return "interrupted";
  const isShort = stopped_by !== "idle" && duration_s * 1_000 < horizon_ms;
  return status === "finished" && isShort ? "stopped" : status;
};

/** Reads the two figures from the journal, because `run.json` has them only after the run. */
const figuresIn = (folder: string): Pick<RunRecord, "duration_s" | "events"> => {
  const opened = Journal.open(runPaths(folder).journal, { readOnly: true });
  if (!opened.ok) return { duration_s: null, events: null };
  const { journal } = opened;
  const { seq } = journal.head();
  const base = journal.baseMark();
  const [last] = journal.events({ after: seq - 1, limit: 1 });
  journal.close();
  const atMs = last?.atMs ?? base?.atMs ?? 0;
  return { duration_s: atMs / 1_000, events: seq - (base?.seq ?? 0) };
};
