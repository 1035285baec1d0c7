/**
 * The dashboard: how long a finished run takes to open, how it scrolls, points and plays, how long
 * views of many agents take, how much a live run of many agents is slowed by it, and what a page
 * takes of memory.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import type { Browser, Page } from "playwright-core";
import { launchBrowser } from "../scripts/browser.ts";
import type { FromDashboard, ToDashboard } from "../src/cli/dashboard/dashboard-worker.ts";
import { benchRun } from "./bench-run.ts";
import { crowd } from "./crowd.ts";
import type { Figure } from "./figure.ts";
import { PLAY, POINT, SCROLL } from "./page-frames.ts";

/** So many actions make about 100,000 events. */
const ACTIONS = 34_000;
const AGENTS = 1_000;
const LIVE_S = 12;
const ROUNDS = 3;
/** The speed of the machine itself varies by a fifth from one live run to the next. */
const LIVE_ROUNDS = 6;

const SETS = [
  "run.clock=virtual",
  "resources.stock.llm_budget_usd=100000",
  "resources.windows.actions=1000000",
  "spawn.principals_max=10000",
  "sandbox.wall_timeout_ms=60000",
  "checkpoint.every_s=null",
];

const folders: string[] = [];
const folder = (): string => {
  const made = mkdtempSync(join(tmpdir(), "catallaxy-bench-"));
  folders.push(made);
  return made;
};

type DashboardThread = { readonly tell: (message: ToDashboard) => void; readonly thread: Worker };

/** The dashboard in its thread, as in `sim run --dashboard`. */
export const startDashboard = async (out: string): Promise<DashboardThread> => {
  const thread = new Worker(new URL("../src/cli/dashboard/dashboard-worker.ts", import.meta.url), {
    workerData: { host: "127.0.0.1", port: 0, out },
  });
  await heard(thread, "started");
  return { tell: (message) => thread.postMessage(message), thread };
};

const heard = (thread: Worker, kind: FromDashboard["kind"]): Promise<FromDashboard> =>
  new Promise((resolve) => {
    thread.on("message", (message: FromDashboard) => {
      if (message.kind === kind) resolve(message);
    });
  });

export const addressOf = async (
  { tell, thread }: DashboardThread,
  out: string,
): Promise<string> => {
  const shown = heard(thread, "shown");
  tell({ kind: "run", runId: "bench", folder: join(out, "bench") });
  tell({ kind: "pace", pace: "over" });
  const message = await shown;
  return message.kind === "shown" ? message.address.replace(/\?.*/, "") : "";
};

const finished = async (browser: Browser): Promise<readonly Figure[]> => {
  const out = folder();
  const launch = benchRun({
    out,
    sets: [...SETS, "run.duration_s=100000", `run.max_actions=${ACTIONS}`],
    personas: crowd(100),
  });
  await launch.run();
  const dashboard = await startDashboard(out);
  const address = await addressOf(dashboard, out);
  const opened: Opened[] = [];
  for (let round = 0; round < ROUNDS; round += 1) opened.push(await open(browser, address));
  await dashboard.thread.terminate();
  // The first page also waits until the server has read the run.
  const [first] = opened;
  return [
    { ...ms("page of 100,000 events", first?.shownMs ?? 0), bar: 1_000 },
    { ...ms("its charts", first?.drawnMs ?? 0), bar: 2_000 },
    longest(
      "scrolling",
      opened.map(({ scrolled }) => scrolled),
    ),
    longest(
      "the cursor in all charts",
      opened.map(({ pointed }) => pointed),
    ),
    longest(
      "play at 60x",
      opened.map(({ played }) => played),
    ),
    await published(browser, out),
  ];
};

type Opened = {
  readonly shownMs: number;
  readonly drawnMs: number;
  /** The longest frame of each, in ms. */
  readonly pointed: number;
  readonly played: number;
  readonly scrolled: number;
};

const open = async (browser: Browser, address: string): Promise<Opened> => {
  const page = await newPage(browser);
  const since = performance.now();
  await page.goto(`${address}/overview`);
  await page.locator(".time-bar").waitFor();
  const shownMs = performance.now() - since;
  await page.locator(".chart-canvas text").first().waitFor();
  const drawnMs = performance.now() - since;
  const pointed = await page.evaluate<number>(POINT);
  const played = await page.evaluate<number>(PLAY);
  await page.goto(`${address}/events`);
  await page.locator(".event-line").first().waitFor();
  const scrolled = await page.evaluate<number>(SCROLL);
  await page.close();
  return { shownMs, drawnMs, pointed, played, scrolled };
};

