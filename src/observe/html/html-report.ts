import type { ChangedSetting } from "../../runner/index.ts";
import type { Report } from "../run-report.ts";
import { pageDocument } from "./page-document.ts";

export type ReportPage = {
  readonly run: string;
  readonly header: ReportHeader;
  readonly report: Report;
};

export type ReportHeader = {
  readonly seed: number;
  readonly clock: string;
  /** The version of this program. */
  readonly version: string;
  /** Settings that differ from the defaults, or null if the settings are unknown. */
  readonly settings: readonly ChangedSetting[] | null;
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
