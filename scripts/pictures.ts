/**
 * Takes the pictures of README and docs from a real run: `npx node scripts/pictures.ts`. Ten
 * simulated minutes of the shipped population, its report, and the dashboard on it. With
 * `--all DIR`, takes every view at three widths, light and dark, into another folder, so that a
 * person sees how a change looks.
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import type { BrowserContextOptions, Page } from "playwright-core";
import { type Dashboard, runStore, startDashboard } from "../src/page/index.ts";
import { SeatClient, SeatPlayer, seatToken } from "../src/seats/index.ts";
import { launchBrowser } from "./browser.ts";
import { placesOf } from "./places.ts";

const MAIN = join(import.meta.dirname, "../src/cli/main.ts");
const SHIPPED = join(import.meta.dirname, "../agents");
const { all } = parseArgs({ options: { all: { type: "string" } } }).values;
const PICTURES = all ?? join(import.meta.dirname, "../docs/pictures");
const RUN = "demo";
const OTHER = "second";
const WIDE: BrowserContextOptions = { viewport: { width: 1280, height: 860 } };
const PHONE: BrowserContextOptions = { viewport: { width: 390, height: 844 } };

const WIDTHS = [390, 1280, 1920] as const;

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

const dashboardOf = async (out: string): Promise<Dashboard> => {
  const store = runStore(out, null);
  const started = await startDashboard({ host: "127.0.0.1", port: 0, store, live: null });
  if (!started.ok) throw new Error(started.problem);
  return started.dashboard;
};

const dashboard = await dashboardOf(runs);
const overview = dashboard.addressOf(RUN);
const [root = ""] = overview.split("#");
const at = (view: string): string => `${root}#/runs/${RUN}/${view}`;
const browser = await launchBrowser();

type Shot = {
  readonly name: string;
  readonly address: string;
  /** What has to be there first. */
  readonly shows: string;
  readonly options?: BrowserContextOptions;
};

/** Takes a picture of what is in view, or of the whole page. */
const picture = async ({ name, address, shows, options = WIDE }: Shot, fullPage = false) => {
  const context = await browser.newContext({ locale: "en-US", ...options });
  const page: Page = await context.newPage();
  await page.goto(address);
  await page.locator(shows).first().waitFor();
  // The charts and the other answers follow.
  if (fullPage) await page.waitForLoadState("networkidle").catch(() => {});
  await page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage });
  await context.close();
};

/** Takes the picture for the docs, or all pictures of a view. */
const take = async (shot: Shot): Promise<void> => {
  if (all === undefined) return await picture(shot);
  for (const width of WIDTHS) {
    for (const colorScheme of ["light", "dark"] as const) {
      const options = { viewport: { width, height: 900 }, colorScheme };
      await picture({ ...shot, name: `${shot.name}-${width}-${colorScheme}`, options }, true);
    }
  }
};

mkdirSync(PICTURES, { recursive: true });

/** Plays some moves of a seat among the shipped population, and takes its page. */
const takeSeatPage = async (): Promise<void> => {
  const personas = join(folder, "seats/guest");
  mkdirSync(personas, { recursive: true });
  writeFileSync(join(personas, "agent.yaml"), "id: guest\nmind: seat\n");
  const flags = ["--agents", SHIPPED, "--agents", join(folder, "seats"), "--duration", "3600"];
  const args = [MAIN, "run", ...flags, "--clock", "virtual", "--name", "town"];
  const run = spawn(process.execPath, args, { cwd: folder, stdio: ["ignore", "ignore", "pipe"] });
  await once(run.stderr, "data");
  const seat = new SeatClient(join(runs, "town"), "guest");
  const player = new SeatPlayer(seat);
  await player.wait(240);
  const code = "function run(n) { return n * 2 }";
  const fields = { artifact_id: "guest_double", artifact_type: "program", code, price: 2 };
  await make(player, { kind: "write", fields });
  await make(player, { kind: "send", to: "boole", text: "I sell guest_double for 2 scrip." });
  const given = seatToken(join(runs, "town"), "guest");
  if (!given.ok) throw new Error(given.problem);
  const address = dashboard.seatAddressOf("town", { agent: "guest", token: given.token });
  await take({ name: "seat", address, shows: ".messages li" });
  seat.close();
  run.kill("SIGINT");
  await once(run, "exit");
};

