export { type ArtifactReport, artifactReport } from "./artifact-report.ts";
export { type Compared, type Comparison, comparedFrom, compareRuns } from "./comparison.ts";
export { csvFiles } from "./csv-files.ts";
export {
  type Dashboard,
  type DashboardTrouble,
  type LiveLink,
  type RunRecord,
  type RunShelf,
  type RunStatus,
  startDashboard,
} from "./dashboard/index.ts";
export { differenceHeads, differencesIn, figureLabel, signedText } from "./difference-text.ts";
export { agentsIn } from "./economy.ts";
export {
  type AgentAccount,
  type EconomyReport,
  economyReport,
  fullReport,
  type Report,
} from "./economy-report.ts";
export { htmlReport, type ReportHeader } from "./html-report.ts";
export {
  type CountedFrom,
  countedFrom,
  type Income,
  RunMeter,
  type RunMetrics,
  type Tally,
  TallySheet,
} from "./metrics/index.ts";
export { modelCallReport } from "./model-call-report.ts";
export { PAGE_NAMES, type PageBundle, type PageName, pageBundle } from "./page-bundle.ts";
export { countingText, partingText } from "./parting-text.ts";
export { restOf } from "./rest-of.ts";
export { measureRun, newMeter, readRun } from "./run-reading.ts";
export { type Ending, type RunReport, runReport } from "./run-report.ts";
export { standingOf } from "./standing.ts";
export { type StateReport, stateReport } from "./state-report.ts";
export {
  type Cause,
  type Deed,
  type MoneyTrail,
  moneyTrail,
} from "./trail/index.ts";
