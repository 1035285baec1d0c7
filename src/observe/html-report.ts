import { html, raw } from "hono/html";
import { printable } from "../printable.ts";
import type { ChangedSetting } from "../runner/index.ts";
import { contentPolicy } from "./content-policy.ts";
import { type PageBundle, pageBundle } from "./page-bundle.ts";
import type { Report } from "./run-report.ts";

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

/**
 * Creates one HTML file that loads nothing. The content security policy allows only the script and
 * the style in the file. Agents' text cannot run as code, even if the text is escaped wrongly.
 */
export const htmlReport = async (page: ReportPage): Promise<string> =>
  documentOf(page, await pageBundle("report"));

const documentOf = async (page: ReportPage, bundle: PageBundle): Promise<string> => {
  const script = bundle.script.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");
  const run = printable(page.run);
  const narrative = page.report.narrative.map((text) => html`<p>${printable(text)}</p>`);
  const policy = contentPolicy({ style: bundle.style, script });
  return String(
    await html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${raw(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${run} · catallaxy</title>
<style>${raw(bundle.style)}</style>
</head>
<body>
<main id="report">
<noscript><h1>${run}</h1>${narrative}</noscript>
</main>
<script type="application/json" id="figures">${raw(jsonText(page))}</script>
<script>${raw(script)}</script>
</body>
</html>
`,
  );
};

/** Encodes JSON without `<`, so that the text cannot contain an HTML tag. */
const jsonText = (value: unknown): string => JSON.stringify(value).replaceAll("<", "\\u003c");
