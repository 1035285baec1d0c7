import { runPaths } from "../runner/index.ts";
import { Journal } from "../world/index.ts";
import { EXIT } from "./exit-code.ts";
import { findRun } from "./find-run.ts";
import { UsageProblem } from "./usage-problem.ts";

export type OpenRun = { readonly folder: string; readonly journal: Journal };

/** The journal of the run that a person means, for reading; also while the run is going on. */
export const openRun = (run: string, out: string): OpenRun => {
  const folder = findRun(run, out);
  const opened = Journal.open(runPaths(folder).journal, { readOnly: true });
  if (!opened.ok) throw new UsageProblem(opened.problem, EXIT.couldNotRun);
  return { folder, journal: opened.journal };
};
