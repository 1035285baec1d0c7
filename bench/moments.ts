/**
 * The moments of 50 agents: how long `sim moments` takes as a whole process, and how the view of
 * moments opens and scrolls.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { launchBrowser } from "../scripts/browser.ts";
import { benchRun } from "./bench-run.ts";
import { crowd } from "./crowd.ts";
import { addressOf, startDashboard } from "./dashboard.ts";
import type { Figure } from "./figure.ts";
import { SCROLL } from "./page-frames.ts";
import { median } from "./stopwatch.ts";

const AGENTS = 50;
/** So many actions make about 10,000 moments. The others only wait. */
const ACTIONS = 13_500;
const ROUNDS = 5;
const SIM = join(import.meta.dirname, "../src/cli/main.ts");

const SETS = [
  ...["run.clock=virtual", "run.duration_s=3600", `run.max_actions=${ACTIONS}`],
  ...["resources.stock.llm_budget_usd=1000", "checkpoint.every_s=null"],
  ...["sandbox.wall_timeout_ms=60000"],
];

const outputOf = (args: readonly string[]): string => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [SIM, ...args], {
    encoding: "utf8",
    maxBuffer: 2 ** 30,
  });
  if (status !== 0) throw new Error(`sim ${args.join(" ")} ended with ${status}: ${stderr}`);
  return stdout;
};

const msOf = (args: readonly string[]): number =>
  median(
    Array.from({ length: ROUNDS }, () => {
      const startedAt = performance.now();
      outputOf(args);
      return performance.now() - startedAt;
    }),
  );

const processes = (out: string): readonly Figure[] => {
  const limit = { name: "sim --help", value: msOf(["--help"]) };
  const moments = (...args: readonly string[]) => ["moments", "bench", "--out", out, ...args];
  const all = JSON.parse(outputOf(moments("--json")));
  const made = all.moments.flatMap(({ written }: { written: readonly object[] }) => written);
  const { artifact } = made.at(-1);
  const took = (name: string, ...args: readonly string[]): Figure => {
    const bar = args.includes("--json") ? 3_000 : 2_000;
    return { name, value: msOf(moments(...args)), unit: "ms", bar, limit };
  };
  return [
    took(`sim moments, of ${all.total}`),
    took("sim moments --about", "--about", artifact),
    took("sim moments --search", "--search", "who owes what"),
    took("sim moments --json", "--json"),
  ];
};

const page = async (out: string): Promise<readonly Figure[]> => {
  const browser = await launchBrowser();
  const dashboard = await startDashboard(out);
  const address = await addressOf(dashboard, out);
  const tab = await browser.newPage({ viewport: { width: 1280, height: 900 }, locale: "en-US" });
  const since = performance.now();
  await tab.goto(`${address}/moments`);
  await tab.locator(".lives-marks").first().waitFor();
  await tab.locator(".moment-lines .event-line:not(.is-coming)").first().waitFor();
  const shownMs = performance.now() - since;
  // The best of all rounds: everything else that the machine does only makes frames longer.
  let worst = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round += 1) {
    worst = Math.min(worst, await tab.evaluate<number>(SCROLL));
  }
  await browser.close();
  await dashboard.thread.terminate();
  return [
    { name: "view of moments", value: shownMs, unit: "ms", bar: 2_000, limit: null },
    { name: "longest frame of scrolling", value: worst, unit: "ms", bar: 50, limit: null },
  ];
};

export const figures = async (): Promise<readonly Figure[]> => {
  const out = mkdtempSync(join(tmpdir(), "catallaxy-bench-"));
  await benchRun({ out, sets: SETS, personas: crowd(AGENTS) }).run();
  const all = [...processes(out), ...(await page(out))];
  rmSync(out, { recursive: true, force: true });
  return all;
};
