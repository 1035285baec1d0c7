import type { Report, ReportHeader } from "../../read/index.ts";
import { pageDocument } from "./page-document.ts";

export type ReportPage = {
  readonly run: string;
  readonly header: ReportHeader;
  readonly report: Report;
};

/** Creates the report of a run as one HTML file. */
export const htmlReport = (page: ReportPage): Promise<string> =>
  pageDocument({
    page: "report",
    place: { element: "main", id: "report" },
    title: page.run,
    noscript: page.report.narrative,
    json: { figures: page },
  });
