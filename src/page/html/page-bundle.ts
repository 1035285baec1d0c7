import { existsSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Plugin, PluginContext } from "rolldown";
import { PALETTE_STYLE } from "../../read/index.ts";

const ENTRIES = {
  report: new URL("../browser/report/main.ts", import.meta.url),
  dashboard: new URL("../browser/dashboard/main.ts", import.meta.url),
  published: new URL("../browser/published/main.ts", import.meta.url),
  "published-worker": new URL("../browser/published/worker.ts", import.meta.url),
} as const;
/** A page, or the worker that reads the runs of a published page. */
export type ScriptName = keyof typeof ENTRIES;
export type PageName = Exclude<ScriptName, "published-worker">;
export const PAGE_NAMES: readonly PageName[] = ["report", "dashboard", "published"];
export const SCRIPT_NAMES: readonly ScriptName[] = [...PAGE_NAMES, "published-worker"];

type PageBundle = { readonly script: string; readonly style: string };

/**
 * The bundled and minified code of a page. A published package contains the bundles. A checkout
 * builds them in memory, in about a second.
 * @throws if the sources cannot be bundled.
 */
export const pageBundle = async (page: ScriptName): Promise<PageBundle> => {
  const ready = new URL(`../browser/${page}.json`, import.meta.url);
  // `npm run build` writes this file.
  if (existsSync(ready)) return JSON.parse(readFileSync(ready, "utf8"));
  const { rolldown } = await import("rolldown");
  const sheets: string[] = [];
  const bundle = await rolldown({
    input: fileURLToPath(ENTRIES[page]),
    platform: "browser",
    // A page uses a few functions of rooms whose doors also lead to modules that only Node runs.
    treeshake: { moduleSideEffects: isOfPage },
    shimMissingExports: true,
    plugins: [styleSheets(sheets), hostModules],
    onLog: (level, { code, message }) => {
      // Only modules that the worker of a published page does not run import these.
      if (level !== "warn" || code === "SHIMMED_EXPORT") return;
      throw new Error(`cannot bundle the page ${page}: ${message}`);
    },
  });
  const { output } = await bundle.generate({ format: "iife", minify: true, comments: false });
  await bundle.close();
  return {
    script: output[0].code,
    style: sheets.length === 0 ? "" : PALETTE_STYLE + sheets.map(squeezed).join(""),
  };
};

const kept = new Map<ScriptName, Promise<PageBundle>>();

/**
 * The code of a page, made once for all pages of this process: a publication has a page for each
 * run.
 * @throws if the sources cannot be bundled.
 */
export const keptBundle = (page: ScriptName): Promise<PageBundle> => {
  const bundle = kept.get(page) ?? pageBundle(page);
  kept.set(page, bundle);
  return bundle;
};

/**
 * Adds the imported style sheets to `sheets`, in the order in which a browser would execute their
 * imports. The files themselves are loaded in any order.
 */
const styleSheets = (sheets: string[]): Plugin => {
  const texts = new Map<string, string>();
  return {
    name: "style-sheets",
    load: {
      filter: { id: /\.css$/ },
      handler: async (file) => {
        texts.set(file, await readFile(file, "utf8"));
        return { code: "", moduleType: "js" };
      },
    },
    buildEnd() {
      sheets.push(...executionOrder(this).flatMap((id) => texts.get(id) ?? []));
    },
  };
};

/** The ids of all modules, each after those that it imports. */
const executionOrder = (modules: PluginContext): readonly string[] => {
  const found = new Set<string>();
  const order: string[] = [];
  const visit = (id: string): void => {
    if (found.has(id)) return;
    found.add(id);
    modules.getModuleInfo(id)?.importedIds.forEach(visit);
    order.push(id);
  };
  for (const id of modules.getModuleIds()) {
    if (modules.getModuleInfo(id)?.isEntry === true) visit(id);
  }
  return order;
};

const HOST = fileURLToPath(new URL("../browser/published/host.ts", import.meta.url));

/** Importing any other module has no effect of its own. */
const isOfPage = (id: string): boolean => /[/\\]page[/\\]browser[/\\]/.test(id);

/** The starts of the names of packages that run in a browser. */
const BROWSER_PACKAGES = [
  "@noble/hashes",
  "fastest-levenshtein",
  "hono",
  "htm",
  "preact",
  "pure-rand",
  "simple-statistics",
  "zod",
];

/**
 * Replaces the modules of Node by `host.ts`, and so all packages that only run in Node. The worker
 * of a published page needs few of their functions. Its modules import many that it does not need.
 */
const hostModules: Plugin = {
  name: "host-modules",
  resolveId: {
    filter: { id: /^(?![./]|\0|[A-Za-z]:)|^node:/ },
    handler: (id) => (BROWSER_PACKAGES.some((name) => id.startsWith(name)) ? null : HOST),
  },
};

/** Removes comments and unnecessary white space from CSS. */
const squeezed = (style: string): string =>
  style
    .replaceAll(/\/\*.*?\*\//gs, "")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/ ?([{};,>]) ?/g, "$1")
    .trim();
