import { basename } from "node:path";
import type { Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import type { PeriodTrade } from "../../../src/page/routes/index.ts";
import { browserOfTests, closedWell, type Tab } from "../../support/browser.ts";
import { keptDashboardOf } from "../../support/dashboard.ts";
import { longRun, SHARED_RUNS } from "../../support/shared-runs.ts";
import type { FinishedRun } from "../../support/simulation-run.ts";

const browser = browserOfTests();
const out = SHARED_RUNS;
let run: FinishedRun;

beforeAll(async () => {
  run = await longRun();
});

const [FROM_S, TO_S] = [60, 121];
const QUERY = "from=1:00&to=2:01";
const WHEN = "from 1:00.0 to 2:01.0";

const opened = async (view: string): Promise<Tab> => {
  const dashboard = await keptDashboardOf(out);
  return await browser.open(`${dashboard.addressOf(basename(run.folder))}/${view}`);
};

const panel = (page: Page, name: RegExp | string) => page.getByRole("region", { name });
const secondsIn = (text: string): number =>
  text.split(":").reduce((sum, part) => sum * 60 + Number(part), 0);
const expectInPeriod = (texts: readonly string[]): void => {
  expect(texts.length).toBeGreaterThan(0);
  for (const text of texts) {
    expect(secondsIn(text)).toBeGreaterThanOrEqual(FROM_S);
    expect(secondsIn(text)).toBeLessThanOrEqual(TO_S);
  }
};

it("says what moved the prices in the period, and leads to who set a price", async () => {
  const tab = await opened(`overview?${QUERY}`);
  const { page } = tab;
  const movers = panel(page, `What moved the prices ${WHEN}`);
  const edit = movers.locator("tbody tr td:last-child", { has: page.locator("a") }).first();
  expect(await edit.innerText()).toMatch(/^\d+:\d\d\.\d .+: \d+ → \d+$/);
  const link = edit.getByRole("link").first();
  const [time, to] = [await link.innerText(), await link.getAttribute("href")];
  await link.press("Enter");
  await page.waitForURL(/artifacts\/.*at=\d+.*from=1%3A00/);
  expect(to).toMatch(/at=\d+/);
  await expect.poll(() => page.locator(".moment-time").innerText()).toContain(time);
  const changes = panel(page, "Versions and owners");
  expect(await changes.innerText()).toContain(time);
  await closedWell(tab);
});

it("gives the figures at the ends of the period, and says when the others hold", async () => {
  const tab = await opened(`overview?${QUERY}`);
  const { page } = tab;
  const summary = panel(page, "What changed in the period");
  await expect.poll(() => summary.innerText()).toContain("From 1:00.0 to 2:01.0, both included");
  const end = summary.getByRole("table", { name: "Figures" }).locator("tbody tr").nth(1);
  const scrip = await end.locator("td").nth(2).innerText();
  const caption = page.locator(".tiles").locator("xpath=preceding-sibling::p[1]");
  expect(await caption.innerText()).toBe("Figures at 5:00.0");
  for (const title of ["Richest agents", "Best sellers", "Distribution of wealth"]) {
    const note = page.locator(".chart", { hasText: title }).locator(".chart-note").first();
    expect(await note.innerText()).toMatch(/ At 5:00\.0\.$/);
  }
  // The tile of the moment at the end has the figure of the end.
  const field = page.getByLabel("Go to a moment");
  await field.fill("2:01");
  await field.press("Enter");
  const tile = page.locator(".tile", { has: page.locator('dt:text-is("Scrip")') });
  await expect.poll(() => tile.locator(".tile-value").innerText()).toBe(scrip);
  await field.fill("0:30");
  await field.press("Enter");
  await summary.getByText("Nothing yet: the period begins after the moment").waitFor();
  await closedWell(tab);
});

it("lists only large changes in the period, in charts of the run and of an agent", async () => {
  const tab = await opened(`overview?${QUERY}`);
  const { page } = tab;
  const chart = page.locator(".chart", { hasText: "Wealth over time" });
  await chart.getByText(`Large changes ${WHEN}`).waitFor();
  expectInPeriod(await chart.locator(".chart-jumps a").allInnerTexts());
  await page.goto(page.url().replace("overview", "agents/ada"));
  const wealth = page.locator(".chart", { hasText: "Free and held scrip." });
  await wealth.getByText(new RegExp(`arge changes ${WHEN}`)).waitFor();
  const payments = panel(page, "Largest payments");
  expect(await payments.innerText()).toContain(`Payments ${WHEN}.`);
  expectInPeriod(await payments.locator("tbody tr td:first-child").allInnerTexts());
  await page.getByRole("link", { name: "Agents" }).click();
  await page.getByText(/^\d+, at 5:00\.0$/).waitFor();
  await closedWell(tab);
});

it("sums only the payments of the period in Trade, and says so", async () => {
  const tab = await opened(`network?${QUERY}`);
  const { page } = tab;
  const api = `/api/runs/${basename(run.folder)}`;
  const { turnover, network } = await page.evaluate<PeriodTrade>(
    `fetch("${api}/trade?${QUERY}").then((each) => each.json())`,
  );
  const facts = panel(page, "Network");
  await facts.getByText(`${turnover.toLocaleString("en-US")} scrip`).waitFor();
  const flows = panel(page, "Largest flows");
  const shown = await flows.locator("tbody tr").first().locator("td").allInnerTexts();
  const [largest] = network.edges;
  expect(shown.slice(0, 3)).toEqual([largest?.from, largest?.to, String(largest?.amount)]);
  const note = page.locator(".chart", { hasText: "Trade network" }).locator(".chart-note");
  expect(await note.first().innerText()).toContain(`Payments ${WHEN}.`);
  await page.getByRole("button", { name: "Whole run" }).click();
  await flows.getByText("Payments up to 5:00.0.").waitFor();
  await closedWell(tab);
});

it("says why the figures of a period are missing, and does not show those of the run", async () => {
  const tab = await opened("overview");
  const { page } = tab;
  await panel(page, "What moved the prices up to 5:00.0").waitFor();
  await page.route(/\/(period|jumps)\?/, (route) =>
    route.fulfill({
      status: 500,
      json: { problem: `no ${new URL(route.request().url()).pathname}` },
    }),
  );
  await page.goto(`${page.url()}?${QUERY}`);
  await page
    .getByRole("alert")
    .filter({ hasText: /^no .*period$/ })
    .waitFor();
  await page
    .getByRole("alert")
    .filter({ hasText: /^no .*jumps$/ })
    .waitFor();
  expect(await panel(page, /What moved the prices/).count()).toBe(0);
  expect(await panel(page, "What changed in the period").count()).toBe(0);
  await page.unrouteAll();
  await tab.page.context().close();
});

it("cuts a typed period to the run in charts and tables alike", async () => {
  const tab = await opened("overview?from=0:30&to=99:00");
  const { page } = tab;
  const when = "rom 0:30.0 to 5:00.0";
  const chart = page.locator(".chart", { hasText: "Wealth over time" });
  await chart.getByText(`arge changes f${when}`).waitFor();
  await panel(page, "What changed in the period").getByText(`F${when}`).waitFor();
  const line = page.getByRole("group", { name: "Period" }).getByRole("status");
  expect(await line.innerText()).toBe("Period 0:30.0 to 5:00.0");
  await page.goto(page.url().replace("from=0:30&to=99:00", "from=2:30&to=2:00"));
  await expect.poll(() => line.innerText()).toBe("Period: the whole run");
  await panel(page, "What moved the prices up to 5:00.0").waitFor();
  await closedWell(tab);
});
