import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import type { Report } from "../../src/figures/index.ts";
import { htmlReport } from "../../src/page/index.ts";
import { browserOfTests, closedWell, type Tab } from "../support/browser.ts";
import { emptyFolder, jsonOf, makeRun, sim } from "../support/sim.ts";

const folder = emptyFolder();
const PAGE = join(folder, "r.html");
const browser = browserOfTests();
let report: Report;

beforeAll(() => {
  makeRun(folder, { name: "r", seconds: 60 });
  report = jsonOf(folder, "report", "r", "--html", PAGE);
});

const opened = (options: Parameters<typeof browser.open>[1] = {}): Promise<Tab> =>
  browser.open(pathToFileURL(PAGE).href, options);

/** What is drawn below a heading. */
const figure = ({ page }: Tab, title: string) =>
  page.locator("figure").filter({ has: page.getByRole("heading", { name: title, exact: true }) });

/** Every agent of the run is in it. */
const wealthTitle = (): string => `Wealth over time: all ${report.metrics.wealth.agents} agents`;

describe("the page of a report", () => {
  it("shows the narrative, the key figures and a chart of each subject", async () => {
    const tab = await opened();
    const { page } = tab;
    expect(await page.title()).toBe("r · catallaxy");
    expect(await page.locator(".settings div").allTextContents()).toEqual([
      "run.duration_s60instead of 600",
      'run.clock"virtual"instead of "auto"',
    ]);
    expect(await page.locator(".narrative p").allTextContents()).toEqual(report.narrative);
    const tiles = await page.locator(".tile").allTextContents();
    expect(tiles.join()).toContain(`Trades${report.economy.trades}`);
    expect(await page.locator("figure h3").allTextContents()).toEqual([
      ...[wealthTitle(), "Distribution of wealth", "Income by source", "Trade network"],
      ...["Prices of services", "Best sellers", "Scrip minted and burned", "Velocity of money"],
      ...["Price of model budget", "Model budget sold"],
      ...["Pace", "Refused actions", "Cost of thinking", "Frozen"],
    ]);
    expect(await page.locator(".chart-canvas:visible, .chart-empty").count()).toBe(10);
    await closedWell(tab);
  });

  it("shows the gains from trade of agents with private values", async () => {
    const deal = join(folder, "deal.html");
    makeRun(folder, { name: "deal", seconds: 60 }, "--agents", "agents-bargain");
    expect(sim(folder, "report", "deal", "--html", deal).code).toBe(0);
    const tab = await browser.open(pathToFileURL(deal).href);
    const row = tab.page.getByRole("table", { name: "Gains from trade" }).locator("tbody tr");
    expect(await row.locator("td").allTextContents()).toEqual([
      ...["painting", "bargain_seller", "bargain_buyer", "52"],
      ...["bargain_buyer 8, bargain_seller 22", "30", "30", "100 %"],
    ]);
    await closedWell(tab);
  });

  it("describes charts for screen readers, and moves a cursor by keys", async () => {
    const tab = await opened();
    const chart = figure(tab, wealthTitle()).getByRole("img");
    const lastOf = ({ scrip }: { readonly scrip: readonly (number | null)[] }) => scrip.at(-1) ?? 0;
    const [line] = report.metrics.timeline.wealth.toSorted(
      (a, b) => lastOf(b) - lastOf(a) || a.order - b.order,
    );
    const label = `${line?.id} from ${line?.scrip[0]} to ${line?.scrip.at(-1)}`;
    expect(await chart.getAttribute("aria-label")).toContain(label);
    const legend = figure(tab, wealthTitle()).locator(".legend");
    // The chart is drawn when the browser has measured it, and takes keys from then on.
    await expect
      .poll(async () => {
        await chart.press("Home");
        return legend.locator(".legend-time").textContent();
      })
      .toMatch(/^at 0:00(?:\.00)?$/);
    const first = legend.getByRole("button").first();
    expect(await first.textContent()).toBe(`${line?.id}${line?.scrip[0]}`);
    await chart.press("End");
    await expect.poll(() => first.textContent()).toBe(`${line?.id}${line?.scrip.at(-1)}`);
    await first.press("Enter");
    expect(await first.getAttribute("aria-pressed")).toBe("false");
    await closedWell(tab);
  });

  it("shows what a principal of the network paid and received", async () => {
    const tab = await opened();
    const [node] = report.metrics.network.nodes;
    const network = figure(tab, "Trade network");
    await network.getByRole("button", { name: new RegExp(`^${node?.id}: `) }).focus();
    expect(await network.locator(".matrix-summary").textContent()).toContain(
      `${node?.id} received ${node?.received} scrip`,
    );
    await closedWell(tab);
  });

  it("sorts a table by a click on a head, and reverses it by another", async () => {
    const tab = await opened();
    const table = tab.page.getByRole("table", { name: "Principals" });
    const column = async () =>
      (await table.locator("tbody tr td:nth-child(3)").allTextContents()).map((text) =>
        Number(text.replaceAll(",", "")),
      );
    await table.getByRole("button", { name: "wealth" }).click();
    const falling = await column();
    expect(falling).toEqual(falling.toSorted((a, b) => b - a));
    expect(falling[0]).toBeGreaterThan(falling.at(-1) ?? 0);
    await table.getByRole("button", { name: "wealth" }).press("Enter");
    expect(await column()).toEqual(falling.toSorted((a, b) => a - b));
    await closedWell(tab);
  });

  it.each(["light", "dark"] as const)("has its own %s colours", async (colorScheme) => {
    const tab = await opened({ colorScheme });
    const brightness = async (property: string): Promise<number> => {
      const colour = `getComputedStyle(document.documentElement).${property}`;
      const text: string = await tab.page.evaluate(colour);
      return (text.match(/\d+/g) ?? []).slice(0, 3).reduce((sum, part) => sum + Number(part), 0);
    };
    const [ink, paper] = [await brightness("color"), await brightness("backgroundColor")];
    expect(ink < paper).toBe(colorScheme === "light");
    await closedWell(tab);
  });

  it("is not wider than a phone", async () => {
    const tab = await opened({ viewport: { width: 360, height: 740 } });
    expect(await tab.page.evaluate("document.documentElement.scrollWidth")).toBe(360);
    await closedWell(tab);
  });

  it("shows markup, control codes and direction marks as text", async () => {
    const markup = "</script><img src=x onerror=alert(1)><script>alert(1)</script>";
    const evil = `${markup}\u202e\u2028\u001b[31m`;
    const shown = `${markup}\\u{202e}\\u{2028}\\u{1b}[31m`;
    const alarms = [{ alarm: "no_trade", from_ms: 0, to_ms: null, cause: evil }];
    const metrics = { ...report.metrics, alarms };
    const file = join(folder, "evil.html");
    const page = { run: evil, report: { ...report, narrative: [evil], metrics } };
    const settings = [{ key: "run.x", value: `${evil}${"x".repeat(80)}`, shipped: null }];
    const header = { seed: 1, clock: "virtual", version: "0", settings };
    writeFileSync(file, await htmlReport({ header, ...page }));
    const tab = await browser.open(pathToFileURL(file).href);
    expect(await tab.page.locator("h1").textContent()).toBe(shown);
    expect(await tab.page.locator(".settings").textContent()).toBe(
      `run.x${shown}${"x".repeat(79 - evil.length)}…added`,
    );
    expect(await tab.page.locator(".narrative p").textContent()).toBe(shown);
    const cell = tab.page.getByRole("table", { name: "Alarms" }).locator("td").last();
    expect(await cell.textContent()).toBe(shown);
    expect(await tab.page.locator("img, iframe").count()).toBe(0);
    await closedWell(tab);
  });

  it.each([
    [[], "all settings have their defaults"],
    [null, "settings unknown"],
  ])("says if no setting was changed or settings are unknown", async (settings, says) => {
    const file = join(folder, "plain.html");
    const header = { seed: 1, clock: "virtual", version: "0", settings };
    writeFileSync(file, await htmlReport({ run: "r", header, report }));
    const tab = await browser.open(pathToFileURL(file).href);
    expect(await tab.page.locator(".about").last().textContent()).toBe(says);
    await closedWell(tab);
  });

  it("has a table of what the schedule did", async () => {
    const schedule = [
      { at_ms: 2_000, change: "pause ada", problem: null },
      { at_ms: 3_500, change: "pause zoe", problem: 'there is no agent "zoe"' },
    ];
    const file = join(folder, "scheduled.html");
    const header = { seed: 1, clock: "virtual", version: "0", settings: null };
    const metrics = { ...report.metrics, schedule };
    writeFileSync(file, await htmlReport({ run: "r", header, report: { ...report, metrics } }));
    const tab = await browser.open(pathToFileURL(file).href);
    const table = tab.page.getByRole("table", { name: "Schedule" });
    expect(await table.locator("td").allTextContents()).toEqual([
      ...["0:02.0", "pause ada", "done"],
      ...["0:03.5", "pause zoe", 'not done: there is no agent "zoe"'],
    ]);
    await closedWell(tab);
  });

  it("runs no script that was added to it", async () => {
    const file = join(folder, "tampered.html");
    const added = "<script>document.title='x'</script></body>";
    writeFileSync(file, readFileSync(PAGE, "utf8").replace("</body>", added));
    const { page, errors } = await browser.open(pathToFileURL(file).href);
    expect(await page.title()).toBe("r · catallaxy");
    expect(errors.join()).toContain("Content Security Policy");
    await page.context().close();
  });
});
