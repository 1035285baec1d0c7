/**
 * The dashboard: how long a finished run takes to open, how it scrolls, how much a live run of many
 * agents is slowed by it, and what a page takes of memory. Run: `node bench/dashboard.ts`.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import type { Browser, Page } from "playwright-core";
import { launchBrowser } from "../scripts/browser.ts";
import type { FromDashboard, ToDashboard } from "../src/cli/dashboard-messages.ts";
import { loadPersonas, type Persona } from "../src/runner/index.ts";
import { benchRun } from "./bench-run.ts";

/** So many actions make about 100,000 events. */
const ACTIONS = 34_000;
const AGENTS = 1_000;
const LIVE_S = 12;
const ROUNDS = 3;

const SETS = [
  "run.clock=virtual",
  "resources.stock.llm_budget_usd=100000",
  "resources.windows.actions=1000000",
  "spawn.principals_max=10000",
  "sandbox.wall_fuse_ms=60000",
  "checkpoint.every_s=null",
];

/** The shipped population, as often as is needed, each under a name of its own. */
const crowd = (count: number): readonly Persona[] => {
  const loaded = loadPersonas(join(import.meta.dirname, "../agents"), { only: [] });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  const { personas } = loaded;
  return Array.from({ length: count }, (_, n) => {
    const persona = personas[n % personas.length];
    if (persona === undefined) throw new Error("there are personas");
    const round = Math.floor(n / personas.length);
    return round === 0 ? persona : { ...persona, id: `${persona.id}-${round}` };
  });
};

const folders: string[] = [];
const folder = (): string => {
  const made = mkdtempSync(join(tmpdir(), "catallaxy-bench-"));
  folders.push(made);
  return made;
};

type Beside = { readonly tell: (message: ToDashboard) => void; readonly thread: Worker };

/** The dashboard in its thread, as `sim run --dashboard` has it. */
const beside = async (out: string): Promise<Beside> => {
  const thread = new Worker(new URL("../src/cli/dashboard-worker.ts", import.meta.url), {
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

const addressOf = async ({ tell, thread }: Beside, out: string): Promise<string> => {
  const shown = heard(thread, "shown");
  tell({ kind: "run", runId: "bench", folder: join(out, "bench") });
  tell({ kind: "pace", pace: "over" });
  const message = await shown;
  return message.kind === "shown" ? message.address.replace(/\?.*/, "") : "";
};

const finished = async (browser: Browser): Promise<void> => {
  const out = folder();
  const launch = benchRun({
    out,
    sets: [...SETS, "run.duration_s=100000", `run.max_actions=${ACTIONS}`],
    personas: crowd(100),
  });
  const { lastSeq } = await launch.run();
  const dashboard = await beside(out);
  const address = await addressOf(dashboard, out);
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, locale: "en-US" });
  const since = performance.now();
  await page.goto(`${address}/overview`);
  await page.locator(".time-bar").waitFor();
  const shownMs = performance.now() - since;
  await page.locator(".uplot canvas").first().waitFor();
  const drawnMs = performance.now() - since;
  console.log(
    `a finished run of ${lastSeq} events: the page is there after ${Math.round(shownMs)} ms, ` +
      `its charts after ${Math.round(drawnMs)} ms`,
  );
  await page.goto(`${address}/events`);
  await page.locator(".event-line").first().waitFor();
  const worst = await page.evaluate<number>(SCROLL);
  const lines = await page.locator(".event-line").count();
  console.log(
    `scrolling through all of them, 2,000 px a frame: the longest frame ${Math.round(worst)} ms, ` +
      `${lines} lines in the page`,
  );
  await page.close();
  await dashboard.thread.terminate();
};

/** Scrolls for 240 frames and says how long the longest took, in ms. */
const SCROLL = `new Promise((done) => {
  const list = document.querySelector(".event-lines");
  list.scrollTop = 0;
  let [frames, last, worst] = [0, performance.now(), 0];
  const step = (now) => {
    if (frames > 2) worst = Math.max(worst, now - last);
    last = now;
    frames += 1;
    list.scrollTop += 2000;
    if (frames < 240) requestAnimationFrame(step);
    else done(worst);
  };
  requestAnimationFrame(step);
})`;

const HEAP = "performance.memory.usedJSHeapSize";

/** Runs many agents for some run time; with a page that looks on, or without a dashboard at all. */
const live = async (browser: Browser | null, lasts: number): Promise<Lived> => {
  const out = folder();
  const dashboard = browser === null ? null : await beside(out);
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
  const { lastSeq } = await launch.run();
  const wallMs = performance.now() - since;
  const heapMb = page === null ? 0 : (await page.evaluate<number>(HEAP)) / 1e6;
  await page?.close();
  await dashboard?.thread.terminate();
  return { wallMs, events: lastSeq, heapMb };
};

type Lived = { readonly wallMs: number; readonly events: number; readonly heapMb: number };

const slowDown = async (browser: Browser): Promise<void> => {
  const [alone, watched]: [number[], number[]] = [[], []];
  let events = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const without = await live(null, LIVE_S);
    alone.push(without.wallMs);
    watched.push((await live(browser, LIVE_S)).wallMs);
    events = without.events;
  }
  // The quickest of each: everything else that the machine does only makes them slower.
  const [one, other] = [Math.min(...alone), Math.min(...watched)];
  const more = (100 * (other / one - 1)).toFixed(1);
  console.log(
    `a live run of ${AGENTS} agents, ${events} events: ${(one / 1e3).toFixed(1)} s alone, ` +
      `${(other / 1e3).toFixed(1)} s with the dashboard open, ${more} % more`,
  );
};

const memory = async (browser: Browser): Promise<void> => {
  const [short, long] = [await live(browser, LIVE_S / 2), await live(browser, LIVE_S * 3)];
  console.log(
    `memory of the page: ${short.heapMb.toFixed(0)} MB after ${short.events} events, ` +
      `${long.heapMb.toFixed(0)} MB after ${long.events}`,
  );
};

const browser = await launchBrowser(["--enable-precise-memory-info"]);
await finished(browser);
await slowDown(browser);
await memory(browser);
await browser.close();
for (const made of folders) rmSync(made, { recursive: true, force: true });
