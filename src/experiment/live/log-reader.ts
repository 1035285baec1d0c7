import { closeSync, existsSync, fstatSync, openSync, readSync } from "node:fs";
import type { Result } from "../../kernel/index.ts";
import type { JobOutcome } from "../run/executor.ts";
import { completeLength, type ExperimentPlan, type LogLine, logLines } from "../run/log-line.ts";
import { logPath } from "../run/result-log.ts";

/** What the log of an experiment says about its latest command. */
export type LoggedRuns = {
  readonly plan: ExperimentPlan;
  /** The seeds that the stop rule has added to the plan. */
  readonly addedSeeds: readonly number[];
  /** The outcomes of all done runs, and of the runs that failed in the latest command. */
  readonly outcomes: ReadonlyMap<string, JobOutcome>;
  /** The number of runs that the latest command has made. */
  readonly made: number;
  /** The time of the last line, in ms since 1970. */
  readonly lastAtMs: number;
};

/** The log, which is null if there is none or if no command has begun in it. */
type ReadLog = Result<{ logged: LoggedRuns | null }>;

const NO_LOG: ReadLog = { ok: true, logged: null };

/**
 * Reads the log of an experiment while a command writes it. Reads only what is new, and only lines
 * that are complete. A damaged line is a problem until the log is repaired.
 */
export class LogReader {
  readonly #path: string;
  #head: Buffer = Buffer.alloc(0);
  #readBytes = 0;
  #lineCount = 0;
  #problem: string | null = null;
  #plan: ExperimentPlan | null = null;
  #addedSeeds: number[] = [];
  #outcomes = new Map<string, JobOutcome>();
  #made = 0;

  constructor(dir: string) {
    this.#path = logPath(dir);
  }

  read(): ReadLog {
    if (!existsSync(this.#path)) {
      this.#restart();
      return NO_LOG;
    }
    const file = openSync(this.#path, "r");
    try {
      const { size, mtimeMs } = fstatSync(file);
      // A repair can change any part of a damaged log.
      const isAnother = this.#problem !== null || size < this.#readBytes;
      if (isAnother || !this.#isSameLog(file)) this.#restart();
      this.#take(file, size);
      if (this.#problem !== null) return { ok: false, problem: this.#problem };
      if (this.#plan === null) return NO_LOG;
      const planned = { plan: this.#plan, addedSeeds: this.#addedSeeds };
      const found = { outcomes: this.#outcomes, made: this.#made, lastAtMs: mtimeMs };
      return { ok: true, logged: { ...planned, ...found } };
    } finally {
      closeSync(file);
    }
  }

  /** A log that was begun again has another first line, because it has another manifest. */
  #isSameLog(file: number): boolean {
    return bytesAt(file, 0, this.#head.length).equals(this.#head);
  }

  #restart(): void {
    this.#head = Buffer.alloc(0);
    this.#readBytes = 0;
    this.#lineCount = 0;
    this.#problem = null;
    this.#plan = null;
    this.#addedSeeds = [];
    this.#outcomes = new Map();
    this.#made = 0;
  }

  #take(file: number, size: number): void {
    const bytes = bytesAt(file, this.#readBytes, size - this.#readBytes);
    const complete = bytes.subarray(0, completeLength(bytes));
    const read = logLines(complete, { path: this.#path, before: this.#lineCount });
    if (!read.ok) {
      this.#problem = read.problem;
      return;
    }
    if (this.#readBytes === 0) this.#head = headOf(complete);
    this.#readBytes += complete.length;
    this.#lineCount += read.lines.length;
    for (const line of read.lines) this.#add(line);
  }

  #add(line: LogLine): void {
    if ("id" in line) {
      this.#outcomes.set(line.id, line.outcome);
      this.#made += 1;
      return;
    }
    if ("manifest" in line) return;
    if ("addedSeed" in line) {
      this.#addedSeeds.push(line.addedSeed);
      return;
    }
    this.#plan = line.plan;
    this.#addedSeeds = [];
    this.#made = 0;
    // The new command tries failed runs again.
    for (const [id, { ok }] of this.#outcomes) if (!ok) this.#outcomes.delete(id);
  }
}

/** A copy of the first line, so that the bytes of the whole log can be freed. */
const headOf = (bytes: Buffer): Buffer => Buffer.from(bytes.subarray(0, bytes.indexOf("\n") + 1));

const bytesAt = (file: number, from: number, length: number): Buffer => {
  const bytes = Buffer.alloc(length);
  const read = readSync(file, bytes, 0, length, from);
  return bytes.subarray(0, read);
};
