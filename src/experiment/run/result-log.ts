import { isUtf8 } from "node:buffer";
import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  openSync,
  readSync,
  truncateSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { jsonIn, type Result } from "../../kernel/index.ts";
import type { Frozen } from "../../model/index.ts";
import { listed } from "../../text/index.ts";
import { makeFolders } from "../../world/index.ts";
import { experimentSchema } from "../design/experiment.ts";
import {
  changesSince,
  type DecisiveManifest,
  decisiveManifest,
  type Manifest,
} from "../design/manifest.ts";
import { type JobOutcome, jobOutcome } from "./executor.ts";

const experimentPlan = z.object({
  experiment: experimentSchema,
  dir: z.string(),
  manifestHash: z.string(),
  /** The command that continues the experiment. */
  command: z.string(),
  /** The number of runs at a time. */
  slots: z.number(),
  /** True if workers of a queue make the runs. */
  isQueued: z.boolean(),
  /** The start of the command, in ms since 1970. */
  startedAtMs: z.number(),
});

/** What one command will make. */
export type ExperimentPlan = Frozen<z.output<typeof experimentPlan>>;

/** The lines of the log: the manifest first, then plans, seeds of the stop rule, and outcomes. */
const LINES = {
  manifest: z.object({ manifest: decisiveManifest }),
  plan: z.object({ plan: experimentPlan }),
  addedSeed: z.object({ addedSeed: z.number() }),
  id: z.object({ id: z.string(), outcome: jobOutcome }),
} as const;
type LogLine = Frozen<z.output<(typeof LINES)[keyof typeof LINES]>>;
const KINDS = ["manifest", "plan", "addedSeed", "id"] as const;

const ALL_AGAIN = "delete the file, and the next command makes all runs again";
const ONE_AGAIN = "delete this line, and the next command makes its run again";

const lineIn = (bytes: Buffer, isFirst: boolean): Result<{ line: LogLine }> => {
  if (bytes.length === 0) return { ok: false, problem: "the line is empty" };
  if (!isUtf8(bytes)) return { ok: false, problem: "the line is not valid UTF-8" };
  const value = jsonIn(bytes.toString("utf8"));
  if (value === undefined) return { ok: false, problem: "the line is not JSON" };
  const kind = KINDS.find((key) => typeof value === "object" && value !== null && key in value);
  if (isFirst && kind !== "manifest") {
    return { ok: false, problem: "the first line is not the manifest of an experiment" };
  }
  if (kind === undefined || (kind === "manifest" && !isFirst)) {
    return { ok: false, problem: "the line is not a plan, an added seed or the outcome of a run" };
  }
  const parsed = LINES[kind].safeParse(value);
  if (parsed.success) return { ok: true, line: parsed.data };
  const field = parsed.error.issues[0]?.path.join(".");
  return { ok: false, problem: `the field ${field} is missing or wrong` };
};

/** What the log of an experiment says about its latest command. */
export type LoggedRuns = {
  /** Null if the log is empty. */
  readonly manifest: DecisiveManifest | null;
  /** Null if no command has begun. */
  readonly plan: ExperimentPlan | null;
  /** The seeds that the stop rule has added to the plan. */
  readonly addedSeeds: readonly number[];
  /** The outcomes of all done runs, and of the runs that failed in the latest command. */
  readonly outcomes: ReadonlyMap<string, JobOutcome>;
  /** The number of runs that the latest command has made. */
  readonly made: number;
  /** The time of the last line, in ms since 1970. */
  readonly lastAtMs: number;
};

const nothingRead = () => ({
  /** The first line. */
  head: Buffer.alloc(0),
  /** The length of the complete lines. */
  bytes: 0,
  /** The length of the file. */
  size: 0,
  lines: 0,
  problem: null as string | null,
  manifest: null as DecisiveManifest | null,
  plan: null as ExperimentPlan | null,
  addedSeeds: [] as number[],
  outcomes: new Map<string, JobOutcome>(),
  made: 0,
});

/**
 * Reads the log of an experiment, also while a command writes it. Reads only what is new, and only
 * lines that are complete. A damaged line is a problem until the log is repaired.
 */
