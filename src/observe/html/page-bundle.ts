import { existsSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Plugin } from "rolldown";

const ENTRIES = {
  report: new URL("../page/report/main.ts", import.meta.url),
  dashboard: new URL("../page/dashboard/main.ts", import.meta.url),
  published: new URL("../page/published/main.ts", import.meta.url),
} as const;
export type PageName = keyof typeof ENTRIES;
export const PAGE_NAMES: readonly PageName[] = ["report", "dashboard", "published"];

export type PageBundle = { readonly script: string; readonly style: string };

/**
 * The bundled and minified code of a page. A published package contains the bundles. A checkout
 * builds them in memory, in tens of milliseconds.
 * @throws if the sources cannot be bundled.
 */
export const pageBundle = async (page: PageName): Promise<PageBundle> => {
  const ready = new URL(`../page/${page}.json`, import.meta.url);
  // `npm run build` writes this file.
  if (existsSync(ready)) return JSON.parse(readFileSync(ready, "utf8"));
  const { rolldown } = await import("rolldown");
  const sheets: Sheet[] = [];
  const bundle = await rolldown({
    input: fileURLToPath(ENTRIES[page]),
    platform: "browser",
    ...(page === "published" ? OVER_JOURNALS : {}),
    plugins: [styleSheets(sheets), ...(page === "published" ? [hostModules] : [])],
    onLog: (level, { code, message }) => {
      // Only modules that the published page does not run import these.
      if (level !== "warn" || code === "SHIMMED_EXPORT") return;
      throw new Error(`cannot bundle the page ${page}: ${message}`);
    },
  });
  const { output } = await bundle.generate({ format: "iife", minify: true, comments: false });
  await bundle.close();
  return { script: output[0].code, style: ordered(sheets).map(squeezed).join("") };
};

type Sheet = { readonly file: string; readonly text: string };

/** The texts of style sheets. `media.css` comes last, because it overrides the others. */
const ordered = (sheets: readonly Sheet[]): readonly string[] => {
  const isLast = ({ file }: Sheet): boolean => file.endsWith("media.css");
  const sorted = sheets.toSorted((one, other) => Number(isLast(one)) - Number(isLast(other)));
  return sorted.map(({ text }) => text);
};

/** Adds the imported style sheets to `sheets`, in the order of import. */
const styleSheets = (sheets: Sheet[]): Plugin => ({
  name: "style-sheets",
  load: {
    filter: { id: /\.css$/ },
    handler: async (file) => {
      sheets.push({ file, text: await readFile(file, "utf8") });
      return { code: "", moduleType: "js" };
    },
  },
});

const HOST = fileURLToPath(new URL("../page/published/host.ts", import.meta.url));

/** Importing any other module has no effect of its own. */
const isOfPage = (id: string): boolean =>
  /[/\\](?:observe[/\\]page|node_modules[/\\](?:htm|preact|uplot))[/\\]/.test(id);

/** A published page imports the readers of journals, and with them modules that it never runs. */
const OVER_JOURNALS = { treeshake: { moduleSideEffects: isOfPage }, shimMissingExports: true };

/** The packages that run in a browser. */
const BROWSER_PACKAGES =
  /^(?:@noble\/hashes|d3-|fastest-levenshtein|hono|htm|preact|pure-rand|uplot|zod)/;

/**
 * Replaces the modules of Node by `host.ts`, and so all packages that only run in Node. A published
 * page needs few of their functions. Its modules import many others that it does not need.
 */
const hostModules: Plugin = {
  name: "host-modules",
  resolveId: {
    filter: { id: /^(?![./]|\0|[A-Za-z]:)|^node:/ },
    handler: (id) => (BROWSER_PACKAGES.test(id) ? null : HOST),
  },
};

/** Removes comments and unnecessary white space from CSS. */
const squeezed = (style: string): string =>
  style
    .replaceAll(/\/\*.*?\*\//gs, "")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/ ?([{};,>]) ?/g, "$1")
    .trim();
