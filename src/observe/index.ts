export { type ArtifactReport, artifactReport } from "./artifact-report.ts";
export { type Compared, type Comparison, compareRuns } from "./comparison.ts";
export { agentLines } from "./economy.ts";
export { type EconomyReport, economyReport } from "./economy-report.ts";
export { readRun } from "./run-reading.ts";
export { type Ending, type RunReport, runReport } from "./run-report.ts";
export { type StateReport, stateReport } from "./state-report.ts";
export { type Tally, TallySheet } from "./tally.ts";
