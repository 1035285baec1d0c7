import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { emptyFolder, jsonOf } from "./sim.ts";
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

/** An experiment that keeps its journals. */
export const RICHES = `name: riches
question: Do agents trade more if they begin with more?
base: { duration: 5s }
seeds: 1..3
keep: journals
arms:
  poor: {}
  rich: { set: { scrip.starting_amount: 500 } }
measures: [gini, trades]
`;

type Figures = { readonly gini: number; readonly trades: number };

/** The parts of its result that tests read. */
export type RichesResult = {
  readonly measures: Record<string, { arms: Record<string, { n: number; mean: number }> }>;
  readonly runs: readonly {
    readonly id: string;
    readonly figures: Figures;
    readonly command: string;
  }[];
};

let riches: { readonly folder: string; readonly result: RichesResult } | null = null;

/** That experiment, made in a folder that all test files of a process share. */
export const richesExperiment = () => {
  if (riches !== null) return riches;
  const folder = emptyFolder();
  writeFileSync(join(folder, "riches.yaml"), RICHES);
  riches = { folder, result: jsonOf(folder, "experiment", "riches.yaml", "--jobs", "1") };
  return riches;
};
