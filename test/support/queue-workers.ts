import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { type RunningSim, type SimResult, sim, spawnSim, startSim } from "./sim.ts";
import { temporaryFolder } from "./temporary-folder.ts";

type AnyWorker = Pick<RunningSim, "until" | "kill" | "ended" | "outputSoFar">;

const takesRuns = async <Worker extends AnyWorker>(worker: Worker): Promise<Worker> => {
  await worker.until(/^worker /m);
  return worker;
};

/** Starts `sim worker` in a process and a folder of its own, and waits until it takes runs. */
export const spawnWorker = (
  on: string,
  ...flags: readonly string[]
): Promise<RunningSim<NodeJS.Signals>> =>
  takesRuns(spawnSim(temporaryFolder(), "worker", "--on", on, ...flags));

/** Starts `sim worker` in the thread of commands, and waits until it takes runs. */
export const startWorker = (
  cwd: string,
  on: string,
  ...flags: readonly string[]
): Promise<RunningSim> => takesRuns(startSim(cwd, "worker", "--on", on, ...flags));

/** Lets workers end in good order. */
export const endWorkers = async (workers: readonly AnyWorker[]): Promise<void> => {
  for (const worker of workers) worker.kill("SIGTERM");
  for (const { ended } of workers) {
    expect(await ended).toMatchObject({ code: 0 });
  }
};

/** Starts an experiment with the runs at a queue. */
export const startExperiment = (cwd: string, on: string, ...flags: readonly string[]): RunningSim =>
  startSim(cwd, "experiment", "study.yaml", "--on", on, ...flags);

/** Makes an experiment with the runs at a queue. */
export const experimentOn = (
  cwd: string,
  on: string,
  ...flags: readonly string[]
): Promise<SimResult> => startExperiment(cwd, on, ...flags).ended;

/** Makes the experiment of `study.yaml` on this machine, in the folder `local`. */
export const makeLocally = (cwd: string): void => {
  const made = sim(cwd, "experiment", "study.yaml", "--out", "local", "--jobs", "1", "--quiet");
  expect(made).toMatchObject({ code: 0, err: "" });
};

export const manifestIn = (cwd: string, dir: string): string =>
  readFileSync(join(cwd, dir, "manifest.json"), "utf8");

/** The runs of an experiment that workers said they have done. */
export const doneBy = (workers: readonly AnyWorker[], experiment: string): readonly string[] =>
  workers.flatMap((worker) => {
    const lines = worker.outputSoFar().err.matchAll(/^(\S+) (\S+) done in/gm);
    return [...lines].flatMap(([, name, id = ""]) => (name === experiment ? [id] : []));
  });

/** The runs of which workers with `--json` said this. */
export const runsThat = (result: string, workers: readonly AnyWorker[]): readonly string[] =>
  workers.flatMap((worker) =>
    worker
      .outputSoFar()
      .out.split("\n")
      // The last line of a killed worker can be cut.
      .filter((line) => line.endsWith("}"))
      .map((line): { readonly run?: string; readonly result?: string } => JSON.parse(line))
      .flatMap((event) => (event.result === result ? (event.run ?? []) : [])),
  );
