import { existsSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Plugin } from "rolldown";

/** Where the code of each page begins; it runs in a browser. */
const ENTRIES = {
  report: new URL("./page/report/main.ts", import.meta.url),
  dashboard: new URL("./page/dashboard/main.ts", import.meta.url),
} as const;
export type PageName = keyof typeof ENTRIES;
export const PAGE_NAMES: readonly PageName[] = ["report", "dashboard"];

/** All that a page needs beside its HTML: one classic script and one style sheet. */
export type PageBundle = { readonly script: string; readonly style: string };

/**
 * The code of a page for the browser, minified, with all that it imports. A published package has
 * it ready; a checkout makes it of its sources, in memory, in some tens of milliseconds.
 * @throws when the sources cannot be bundled, or need what is not in them.
 */
export const pageBundle = async (page: PageName): Promise<PageBundle> => {
  const ready = new URL(`./page/${page}.json`, import.meta.url);
  if (existsSync(ready)) return bundleIn(readFileSync(ready, "utf8"));
  const { rolldown } = await import("rolldown");
  const sheets: string[] = [];
  const bundle = await rolldown({
    input: fileURLToPath(ENTRIES[page]),
    platform: "browser",
    plugins: [styleSheets(sheets)],
    onLog: (level, { message }) => {
      if (level === "warn") throw new Error(`the page ${page} is not whole: ${message}`);
    },
  });
  const { output } = await bundle.generate({ format: "iife", minify: true, comments: false });
  await bundle.close();
  return { script: output[0].code, style: sheets.map(squeezed).join("") };
};

/** What `npm run build` has written. */
const bundleIn = (text: string): PageBundle => JSON.parse(text);

/** Takes the style sheets that modules import, in their order, out of the script. */
const styleSheets = (sheets: string[]): Plugin => ({
  name: "style-sheets",
  load: {
    filter: { id: /\.css$/ },
    handler: async (file) => {
      sheets.push(await readFile(file, "utf8"));
      return { code: "", moduleType: "js" };
    },
  },
});

/** A style sheet without comments and the white space that means nothing. */
const squeezed = (style: string): string =>
  style
    .replaceAll(/\/\*.*?\*\//gs, "")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/ ?([{};,>]) ?/g, "$1")
    .trim();
