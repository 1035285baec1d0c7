import { createHash } from "node:crypto";
import type { ChangedSetting } from "../runner/index.ts";
import type { Report } from "./economy-report.ts";
import { type PageBundle, pageBundle } from "./page-bundle.ts";

/** What the page of a report is given. */
export type ReportPage = {
  readonly run: string;
  readonly header: ReportHeader;
  readonly report: Report;
};

/** What run it is, for whoever has only a file of figures in hand. */
export type ReportHeader = {
  readonly seed: number;
  readonly clock: string;
  /** Of the program that made it. */
  readonly version: string;
  /** What of its configuration is not as it is shipped; null where that is not known. */
  readonly settings: readonly ChangedSetting[] | null;
};

/**
 * A report as one HTML file that fetches nothing. Its policy lets run exactly the script and the
 * style that stand in it, so that a text of an agent stays a text even if it were put in wrongly.
 */
export const htmlReport = async (page: ReportPage): Promise<string> =>
  documentOf(page, await pageBundle("report"));

const documentOf = (page: ReportPage, bundle: PageBundle): string => {
  const script = bundle.script.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");
  const policy = [
    "default-src 'none'",
    `script-src '${digest(script)}'`,
    `style-src '${digest(bundle.style)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(page.run)} · catallaxy</title>
<style>${bundle.style}</style>
</head>
<body>
<main id="report">
<noscript><h1>${escaped(page.run)}</h1>${page.report.reading.map(paragraph).join("")}</noscript>
</main>
<script type="application/json" id="figures">${jsonText(page)}</script>
<script>${script}</script>
</body>
</html>
`;
};

const digest = (text: string): string =>
  `sha256-${createHash("sha256").update(text).digest("base64")}`;

const ENTITIES: { readonly [sign: string]: string } = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

const escaped = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);

const paragraph = (text: string): string => `<p>${escaped(text)}</p>`;

/** JSON in which no tag can begin or end. */
const jsonText = (value: unknown): string => JSON.stringify(value).replaceAll("<", "\\u003c");