const make = async (
  player: SeatPlayer,
  command: Parameters<SeatPlayer["prepare"]>[0],
): Promise<void> => {
  const prepared = await player.prepare(command);
  const outcome = prepared.ok ? await player.act(prepared.action) : prepared;
  if (!outcome.ok) throw new Error(outcome.problem);
};

/** The views of a run whose agent waits for a reviewer. */
const takeReviews = async (): Promise<void> => {
  const personas = join(folder, "reviewed");
  mkdirSync(join(personas, "ann"), { recursive: true });
  writeFileSync(
    join(personas, "ann/agent.yaml"),
    "id: ann\nmind: policy/worker\nreview: actions\nreview_default: wait\n",
  );
  const args = [MAIN, "run", "--agents", personas, "--clock", "virtual", "--name", "reviewed"];
  const run = spawn(process.execPath, args, { cwd: folder, stdio: ["ignore", "ignore", "pipe"] });
  await once(run.stderr, "data");
  await take({ name: "reviews", address: `${root}#/runs/reviewed/reviews`, shows: ".proposal" });
  run.kill("SIGINT");
  await once(run, "exit");
};

/** The pages of an experiment: those of the dashboard, and the published one. */
const takeExperiment = async (): Promise<void> => {
  const arms = "arms: { poor: {}, rich: { set: { scrip.starting_amount: 500 } } }";
  const lines = ["name: riches", "base: { duration: 60s }", "seeds: 1..4", "keep: journals", arms];
  writeFileSync(join(folder, "riches.yaml"), [...lines, "measures: [gini, trades]", ""].join("\n"));
  sim("experiment", "riches.yaml");
  const opened = await dashboardOf(join(folder, "results/riches/runs"));
  const address = `${opened.addressOf(null).split("#")[0]}#/experiment`;
  await take({ name: "experiment", address, shows: "tbody tr" });
  await opened.close();
  sim("publish", RUN, OTHER, "-o", "page");
  const page = pathToFileURL(join(folder, "page/index.html")).href;
  await take({
    name: "published",
    address: `${page}#/runs/${RUN}/overview`,
    shows: ".chart-canvas text",
  });
  await take({ name: "published-runs", address: `${page}#/`, shows: "tbody tr" });
};

const takeEvery = async (): Promise<void> => {
  sim("run", "--duration", "300", "--clock", "virtual", "--name", OTHER, "--seed", "2");
  const api = `${root}api/runs/${RUN}`;
  const { rows: moments } = await (await fetch(`${api}/moments?offset=200&limit=1`)).json();
  const { rows: artifacts } = await (await fetch(`${api}/artifacts?sort=-revenue&limit=1`)).json();
  const shown = { run: RUN, other: OTHER, agent: "boole" };
  const places = placesOf({ ...shown, artifact: artifacts[0].id, moment: moments[0].seq });
  for (const { name, hash, shows } of places) await take({ name, address: root + hash, shows });
  await take({ name: "report", address: pathToFileURL(report).href, shows: ".chart-canvas text" });
  await takeReviews();
  await takeExperiment();
};

const takeForDocs = async (): Promise<void> => {
  await take({ name: "overview", address: overview, shows: ".chart-canvas text" });
  await take({ name: "agent", address: at("agents/boole"), shows: "main h2" });
  await take({ name: "trade", address: at("network"), shows: ".matrix-head" });
  await take({ name: "phone", address: overview, shows: ".chart-canvas text", options: PHONE });
  await take({ name: "report", address: pathToFileURL(report).href, shows: ".chart-canvas text" });
};

await (all === undefined ? takeForDocs() : takeEvery());
await takeSeatPage();
await browser.close();
await dashboard.close();
rmSync(folder, { recursive: true, force: true });
