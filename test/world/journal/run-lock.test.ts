import { spawn, spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { identityOf, RunLock, runHolder } from "../../../src/world/index.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

function taken(folder: string): RunLock {
  const outcome = RunLock.take(folder);
  if (!outcome.ok) throw new Error(outcome.problem);
  return outcome.lock;
}

function problemOf(folder: string): string {
  const outcome = RunLock.take(folder);
  if (outcome.ok) throw new Error("the lock was taken");
  return outcome.problem;
}

/** Writes a lock file with these lines: pid, host, start. */
const lockBy = (folder: string, ...lines: readonly (string | number)[]): void =>
  writeFileSync(join(folder, "run.lock"), `${lines.join("\n")}\n`);

const deadPid = (): number => spawnSync(process.execPath, ["--version"]).pid;

describe("the lock of a free run", () => {
  it("has one holder and is free after its release", () => {
    const folder = temporaryFolder();
    expect(runHolder(folder)).toBeNull();
    const lock = taken(folder);
    expect(runHolder(folder)).toEqual(identityOf(process.pid));
    expect(problemOf(folder)).toContain(`process ${process.pid} on ${hostname()}`);
    lock.release();
    lock.release();
    expect(readdirSync(folder)).toEqual([]);
    taken(folder);
  });

  it("names the pid, host and start of the process, one per line", () => {
    const text = readFileSync(taken(temporaryFolder()).path, "utf8");
    const { startedAt } = identityOf(process.pid);
    expect(text).toBe(`${process.pid}\n${hostname()}\n${startedAt}\n`);
  });

  it("cannot be taken in a folder that does not exist", () => {
    expect(problemOf(join(temporaryFolder(), "none"))).toContain("does not exist");
  });
});

describe("an existing lock", () => {
  it("holds while its process runs, and names it", () => {
    const folder = temporaryFolder();
    const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1e9)"]);
    const pid = child.pid ?? 0;
    lockBy(folder, pid, hostname(), identityOf(pid).startedAt);
    expect(problemOf(folder)).toContain(`being written by process ${pid}`);
    child.kill();
  });

  it("is taken over if its process is dead", () => {
    const folder = temporaryFolder();
    lockBy(folder, deadPid(), hostname(), "");
    expect(runHolder(folder)).toBeNull();
    taken(folder);
    expect(runHolder(folder)?.pid).toBe(process.pid);
    expect(readdirSync(folder)).toEqual(["run.lock"]);
  });

  it("is taken over if its pid now belongs to another process", () => {
    const folder = temporaryFolder();
    lockBy(folder, process.pid, hostname(), "an earlier boot 12345");
    taken(folder);
    expect(runHolder(folder)).toEqual(identityOf(process.pid));
  });

  it("holds if its process is on another machine", () => {
    const folder = temporaryFolder();
    lockBy(folder, deadPid(), "another-machine", "");
    expect(problemOf(folder)).toContain("on another-machine");
  });

  it("holds if it cannot be read, and says what to delete", () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "run.lock"), "");
    expect(problemOf(folder)).toMatch(/unreadable; .* delete it$/);
  });

  it("is not taken over by two processes at once", () => {
    const folder = temporaryFolder();
    lockBy(folder, deadPid(), hostname(), "");
    writeFileSync(join(folder, "run.lock.takeover"), "");
    expect(problemOf(folder)).toContain("is taking over");
  });

  it("is not removed by the release of an older lock", () => {
    const folder = temporaryFolder();
    const old = taken(folder);
    lockBy(folder, 1, "another-machine", "");
    old.release();
    expect(runHolder(folder)?.host).toBe("another-machine");
  });
});
