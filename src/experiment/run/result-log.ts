import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  truncateSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { listed } from "../../wording.ts";
import { makeFolders } from "../../world/index.ts";
import { changesSince, type Manifest } from "../design/manifest.ts";
import type { JobOutcome } from "./executor.ts";
import { completeLength, type ExperimentPlan, type LogLine, logLines } from "./log-line.ts";

type Opened =
  | { readonly ok: true; readonly log: ResultLog }
  | { readonly ok: false; readonly problem: string };

/** The path of the log in the folder of an experiment. */
export const logPath = (dir: string): string => join(dir, "results.jsonl");

const CHANGES_SHOWN = 3;
const NO_LINES = { ok: true, lines: [] } as const;

/**
 * The finished runs of an experiment: a file to which each run adds one line, so that an
 * interrupted experiment loses only runs in progress. The first line has the manifest. Each command
 * also adds a line with its plan, which tells other processes what is still missing.
 */
export class ResultLog {
  readonly #file: number;
  readonly #outcomes: Map<string, JobOutcome>;

  constructor(file: number, outcomes: Map<string, JobOutcome>) {
    this.#file = file;
    this.#outcomes = outcomes;
  }

  /**
   * Opens the log in `dir`. A problem says what has changed since the runs in it, or which line is
   * damaged. With `restart`,
   * which needs the lock of `dir`, a log without a successful run begins again after a change.
   */
  static open(dir: string, manifest: Manifest, { restart }: { readonly restart: boolean }): Opened {
    makeFolders(dir);
    const path = logPath(dir);
    const read = existsSync(path) ? completeLines(path) : NO_LINES;
    if (!read.ok) return read;
    const { lines } = read;
    const results = lines.flatMap((line) => ("id" in line ? [line] : []));
    const changes = lines.flatMap((line) =>
      "manifest" in line ? changesSince(line.manifest, manifest) : [],
    );
    if (restart && changes.length > 0 && results.every(({ outcome }) => !outcome.ok)) {
      // No result is lost: each run failed, for example because of a measure that is now fixed.
      truncateSync(path);
      return ResultLog.open(dir, manifest, { restart });
    }
    if (changes.length > 0) {
      const what = `has runs from before a change of ${listed(changes, CHANGES_SHOWN)}`;
      const cure = "delete the folder, or choose another with --out";
      return { ok: false, problem: `${dir} ${what}; ${cure}` };
    }
    const outcomes = new Map(results.map(({ id, outcome }) => [id, outcome]));
    const log = new ResultLog(openSync(path, "a"), outcomes);
    if (lines.length === 0) log.#append({ manifest });
    return { ok: true, log };
  }

  outcomeOf(id: string): JobOutcome | null {
    return this.#outcomes.get(id) ?? null;
  }

  add(id: string, outcome: JobOutcome): void {
    this.#outcomes.set(id, outcome);
    this.#append({ id, outcome });
  }

  /** Adds what the command will make, so that other processes can follow the experiment. */
  plan(plan: ExperimentPlan): void {
    this.#append({ plan });
  }

  /** Says that the stop rule adds a seed to the plan. */
  addSeed(seed: number): void {
    this.#append({ addedSeed: seed });
  }

  close(): void {
    closeSync(this.#file);
  }

  #append(line: LogLine): void {
    writeSync(this.#file, `${JSON.stringify(line)}\n`);
    fsyncSync(this.#file);
  }
}

/** The lines of the file. A line that a crash cut short is removed from the file. */
const completeLines = (path: string): ReturnType<typeof logLines> => {
  const bytes = readFileSync(path);
  const length = completeLength(bytes);
  const read = logLines(bytes.subarray(0, length), { path, before: 0 });
  if (read.ok && length < bytes.length) truncateSync(path, length);
  return read;
};
