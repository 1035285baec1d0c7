import { join } from "node:path";
import { type FollowedExperiment, followedExperiment } from "../../experiment/index.ts";

import { RESULTS_FOLDER } from "../core/flags.ts";

type FoundExperiment = { readonly folder: string; readonly experiment: FollowedExperiment };

/** Finds an experiment by the path of its folder, or by its name in `results`. Null: not found. */
export const findExperiment = (given: string): FoundExperiment | null => {
  for (const folder of [given, join(RESULTS_FOLDER, given)]) {
    const experiment = followedExperiment(folder);
    if (experiment.head() !== null) return { folder, experiment };
  }
  return null;
};
