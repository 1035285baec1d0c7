/**
 * Takes the pictures of README and docs from a real run: `npx node scripts/pictures.ts`. Ten
 * simulated minutes of the shipped population, its report, and the dashboard on it.
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { BrowserContextOptions, Page } from "playwright-core";
import { runStore } from "../src/cli/dashboard/run-store.ts";
import { startDashboard } from "../src/observe/index.ts";
import { type MoveCommand, SeatLink, SeatPlayer, seatToken } from "../src/runner/index.ts";
import { launchBrowser } from "./browser.ts";

const MAIN = join(import.meta.dirname, "../src/cli/main.ts");
const SHIPPED = join(import.meta.dirname, "../agents");
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
/** Plays some moves of a seat among the shipped population, and takes its page. */
const takeSeatPage = async (): Promise<void> => {
  const personas = join(folder, "seats/guest");
  mkdirSync(personas, { recursive: true });
  writeFileSync(join(personas, "agent.yaml"), "id: guest\nmind: seat\n");
  const flags = ["--agents", SHIPPED, "--agents", join(folder, "seats"), "--duration", "3600"];
  const args = [MAIN, "run", ...flags, "--clock", "virtual", "--name", "town"];
  const run = spawn(process.execPath, args, { cwd: folder, stdio: ["ignore", "ignore", "pipe"] });
  await once(run.stderr, "data");
  const link = new SeatLink(join(runs, "town"), "guest");
  const player = new SeatPlayer(link);
  await player.wait(240);
  const code = "function run(n) { return n * 2 }";
  const fields = { artifact_id: "guest_double", artifact_type: "program", code, price: 2 };
  await make(player, { kind: "write", fields });
  await make(player, { kind: "send", to: "boole", text: "I sell guest_double for 2 scrip." });
  const given = seatToken(join(runs, "town"), "guest");
  if (!given.ok) throw new Error(given.problem);
  const address = dashboard.seatAddressOf("town", { agent: "guest", token: given.token });
  await take({ name: "seat", address, shows: ".messages li" });
  link.close();
  run.kill("SIGINT");
  await once(run, "exit");
};

const make = async (player: SeatPlayer, command: MoveCommand): Promise<void> => {
  const prepared = await player.prepare(command);
  const outcome = prepared.ok ? await player.act(prepared.action) : prepared;
  if (!outcome.ok) throw new Error(outcome.problem);
};

await take({ name: "overview", address: overview, shows: "canvas" });
await take({ name: "agent", address: at("agents/boole"), shows: "main h2" });
await take({ name: "trade", address: at("network"), shows: "svg circle" });
await take({ name: "phone", address: overview, shows: "canvas", options: PHONE });
await take({ name: "report", address: pathToFileURL(report).href, shows: "canvas" });
await takeSeatPage();
await browser.close();
await dashboard.close();
rmSync(folder, { recursive: true, force: true });
