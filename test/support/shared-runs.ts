import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type FinishedRun, simulate } from "./simulation-run.ts";

/** The folder of the runs that all test files of a process share. A test must not change them. */
export const SHARED_RUNS = mkdtempSync(join(tmpdir(), "catallaxy-shared-"));
process.on("exit", () => rmSync(SHARED_RUNS, { recursive: true, force: true }));

const made = new Map<number, Promise<FinishedRun>>();

const sharedRun = (seconds: number): Promise<FinishedRun> => {
  const order = { labels: ["pilot", "burn"] };
  const run =
    made.get(seconds) ?? simulate(SHARED_RUNS, { sets: [`run.duration_s=${seconds}`], order });
  made.set(seconds, run);
  return run;
};

/** Five minutes of the shipped population, with all that its world can show. */
export const longRun = (): Promise<FinishedRun> => sharedRun(300);

/** Its first minute. */
export const shortRun = (): Promise<FinishedRun> => sharedRun(60);
