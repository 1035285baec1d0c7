export { EXPORT_TABLES, type ExportCounts, exportRun } from "./export-run.ts";
export {
  boolean as booleanColumn,
  type ExportColumns,
  type ExportRow,
  integer as integerColumn,
  orNull,
  real as realColumn,
  text as textColumn,
} from "./export-table.ts";
export { metricNumbers, timelineRows } from "./figure-tables.ts";
export { EXPORT_FORMATS, type ExportFormat, fileOpener } from "./table-file.ts";
