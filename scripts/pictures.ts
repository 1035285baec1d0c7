/**
 * Takes the pictures of README and docs from a real run: `npx node scripts/pictures.ts`. Ten
 * simulated minutes of the shipped population, its report, and the dashboard on it.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { BrowserContextOptions, Page } from "playwright-core";
import { runStore } from "../src/cli/run/run-store.ts";
import { startDashboard } from "../src/observe/index.ts";
import { launchBrowser } from "./browser.ts";

const MAIN = join(import.meta.dirname, "../src/cli/main.ts");
const PICTURES = join(import.meta.dirname, "../docs/pictures");
const RUN = "demo";
const WIDE: BrowserContextOptions = { viewport: { width: 1280, height: 860 } };
const PHONE: BrowserContextOptions = { viewport: { width: 390, height: 844 } };

const folder = mkdtempSync(join(tmpdir(), "catallaxy-pictures-"));
const runs = join(folder, "runs");
const report = join(folder, "report.html");

const sim = (...args: readonly string[]): void => {
  const { status, stderr } = spawnSync(process.execPath, [MAIN, ...args], {
    cwd: folder,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(stderr);
};

sim("run", "--duration", "600", "--clock", "virtual", "--name", RUN);
sim("report", RUN, "--html", report);
const started = await startDashboard({
  host: "127.0.0.1",
  port: 0,
  store: runStore(runs, null),
  live: null,
});
if (!started.ok) throw new Error(started.problem);
const { dashboard } = started;
const overview = dashboard.addressOf(RUN);
const at = (view: string): string => `${overview.split("#")[0]}#/runs/${RUN}/${view}`;
const browser = await launchBrowser();

type Shot = {
  readonly name: string;
  readonly address: string;
  /** What has to be there first. */
  readonly shows: string;
  readonly options?: BrowserContextOptions;
};

const take = async ({ name, address, shows, options = WIDE }: Shot): Promise<void> => {
  const context = await browser.newContext({ locale: "en-US", ...options });
  const page: Page = await context.newPage();
  await page.goto(address);
  await page.locator(shows).first().waitFor();
  await page.screenshot({ path: join(PICTURES, `${name}.png`) });
  await context.close();
};

mkdirSync(PICTURES, { recursive: true });
await take({ name: "overview", address: overview, shows: "canvas" });
await take({ name: "agent", address: at("agents/boole"), shows: "main h2" });
await take({ name: "trade", address: at("network"), shows: "svg circle" });
await take({ name: "phone", address: overview, shows: "canvas", options: PHONE });
await take({ name: "report", address: pathToFileURL(report).href, shows: "canvas" });
await browser.close();
await dashboard.close();
rmSync(folder, { recursive: true, force: true });
