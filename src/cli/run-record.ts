import { existsSync, readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import type { z } from "zod";
import type { RunRecord, RunStatus } from "../observe/index.ts";
import {
  checkYaml,
  parseYaml,
  readText,
  runFileSchema,
  runPaths,
  showProblem,
} from "../runner/index.ts";
import { type Ancestor, Journal, type Making, runHolder } from "../world/index.ts";

/** Where runs lie when `--out` does not say. */
export const RUNS_FOLDER = "runs";

/** What a checkpoint of a run says of it. */
type RunAbout = Pick<Making, "madeBy" | "run">;

export type RunRead =
  | {
      readonly ok: true;
      readonly folder: string;
      readonly record: RunRecord;
      /** Where it came from. */
      readonly origin: Ancestor | null;
      readonly about: RunAbout;
    }
  | { readonly ok: false; readonly folder: string; readonly problem: string };

export const isRunFolder = (folder: string): boolean =>
  existsSync(runPaths(folder).run) || existsSync(runPaths(folder).journal);

/** The folders of all runs below `out`, by name; none when there is no such folder. */
export const runFolders = (out: string): readonly string[] => {
  if (statSync(out, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  const folders = readdirSync(out).map((name) => join(out, name));
  return folders.filter(isRunFolder).toSorted();
};

export const readRun = (folder: string): RunRead => {
  const file = runPaths(folder).run;
  const read = readText(file);
  if (!existsSync(file)) {
    return {
      ok: false,
      folder,
      problem: `${folder} has no run.json: if the run never began, delete it`,
    };
  }
  if (!read.ok) return { ok: false, folder, problem: showProblem(read.problem) };
  // JSON is YAML, and this way a damaged file is a value with a place.
  const parsed = parseYaml(file, read.text);
  const checked = parsed.ok ? checkYaml(parsed.yaml, runFileSchema) : parsed;
  if (!checked.ok) {
    const [first] = checked.problems;
    const problem = first === undefined ? `${file}: cannot be read` : showProblem(first);
    return { ok: false, folder, problem };
  }
  const { run_id, started_at, from_s, duration_s, events, parent, parent_seq } = checked.value;
  const status = statusOf(checked.value, folder);
  const isOver = status === "finished" || status === "stopped";
  const figures = isOver ? { duration_s, events } : figuresIn(folder);
  const origin =
    parent === null || parent_seq === null ? null : { run_id: parent, seq: parent_seq };
  const { seed, clock, version, engine } = checked.value;
  const about = { madeBy: { version, engine }, run: { id: basename(folder), seed, clock } };
  const record: RunRecord = { run_id, status, started_at, from_s, ...figures, parent };
  return { ok: true, folder, record, origin, about };
};

const statusOf = (run: z.infer<typeof runFileSchema>, folder: string): RunStatus => {
  const { status, stopped_by, duration_s, horizon_ms } = run;
  if (status === "running" && runHolder(folder) === null) return "interrupted";
  const isShort = stopped_by !== "idle" && duration_s * 1_000 < horizon_ms;
  return status === "finished" && isShort ? "stopped" : status;
};

/** How far a run has come by its journal; the run's own file tells that only at the end. */
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
