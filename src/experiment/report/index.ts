export {
  BAND_FIGURES,
  type BandFigure,
  bandOf,
  periodsOf,
  seriesOf,
  trajectoriesIn,
} from "./bands.ts";
export { type ExperimentFinding, type FindingKind, findings } from "./findings.ts";
export type { ReportArm, ReportDesign, ReportInput, ReportSetting } from "./report-input.ts";
export { writeReport } from "./write-report.ts";
