export { type ArtifactReport, artifactReport } from "./artifact-report.ts";
export { type AgentLine, agentLines, type Economy, economyOf } from "./economy.ts";
export { gini } from "./gini.ts";
export { type Ending, type RunReport, runReport } from "./run-report.ts";
export { type StateReport, stateReport } from "./state-report.ts";
export { type Tally, TallySheet } from "./tally.ts";
