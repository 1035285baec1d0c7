import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { type RunningSim, type SimResult, sim, spawnSim } from "./sim.ts";

export type RunningWorker = RunningSim<NodeJS.Signals>;

/** Starts `sim worker` in a process, and waits until it takes runs. */
export const startWorker = async (
  cwd: string,
  on: string,
  ...flags: readonly string[]
): Promise<RunningWorker> => {
  const worker = spawnSim(cwd, "worker", "--on", on, ...flags);
  await worker.until(/^worker /m);
  return worker;
};

/** Lets workers end in good order. */
export const endWorkers = async (workers: readonly RunningWorker[]): Promise<void> => {
  for (const worker of workers) worker.kill("SIGTERM");
  for (const { ended } of workers) {
    expect(await ended).toMatchObject({ code: 0 });
  }
};

/** Makes an experiment with the runs at a queue. */
export const experimentOn = (
  cwd: string,
  on: string,
  ...flags: readonly string[]
): Promise<SimResult> => spawnSim(cwd, "experiment", "study.yaml", "--on", on, ...flags).ended;

/** Makes the experiment of `study.yaml` on this machine, in the folder `local`. */
export const makeLocally = (cwd: string): void => {
  const made = sim(cwd, "experiment", "study.yaml", "--out", "local", "--quiet");
  expect(made).toMatchObject({ code: 0, err: "" });
};

export const manifestIn = (cwd: string, dir: string): string =>
  readFileSync(join(cwd, dir, "manifest.json"), "utf8");

/** The runs that workers said they have done. */
export const doneBy = (workers: readonly RunningWorker[]): readonly string[] =>
  workers.flatMap((worker) =>
    [...worker.outputSoFar().err.matchAll(/^\S+ (\S+) done in/gm)].map(([, id = ""]) => id),
  );
