import { type Compared, type Comparison, comparedFrom, compareRuns } from "../comparison.ts";
import type { OpenRuns } from "./open-runs.ts";

/** Two runs held against each other as they are now, or in a line why they cannot be. */
export const comparisonOf = (runs: OpenRuns, first: string, other: string): Comparison | string => {
  const [one, two] = [comparedIn(runs, first), comparedIn(runs, other)];
  if (typeof one === "string") return one;
  if (typeof two === "string") return two;
  return compareRuns(one, [two]);
};

const comparedIn = (runs: OpenRuns, id: string): Compared | string => {
  const opened = runs.open(id);
  if (!opened.ok) return opened.problem;
  const { folder, reader } = opened.run;
  return comparedFrom(folder, reader.journal, reader.now.state);
};
