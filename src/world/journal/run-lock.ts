import { closeSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { pid } from "node:process";
import { errorCode, whyNot } from "./file-trouble.ts";
import { identityOf, isAlive, type ProcessIdentity } from "./process-identity.ts";

export type LockTaken =
  | { readonly ok: true; readonly lock: RunLock }
  | { readonly ok: false; readonly problem: string };

/** The file in the run directory that says who writes the run. */
const LOCK_FILE = "run.lock";
/** Held for the moment in which a dead process's lock is replaced, so that only one replaces it. */
const TAKEOVER_FILE = "run.lock.takeover";

/**
 * The right to write a run directory, held by one process at a time. A lock whose process has died
 * (a crash, `kill -9`, a power cut) is taken over; one that is in use is a clear problem.
 */
export class RunLock {
  readonly path: string;
  readonly #text: string;

  /** For `take`. */
  constructor(path: string, text: string) {
    this.path = path;
    this.#text = text;
  }

  /** Takes the lock of a directory that is there; never waits. */
  static take(directory: string): LockTaken {
    const path = join(directory, LOCK_FILE);
    const text = textFor(identityOf(pid));
    try {
      if (!publish(path, text)) {
        const problem = clearAway(directory, path);
        if (problem !== null) return { ok: false, problem };
        if (!publish(path, text)) return { ok: false, problem: whyHeld(path) };
      }
    } catch (error) {
      return { ok: false, problem: `cannot lock ${directory}: ${whyNot(errorCode(error))}` };
    }
    return { ok: true, lock: new RunLock(path, text) };
  }

  /** Gives the lock back. A second call, or a lock that somebody removed by hand, is no matter. */
  release(): void {
    if (textAt(this.path) === this.#text) rmSync(this.path, { force: true });
  }
}

/** The process that writes the run now, or null: nobody does. */
export function runHolder(directory: string): ProcessIdentity | null {
  const text = textAt(join(directory, LOCK_FILE));
  const holder = text === null ? null : parsed(text);
  return holder !== null && isAlive(holder) ? holder : null;
}

/**
 * Puts a file in place with its text already in it, unless one is there: a hard link is made by the
 * system in one step, so that nobody ever reads half a lock. Returns whether it was put there.
 */
function publish(path: string, text: string): boolean {
  const draft = `${path}.${pid}`;
  rmSync(draft, { force: true });
  const file = openSync(draft, "wx");
  try {
    writeSync(file, text);
    fsyncSync(file);
    linkSync(draft, path);
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  } finally {
    closeSync(file);
    rmSync(draft, { force: true });
  }
}

/** Removes a dead process's lock. Returns the problem when it may not be removed. */
function clearAway(directory: string, path: string): string | null {
  if (!isStale(path)) return whyHeld(path);
  const takeover = join(directory, TAKEOVER_FILE);
  try {
    closeSync(openSync(takeover, "wx"));
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
    return `another process is taking over ${path}; if none is, delete ${takeover}`;
  }
  try {
    // Looked at again: whoever held the takeover a moment ago may have made a lock of its own.
    if (!isStale(path)) return whyHeld(path);
    rmSync(path, { force: true });
    return null;
  } finally {
    rmSync(takeover, { force: true });
  }
}

function isStale(path: string): boolean {
  const text = textAt(path);
  if (text === null) return true;
  const holder = parsed(text);
  return holder !== null && !isAlive(holder);
}

function whyHeld(path: string): string {
  const text = textAt(path);
  const holder = text === null ? null : parsed(text);
  if (holder === null) return `${path} is unreadable; if no process writes this run, delete it`;
  const who = `process ${holder.pid} on ${holder.host}`;
  return `this run is being written by ${who}; stop it first (its lock is ${path})`;
}

function textAt(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return null;
    throw error;
  }
}

/** The lock's text: pid, host and start of the process, one a line. */
const textFor = ({ pid, host, startedAt }: ProcessIdentity): string =>
  `${pid}\n${host}\n${startedAt}\n`;

function parsed(text: string): ProcessIdentity | null {
  const [digits, host, startedAt, rest] = text.split("\n");
  const holder = Number(digits);
  if (!Number.isSafeInteger(holder) || holder < 1 || rest !== "") return null;
  return { pid: holder, host: host ?? "", startedAt: startedAt ?? "" };
}
