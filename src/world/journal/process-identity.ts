import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { kill } from "node:process";
import { errorCode } from "./file-trouble.ts";

/** Names one process for as long as the machine is up, although its pid may be used again. */
export type ProcessIdentity = {
  readonly pid: number;
  readonly host: string;
  /** When the process began, as far as the system tells; "" where it does not. */
  readonly startedAt: string;
};

/** The process `pid` of this machine as it runs now. */
export function identityOf(pid: number): ProcessIdentity {
  return { pid, host: hostname(), startedAt: startOf(pid) };
}

/**
 * Whether that very process still runs. Of a process on another machine nothing can be known; it is
 * taken to run, because two writers are worse than one that waits.
 */
export function isAlive(identity: ProcessIdentity): boolean {
  if (identity.host !== hostname()) return true;
  if (!exists(identity.pid)) return false;
  return identity.startedAt === "" || startOf(identity.pid) === identity.startedAt;
}

/** Signal 0 asks only whether there is such a process; EPERM says: yes, somebody else's. */
function exists(pid: number): boolean {
  try {
    kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === "EPERM";
  }
}

/** On Linux: the boot's id and the clock tick at which the process started (proc(5), field 22). */
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