/** A run as a page that needs no server. */
const published = async (browser: Browser, out: string): Promise<Figure> => {
  const main = join(import.meta.dirname, "../src/cli/main.ts");
  const pages = folder();
  execFileSync(process.execPath, [main, "publish", "bench", "--out", out, "-o", pages]);
  const played: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const page = await newPage(browser);
    await page.goto(pathToFileURL(join(pages, "index.html")).href);
    await page.locator(".chart-canvas text").first().waitFor();
    played.push(await page.evaluate<number>(PLAY));
    await page.close();
  }
  return longest("play at 60x, published", played);
};

const newPage = (browser: Browser): Promise<Page> =>
  browser.newPage({ viewport: { width: 1280, height: 900 }, locale: "en-US" });

/** At 60 frames a second, a frame takes 16.7 ms. */
const FRAME_MS_BAR = 20;

const ms = (name: string, value: number): Figure => ({
  ...{ name, value, unit: "ms", bar: null, limit: null },
});

/** The longest frame of the best round: other work of the machine only makes frames longer. */
const longest = (what: string, rounds: readonly number[]): Figure => ({
  ...ms(`longest frame of ${what}`, Math.min(...rounds)),
  bar: FRAME_MS_BAR,
});

/** How long the views of many agents take, when the server has read the run. */
const crowded = async (browser: Browser): Promise<readonly Figure[]> => {
  const out = folder();
  const sets = [...SETS, `run.duration_s=${LIVE_S / 2}`];
  await benchRun({ out, sets, personas: crowd(AGENTS) }).run();
  const dashboard = await startDashboard(out);
  const address = await addressOf(dashboard, out);
  const figures: Figure[] = [];
  for (const [view, shown] of VIEWS) {
    const page = await newPage(browser);
    await page.goto(`${address}/overview`);
    await page.locator(".chart-canvas text").first().waitFor();
    const since = performance.now();
    await page.goto(`${address}/${view}`);
    await page.locator(shown).first().waitFor();
    const value = performance.now() - since;
    await page.close();
    figures.push({ name: `${view} of 1,000 agents`, value, unit: "ms", bar: 1_000, limit: null });
  }
  await dashboard.thread.terminate();
  return figures;
};

const VIEWS = [
  ["agents", "main tbody tr"],
  ["network", "svg.matrix"],
] as const;

const HEAP = "performance.memory.usedJSHeapSize";

/** Runs many agents for `lasts` seconds, with a page open on the dashboard or without one. */
const live = async (browser: Browser | null, lasts: number): Promise<Lived> => {
  const out = folder();
  const dashboard = browser === null ? null : await startDashboard(out);
  const launch = benchRun({
    out,
    sets: [...SETS, `run.duration_s=${lasts}`],
    personas: crowd(AGENTS),
  });
  let page: Page | null = null;
  if (browser !== null && dashboard !== null) {
    const address = await addressOf(dashboard, out);
    dashboard.tell({ kind: "pace", pace: "going" });
    page = await browser.newPage({ locale: "en-US" });
    await page.goto(`${address}/overview`);
    await page.locator(".time-bar").waitFor();
  }
  const since = performance.now();
  await launch.run();
  const wallMs = performance.now() - since;
  const heapMb = page === null ? 0 : (await page.evaluate<number>(HEAP)) / 1e6;
  await page?.close();
  await dashboard?.thread.terminate();
  return { wallMs, heapMb };
};

type Lived = { readonly wallMs: number; readonly heapMb: number };

const slowDown = async (browser: Browser): Promise<readonly Figure[]> => {
  const [alone, watched]: [number[], number[]] = [[], []];
  for (let round = 0; round < LIVE_ROUNDS; round += 1) {
    alone.push((await live(null, LIVE_S)).wallMs);
    watched.push((await live(browser, LIVE_S)).wallMs);
  }
  const limit = { name: "without the page", value: meanOfWarm(alone) };
  const value = meanOfWarm(watched);
  const bar = 1.1 * limit.value;
  return [{ name: "live run of 1,000 agents, the page open", value, unit: "ms", bar, limit }];
};

/** Leaves out the first round, in which the code is compiled. */
const meanOfWarm = ([, ...rounds]: readonly number[]): number =>
  rounds.reduce((sum, ms) => sum + ms, 0) / rounds.length;

const memory = async (browser: Browser): Promise<readonly Figure[]> => {
  const [short, long] = [await live(browser, LIVE_S / 2), await live(browser, LIVE_S * 3)];
  const limit = { name: "that of a sixth of the events", value: short.heapMb };
  return [{ name: "memory of the page", value: long.heapMb, unit: "MB", bar: 50, limit }];
};

export const figures = async (): Promise<readonly Figure[]> => {
  const browser = await launchBrowser(["--enable-precise-memory-info"]);
  const opened = await finished(browser);
  const views = await crowded(browser);
  const slowed = await slowDown(browser);
  const kept = await memory(browser);
  await browser.close();
  for (const made of folders) rmSync(made, { recursive: true, force: true });
  return [...opened, ...views, ...slowed, ...kept];
};
