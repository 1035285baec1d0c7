import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { BrowserContextOptions } from "playwright-core";
import { placesOf } from "../../scripts/places.ts";
import type { browserOfTests, Tab } from "./browser.ts";
import { keptDashboardOf } from "./dashboard.ts";
import { writePersonas } from "./model-run.ts";
import { richesExperiment } from "./shared-runs.ts";
import { makeRun, sim } from "./sim.ts";
import { simulate } from "./simulation-run.ts";

/** A page, its address, and an element that it shows last. */
type ShownPage = { readonly name: string; readonly address: string; readonly shows: string };

const SENDS = {
  invoke_artifact: {
    artifact_id: "genesis_messenger",
    method: "send",
    args: ["ada", "What do you write?"],
  },
};

const WRITES = {
  write_artifact: { artifact_id: "ada_note", artifact_type: "note", content: "A note." },
};

const did = (cwd: string, ...args: readonly string[]): void => {
  const { code, err } = sim(cwd, ...args);
  if (code !== 0) throw new Error(err);
};

const ANY_RUN = { run: "", other: "", agent: "", artifact: "", moment: 0 };

/** The names of all pages. */
export const SHOWN_NAMES: readonly string[] = [
  ...placesOf(ANY_RUN).map(({ name }) => name),
  ...["threads", "reviews", "experiment", "published", "published-runs", "report"],
];

let made: Promise<string> | null = null;

/** Runs that have something to show in every view. All test files of a process share them. */
export const makeShownRuns = (): Promise<string> => {
  made ??= make();
  return made;
};

/** Makes the runs, and writes their report and their page. */
const make = async (): Promise<string> => {
  const folder = mkdtempSync(join(tmpdir(), "catallaxy-shown-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  makeRun(folder, { name: "town", seconds: 60 }, "--seed", "1");
  makeRun(folder, { name: "other", seconds: 20 }, "--seed", "2");
  did(folder, "report", "town", "--html", "report.html");
  did(folder, "publish", "town", "other", "-o", "page");
  const agents = join(folder, "personas");
  writePersonas(agents, {
    cleo: { mind: "script", script: [SENDS] },
    ada: {
      mind: "script",
      script: [{ sleep: { for_s: 5 } }, WRITES],
      script_loop: false,
      review: { match: [{ action: "write_artifact" }] },
    },
  });
  // Without an operator, the run stops while an action waits for a reviewer.
  await simulate(join(folder, "runs"), { agents, runId: "reviewed", sets: ["run.duration_s=20"] });
  return folder;
};

let pages: Promise<readonly ShownPage[]> | null = null;

/** Every page of such runs. */
const findPages = async (): Promise<readonly ShownPage[]> => {
  const folder = await makeShownRuns();
  const root = await rootOf(join(folder, "runs"));
  const experiment = await rootOf(join(richesExperiment().folder, "results/riches/runs"));
  const moments = await fetch(`${root}api/runs/town/moments?limit=1&offset=10&agent=boole`);
  const { rows } = await moments.json();
  const artifact: string = rows[0].things[0];
  const shown = { run: "town", other: "other", agent: "boole", artifact, moment: rows[0].seq };
  const page = pathToFileURL(join(folder, "page/index.html")).href;
  const report = pathToFileURL(join(folder, "report.html")).href;
  return [
    ...placesOf(shown).map(({ hash, ...place }) => ({ ...place, address: root + hash })),
    { name: "threads", address: `${root}#/runs/reviewed/messages`, shows: ".message-thread li" },
    { name: "reviews", address: `${root}#/runs/reviewed/reviews`, shows: ".proposal" },
    { name: "experiment", address: `${experiment}#/experiment`, shows: "tbody tr" },
    { name: "published", address: `${page}#/runs/town/overview`, shows: ".chart-canvas text" },
    { name: "published-runs", address: `${page}#/`, shows: "tbody tr" },
    { name: "report", address: report, shows: ".chart-canvas text" },
  ];
};

const rootOf = async (out: string): Promise<string> =>
  (await keptDashboardOf(out)).addressOf(null).split("#")[0] ?? "";

/** Opens the page with this name, and waits for what it shows last. */
export const openShown = async (
  browser: ReturnType<typeof browserOfTests>,
  wanted: string,
  options: BrowserContextOptions = {},
): Promise<Tab> => {
  pages ??= findPages();
  const found = (await pages).find(({ name }) => name === wanted);
  if (found === undefined) throw new Error(`there is no page ${wanted}`);
  const tab = await browser.open(found.address, options);
  await tab.page.locator(found.shows).first().waitFor();
  return tab;
};
