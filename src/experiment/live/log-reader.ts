import { closeSync, existsSync, fstatSync, openSync, readSync } from "node:fs";
import { z } from "zod";
import { jsonIn } from "../../kernel/index.ts";
import type { JobOutcome } from "../run/executor.ts";
import { type ExperimentPlan, type LogLine, logPath } from "../run/result-log.ts";

/** What the log of an experiment says about its latest command. */
export type LoggedRuns = {
  readonly plan: ExperimentPlan;
  /** The seeds that the stop rule has added to the plan. */
  readonly addedSeeds: readonly number[];
  /** All runs that are done, and the runs that failed in the latest command. */
  readonly outcomes: ReadonlyMap<string, JobOutcome>;
  /** The number of runs that the latest command has made. */
  readonly made: number;
  /** The time of the last line, in ms since 1970. */
  readonly lastAtMs: number;
};

const NEW_LINE = 10;

const isLine = z.union([
  z.looseObject({ manifest: z.object() }),
  z.looseObject({ plan: z.looseObject({ experiment: z.object() }) }),
  z.looseObject({ addedSeed: z.number() }),
  z.looseObject({ id: z.string(), outcome: z.looseObject({ ok: z.boolean() }) }),
]);

const lineSchema = z.custom<LogLine>((value) => isLine.safeParse(value).success);

/**
 * Reads the log of an experiment while a command writes it. Reads only what is new, and only lines
 * that are complete.
 */
export class LogReader {
  readonly #path: string;
  #head: Buffer = Buffer.alloc(0);
  #readBytes = 0;
  #plan: ExperimentPlan | null = null;
  #addedSeeds: number[] = [];
  #outcomes = new Map<string, JobOutcome>();
  #made = 0;

  constructor(dir: string) {
    this.#path = logPath(dir);
  }

  /** Null if there is no log, or if no command has begun in it. */
  read(): LoggedRuns | null {
    if (!existsSync(this.#path)) {
      this.#restart();
      return null;
    }
    const file = openSync(this.#path, "r");
    try {
      const { size, mtimeMs } = fstatSync(file);
      if (size < this.#readBytes || !this.#isSameLog(file)) this.#restart();
      this.#take(file, size);
      if (this.#plan === null) return null;
      const found = { plan: this.#plan, addedSeeds: this.#addedSeeds, made: this.#made };
      return { ...found, outcomes: this.#outcomes, lastAtMs: mtimeMs };
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
    this.#plan = null;
    this.#addedSeeds = [];
    this.#outcomes = new Map();
    this.#made = 0;
  }

  #take(file: number, size: number): void {
    const bytes = bytesAt(file, this.#readBytes, size - this.#readBytes);
    const end = bytes.lastIndexOf(NEW_LINE) + 1;
    if (end === 0) return;
    if (this.#readBytes === 0) this.#head = bytes.subarray(0, bytes.indexOf(NEW_LINE) + 1);
    this.#readBytes += end;
    const lines = bytes.toString("utf8", 0, end).split("\n").slice(0, -1);
    for (const text of lines) {
      const line = lineSchema.safeParse(jsonIn(text)).data;
      // A damaged line is left out here. The next command reports it.
      if (line !== undefined) this.#add(line);
    }
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

const bytesAt = (file: number, from: number, length: number): Buffer => {
  const bytes = Buffer.alloc(length);
  const read = readSync(file, bytes, 0, length, from);
  return bytes.subarray(0, read);
};
