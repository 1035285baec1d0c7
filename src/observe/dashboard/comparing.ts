import { keptSettings, showProblem } from "../../runner/index.ts";
import { type Compared, type Comparison, compareRuns } from "../comparison.ts";
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
  const kept = keptSettings(folder);
  if (!kept.ok) return kept.problems.map(showProblem).join("; ");
  const { state } = reader.now;
  if (!state.whole.has("world")) return `${id}: nothing has happened in this run yet`;
  return { id, journal: reader.journal, state, settings: kept.settings };
};
