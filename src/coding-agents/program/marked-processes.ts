import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { kill, pid as own } from "node:process";

/**
 * How the names of variables begin by which the processes of a turn are found. Children inherit
 * them. A turn inside of a turn has the marks of both.
 */
export const MARK_PREFIX = "CATALLAXY_TURN_";
const MARK_BYTES = 16;
const MARK = /^[0-9a-f]{32}$/;

/** A process can start another one while we look, so we look again, at most this often. */
const ROUNDS_MAX = 20;

export const newMark = (): string => randomBytes(MARK_BYTES).toString("hex");

export const markVariable = (mark: string): Record<string, string> => ({
  [`${MARK_PREFIX}${mark}`]: "1",
});

/**
 * Kills all processes of this user that have the mark in their environment, also those that have
 * left the process group. Works on Linux only. A process that cleared its environment is not found.
 * @returns how many were found.
 */
export const killMarked = (mark: string): number => {
  if (process.platform !== "linux" || !MARK.test(mark)) return 0;
  const found = new Set<number>();
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const marked = markedProcesses(`${MARK_PREFIX}${mark}=1`);
    if (marked.length === 0) break;
    for (const each of marked) {
      found.add(each);
      endNow(each);
    }
  }
  return found.size;
};

const markedProcesses = (entry: string): readonly number[] =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((each) => each !== own && environmentOf(each).split("\0").includes(entry));

/** Empty for a process of another user, and for one that has ended. */
const environmentOf = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/environ`, "latin1");
  } catch {
    return "";
  }
};

const endNow = (pid: number): void => {
  try {
    kill(pid, "SIGKILL");
  } catch {
    // It has ended in the meantime.
  }
};
