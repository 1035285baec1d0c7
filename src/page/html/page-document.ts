import { html, raw } from "hono/html";
import { contentPolicy, type Report, type ReportHeader } from "../../figures/index.ts";
import { printable } from "../../text/index.ts";
import { keptBundle, type PageName, type ScriptName } from "./page-bundle.ts";

type PageDocument = {
  readonly page: PageName;
  /** The element that the script fills. */
  readonly place: { readonly element: "main" | "div"; readonly id: string };
  readonly title: string;
  /** Read if the browser runs no scripts. */
  readonly noscript: readonly string[];
  /** Values for the script of the page, as JSON, by the id of their element. */
  readonly json: Readonly<Record<string, unknown>>;
  /** Base64 texts for the script of the page, by the id of their element. */
  readonly packs?: ReadonlyMap<string, string>;
  /** The code that the script of the page runs in a worker. Its element has the id "worker". */
  readonly worker?: ScriptName;
};

/**
 * Creates one HTML file that loads nothing. The content security policy allows only the script and
 * the style in the file. Agents' text cannot run as code, even if the text is escaped wrongly.
 */
export const pageDocument = async (document: PageDocument): Promise<string> => {
  const bundle = await keptBundle(document.page);
  const { id } = document.place;
  const element = raw(document.place.element);
  const script = inTags(bundle.script);
  const worker = document.worker === undefined ? null : await keptBundle(document.worker);
  const policy = contentPolicy({ style: bundle.style, script, hasWorker: worker !== null });
  const title = printable(document.title);
  const paragraphs = document.noscript.map((text) => html`<p>${printable(text)}</p>`);
  const values = Object.entries(document.json).map(
    ([name, value]) =>
      html`<script type="application/json" id="${name}">${raw(jsonText(value))}</script>\n`,
  );
  const packs = [...(document.packs ?? [])].map(
    ([name, text]) => html`<script type="text/plain" id="${name}">${raw(text)}</script>\n`,
  );
  return String(
    await html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${raw(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · catallaxy</title>
<style>${raw(bundle.style)}</style>
</head>
<body>
<${element} id="${id}">
<noscript><h1>${title}</h1>${paragraphs}</noscript>
</${element}>
${values}${packs}${worker === null ? "" : workerText(worker.script)}<script>${raw(script)}</script>
</body>
</html>
`,
  );
};

/** Code that can stand between the tags of a script. */
const inTags = (code: string): string =>
  code.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");

/** The browser does not run a script of this type. The page starts a worker with its text. */
const workerText = (code: string) =>
  html`<script type="text/plain" id="worker">${raw(inTags(code))}</script>\n`;

/** Encodes JSON without `<`, so that the text cannot contain an HTML tag. */
const jsonText = (value: unknown): string => JSON.stringify(value).replaceAll("<", "\\u003c");

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
