export { type ExperimentRows, resultsOf } from "./measure-results.ts";
export { quantileOf } from "./sample.ts";
export { isNarrow, type NarrowRule } from "./stop-rule.ts";
export { warningsOf } from "./warnings.ts";
