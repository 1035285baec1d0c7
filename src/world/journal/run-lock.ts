import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { kill, pid } from "node:process";
import type { Result } from "../../kernel/index.ts";
import { errorCode, notAFile, whyNot } from "./files.ts";

type LockTaken = Result<{ lock: RunLock }>;

const LOCK_FILE = "run.lock";
/** The file of a second lock. Only its holder may replace the lock of a dead process. */
const TAKEOVER_FILE = "run.lock.takeover";

/**
 * The right of one process to write a directory, such as that of a run. `take` replaces the lock of
 * a dead process.
 */
export class RunLock {
  readonly path: string;
  readonly #text: string;

  constructor(path: string, text: string) {
    this.path = path;
    this.#text = text;
  }

  /**
   * Locks the existing directory of a `what`, or returns why it cannot. Never waits for another
   * process.
   */
  static take(directory: string, what = "run"): LockTaken {
    const path = join(directory, LOCK_FILE);
    const text = textFor(identityOf(pid));
    try {
      if (!publish(path, text)) {
        const problem = clearAway(directory, path, what);
        if (problem !== null) return { ok: false, problem };
        if (!publish(path, text)) return { ok: false, problem: whyHeld(path, what) };
      }
    } catch (error) {
      return { ok: false, problem: `cannot lock ${directory}: ${whyNot(errorCode(error))}` };
    }
    return { ok: true, lock: new RunLock(path, text) };
  }

  /** Deletes the lock file, unless another process has replaced it. */
  release(): void {
    if (textAt(this.path) === this.#text) rmSync(this.path, { force: true });
  }
}

export function runHolder(directory: string): ProcessIdentity | null {
  const text = textAt(join(directory, LOCK_FILE));
  const holder = text === null ? null : parsed(text);
  return holder !== null && isAlive(holder) ? holder : null;
}

/** Creates the lock file atomically, by a hard link. Returns false if the file already exists. */
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

/** Removes the lock if its process is dead. Otherwise returns why the lock must stay. */
function clearAway(directory: string, path: string, what: string): string | null {
  if (!isStale(path)) return whyHeld(path, what);
  const takeover = join(directory, TAKEOVER_FILE);
  try {
    closeSync(openSync(takeover, "wx"));
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
    return `another process is taking over ${path}; if no such process runs, delete ${takeover}`;
  }
  try {
    // Check again: the process that held the takeover file before may have created a new lock.
    if (!isStale(path)) return whyHeld(path, what);
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

function whyHeld(path: string, what: string): string {
  const text = textAt(path);
  const holder = text === null ? null : parsed(text);
  if (holder === null) return `${path} is unreadable; if no process writes this ${what}, delete it`;
  const who = `process ${holder.pid} on ${holder.host}`;
  return `this ${what} is being written by ${who}; stop it first (its lock is ${path})`;
}

function textAt(path: string): string | null {
  try {
    // Anything but a file counts as a lock that cannot be read.
    return existsSync(path) && notAFile(path) !== null ? "" : readFileSync(path, "utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return null;
    throw error;
  }
}

const textFor = ({ pid, host, startedAt }: ProcessIdentity): string =>
  `${pid}\n${host}\n${startedAt}\n`;

function parsed(text: string): ProcessIdentity | null {
  const [digits, host, startedAt, rest] = text.split("\n");
  const holder = Number(digits);
  if (!Number.isSafeInteger(holder) || holder < 1 || rest !== "") return null;
  return { pid: holder, host: host ?? "", startedAt: startedAt ?? "" };
}

/** Identifies a process. On Linux, `startedAt` differs for a later process with the same pid. */
type ProcessIdentity = {
  readonly pid: number;
  readonly host: string;
  /** When the process started, or "" if unknown. */
  readonly startedAt: string;
};

export function identityOf(pid: number): ProcessIdentity {
  return { pid, host: hostname(), startedAt: startOf(pid) };
}

/** Assumes that a process on another machine is alive, because there is no way to check. */
export function isAlive(identity: ProcessIdentity): boolean {
  if (identity.host !== hostname()) return true;
  if (!exists(identity.pid)) return false;
  return identity.startedAt === "" || startOf(identity.pid) === identity.startedAt;
}

/** Signal 0 only tests whether the process exists. EPERM: another user owns the process. */
function exists(pid: number): boolean {
  try {
    kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === "EPERM";
  }
}

/** On Linux, the boot id and the start time in clock ticks (proc(5), field 22). Elsewhere "". */
function startOf(pid: number): string {
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const afterName = stat.slice(stat.lastIndexOf(")") + 2);
    return `${boot} ${afterName.split(" ")[19] ?? ""}`;
  } catch {
    return "";
  }
}
