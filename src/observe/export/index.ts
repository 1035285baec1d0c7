export { EXPORT_TABLES, type ExportCounts, exportRun } from "./export-run.ts";
export { EXPORT_FORMATS, type ExportFormat, fileOpener } from "./table-file.ts";
