import "../base.css";
import "./report.css";
import type { ReportPage } from "../../html-report.ts";
import { chartsOf } from "./charts-of.ts";
import { opening } from "./opening.ts";
import { tablesOf } from "./tables-of.ts";

/** The whole page, drawn once from the figures that stand in it. */
const page: ReportPage = JSON.parse(document.getElementById("figures")?.textContent ?? "");
document
  .getElementById("report")
  ?.replaceChildren(...opening(page), ...chartsOf(page.report), ...tablesOf(page.report));