export class LogReader {
  readonly path: string;
  #read = nothingRead();

  constructor(dir: string) {
    this.path = join(dir, "results.jsonl");
  }

  /** A problem names the file and the line, and says what to delete. */
  read(): Result<{ logged: LoggedRuns }> {
    if (!existsSync(this.path)) {
      this.#read = nothingRead();
      return { ok: true, logged: { ...this.#read, lastAtMs: 0 } };
    }
    const file = openSync(this.path, "r");
    try {
      const { size, mtimeMs } = fstatSync(file);
      const { problem, bytes, head } = this.#read;
      // A repair can change any part of a damaged log. A log that was begun again has another first
      // line, because it has another manifest.
      const isSame = size >= bytes && bytesAt(file, 0, head.length).equals(head);
      if (problem !== null || !isSame) this.#read = nothingRead();
      this.#read.size = size;
      this.#take(bytesAt(file, this.#read.bytes, size - this.#read.bytes));
      if (this.#read.problem !== null) return { ok: false, problem: this.#read.problem };
      return { ok: true, logged: { ...this.#read, lastAtMs: mtimeMs } };
    } finally {
      closeSync(file);
    }
  }

  /** Removes a line that a crash cut short. */
  trim(): void {
    if (this.#read.bytes < this.#read.size) truncateSync(this.path, this.#read.bytes);
  }

  #take(bytes: Buffer): void {
    const read = this.#read;
    const complete = bytes.subarray(0, bytes.lastIndexOf("\n") + 1);
    for (let from = 0; from < complete.length; ) {
      const end = complete.indexOf("\n", from);
      const isFirst = read.lines === 0;
      const found = lineIn(complete.subarray(from, end), isFirst);
      if (!found.ok) {
        const cure = isFirst ? ALL_AGAIN : ONE_AGAIN;
        read.problem = `${this.path}:${read.lines + 1}: ${found.problem}; ${cure}`;
        return;
      }
      // A copy, so that the bytes of the whole log can be freed.
      if (isFirst) read.head = Buffer.from(complete.subarray(0, end + 1));
      read.lines += 1;
      this.#add(found.line);
      from = end + 1;
    }
    read.bytes += complete.length;
  }

  #add(line: LogLine): void {
    const read = this.#read;
    if ("id" in line) {
      read.outcomes.set(line.id, line.outcome);
      read.made += 1;
    } else if ("manifest" in line) {
      read.manifest = line.manifest;
    } else if ("addedSeed" in line) {
      read.addedSeeds.push(line.addedSeed);
    } else {
      read.plan = line.plan;
      read.addedSeeds = [];
      read.made = 0;
      // The new command tries failed runs again.
      for (const [id, { ok }] of read.outcomes) if (!ok) read.outcomes.delete(id);
    }
  }
}

const bytesAt = (file: number, from: number, length: number): Buffer => {
  const bytes = Buffer.alloc(length);
  return bytes.subarray(0, readSync(file, bytes, 0, length, from));
};

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
   * damaged. With `restart`, which needs the lock of `dir`, a log without a successful run begins
   * again after a change.
   */
  static open(
    dir: string,
    manifest: Manifest,
    { restart }: { readonly restart: boolean },
  ): Result<{ log: ResultLog }> {
    makeFolders(dir);
    const reader = new LogReader(dir);
    const read = reader.read();
    if (!read.ok) return read;
    const { manifest: earlier, outcomes } = read.logged;
    const changes = earlier === null ? [] : changesSince(earlier, manifest);
    // No result is lost if each run failed, for example because of a measure that is now fixed.
    const begins = restart && [...outcomes.values()].every(({ ok }) => !ok);
    if (changes.length > 0 && !begins) {
      const what = `has runs from before a change of ${listed(changes, 3)}`;
      const cure = "delete the folder, or choose another with --out";
      return { ok: false, problem: `${dir} ${what}; ${cure}` };
    }
    const isNew = earlier === null || changes.length > 0;
    const file = openSync(reader.path, "a");
    if (isNew) truncateSync(reader.path);
    else reader.trim();
    const log = new ResultLog(file, new Map(isNew ? [] : outcomes));
    if (isNew) log.#append({ manifest });
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
