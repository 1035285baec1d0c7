import { basename } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { measureRun } from "../../../src/figures/metrics/run-meter.ts";
import { browserOfTests, closedWell } from "../../support/browser.ts";
import { dashboardOf } from "../../support/dashboard.ts";
import { type FinishedRun, simulate, withJournal } from "../../support/simulation-run.ts";
import { sharedFolder } from "../../support/temporary-folder.ts";

const browser = browserOfTests();
const out = sharedFolder();
let runs: readonly FinishedRun[];

beforeAll(async () => {
  const run = (seed: number, labels: readonly string[]) =>
    simulate(out, { sets: ["run.duration_s=15", `run.seed=${seed}`], order: { labels } });
  runs = [await run(1, ["pilot"]), await run(2, ["pilot"]), await run(3, ["main"])];
});

const opened = async () => await browser.open((await dashboardOf(out)).addressOf(null));

it("shows the figures of each run as a report does, and finds and sorts runs", async () => {
  const tab = await opened();
  const { page } = tab;
  const trades: number[] = [];
  for (const { folder } of runs) {
    const metrics = await withJournal(folder, (journal) => measureRun(journal).metrics());
    const link = page.getByRole("link", { name: basename(folder), exact: true });
    const row = page.locator("tr", { has: link });
    await row.locator(".sparkline").waitFor();
    const cells = (await row.locator("td").allInnerTexts()).map((text) => text.trim());
    expect([cells[5], cells[8]]).toEqual([
      String(metrics.wealth.agents),
      metrics.trades.total.toLocaleString("en"),
    ]);
    expect(Number(cells[6])).toBeCloseTo(metrics.wealth.gini, 2);
    trades.push(metrics.trades.total);
  }
  await page.getByRole("button", { name: "trades" }).press("Enter");
  const column = page.locator("tbody tr td:nth-child(9)");
  const shown = async () => (await column.allInnerTexts()).map(Number);
  await expect.poll(shown).toEqual(trades.toSorted((a, b) => b - a));
  await page.getByLabel("Find runs").fill("main");
  await expect.poll(() => page.locator('.tools [role="status"]').innerText()).toBe("1 run");
  await closedWell(tab);
});

it("compares the ticked runs, and says that their worlds differ", async () => {
  const tab = await opened();
  const { page } = tab;
  const [one = "", two = "", three = ""] = runs.map(({ folder }) => basename(folder));
  for (const id of [one, two, three]) await page.getByLabel(`Compare ${id}`).press("Space");
  await page.getByRole("link", { name: "Compare these 3 runs" }).click();
  await page.getByText(`Different worlds: ${two} and ${one} have other seeds`).waitFor();
  await page.getByText(`Different worlds: ${three} and ${one} have other seeds`).waitFor();
  await expect
    .poll(() => page.locator(".chart-title").allInnerTexts())
    .toEqual(["Gini", "Supply", "Trades"]);
  const curves = page.locator("figure.chart", { hasText: "Trades" });
  for (const id of [one, two, three]) await curves.getByText(id, { exact: true }).first().waitFor();
  await page.getByRole("button", { name: `Remove ${three}` }).click();
  await expect.poll(() => page.url()).toMatch(new RegExp(`compare/${two}$`));
  await closedWell(tab);
});
