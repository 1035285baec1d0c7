import { readFileSync } from "node:fs";
import { basename } from "node:path";
import type { Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import type { RunMarks } from "../../../src/page/routes/index.ts";
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

const opened = async (options = {}): Promise<Tab> => {
  const dashboard = await keptDashboardOf(out);
  const address = `${dashboard.addressOf(basename(run.folder))}/overview`;
  const tab = await browser.open(address, options);
  await tab.page.locator(".chart-canvas").nth(3).locator("text").first().waitFor();
  return tab;
};

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const textOf = (page: Page, selector: string) => page.locator(selector).first().innerText();
const secondsIn = (text: string): number =>
  text.split(":").reduce((sum, part) => sum * 60 + Number(part), 0);
const timeOf = async (page: Page): Promise<number> => secondsIn(await textOf(page, ".moment-time"));
const times = (page: Page) => page.locator(".legend-time").allInnerTexts();

it("opens typed moments on a line of time, and says why it cannot", async () => {
  const tab = await opened();
  const { page } = tab;
  const field = page.getByLabel("Go to a moment");
  const slider = page.getByRole("slider", { name: "Moment of the run" });
  for (const [typed, seconds] of [
    ["2:30", 150],
    ["1m", 60],
    ["200s", 200],
  ] as const) {
    await field.fill(typed);
    await field.press("Enter");
    await expect.poll(() => timeOf(page)).toBe(seconds);
    expect(Number(await slider.inputValue())).toBe(seconds * 1_000);
    expect(await field.evaluate((each) => each === document.activeElement)).toBe(true);
  }
  expect(tab.errors).toEqual([]);
  await field.fill("9:59");
  await field.press("Enter");
  await page.getByText("599s: this run covers 0 s to 300 s").waitFor();
  // The browser reports the answer 404 as an error.
  await page.context().close();
});

it("steps from mark to mark by button and key, and hides a kind of marks", async () => {
  const tab = await opened();
  const { page } = tab;
  const answer = await page.evaluate<RunMarks>(
    `fetch("/api/runs/${basename(run.folder)}/marks").then((each) => each.json())`,
  );
  const auctions = answer.marks.filter(({ kind }) => kind === "auction");
  const [last, before] = [answer.marks.at(-1), auctions.at(-1)];
  expect(auctions.length).toBeGreaterThan(1);
  await button(page, "Previous mark").click();
  await page.waitForURL(new RegExp(`at=${last?.seq === run.lastSeq ? "\\d+" : last?.seq}$`));
  await button(page, "Now").click();
  for (const kind of ["checkpoint", "freeze", "new agent", "alarm", "bankrupt"]) {
    const key = page.locator(".mark-kinds button", { hasText: kind });
    if ((await key.count()) > 0) await key.click();
  }
  await page.getByRole("slider").press("[");
  await page.waitForURL(`**/*at=${before?.seq}`);
  expect(await textOf(page, ".mark-said")).toContain(before?.text);
  expect(await button(page, "Next mark").getAttribute("aria-disabled")).toBe("true");
  await closedWell(tab);
});

it("plays the run, and keeps all curves whole behind a line at the moment", async () => {
  const tab = await opened();
  const { page } = tab;
  const actions = page.locator(".tile", { hasText: "Actions" }).locator(".tile-value");
  const whole = Number((await actions.innerText()).replace(",", ""));
  await button(page, "60×").click();
  await button(page, "Play").click();
  await page.waitForURL("**/*at=*");
  await expect.poll(() => timeOf(page)).toBeGreaterThan(60);
  await button(page, "Stop playing").click();
  expect(await button(page, "Play").evaluate((each) => each === document.activeElement)).toBe(true);
  await expect
    .poll(async () => Number((await actions.innerText()).replace(",", "")))
    .toBeLessThan(whole);
  // What came later begins at the moment. The charts follow the time one frame later.
  await expect
    .poll(async () => {
      const later = await page.locator(".chart-later").first().boundingBox();
      const chart = await page.locator(".chart-plot").first().boundingBox();
      const share = ((later?.x ?? 0) - (chart?.x ?? 0)) / (chart?.width ?? 1);
      return Math.abs(share - (await timeOf(page)) / 300);
    })
    .toBeLessThan(0.05);
  const label = await page.locator(".chart-canvas").first().getAttribute("aria-label");
  expect(label).toContain("0:00 to 5:00");
  await closedWell(tab);
});

it("has one cursor and one range for all charts, and opens the moment of a click", async () => {
  const tab = await opened();
  const { page } = tab;
  const box = await page.locator(".chart-plot").first().boundingBox();
  if (box === null) throw new Error("the chart has no place");
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await expect
    .poll(async () => new Set((await times(page)).map((text) => text.slice(0, 6))).size)
    .toBe(1);
  expect((await times(page))[0]).toMatch(/^at 2:(2[89]|3[01])/);
  await page.mouse.down();
  await page.mouse.move(x + box.width / 4, y, { steps: 4 });
  await page.mouse.up();
  const reset = page.getByRole("button", { name: "Reset zoom" });
  const charts = await page.locator(".chart-canvas:visible").count();
  await expect.poll(() => reset.count()).toBe(charts);
  expect(new URL(page.url()).hash).not.toContain("at=");
  await reset.first().press("Enter");
  await expect.poll(() => reset.count()).toBe(0);
  const canvas = page.locator(".chart-canvas").first();
  expect(await canvas.evaluate((each) => each === document.activeElement)).toBe(true);
  await canvas.press("Home");
  await canvas.press("+");
  await expect.poll(() => reset.count()).toBe(charts);
  await canvas.press("Escape");
  await expect.poll(() => reset.count()).toBe(0);
  await page.mouse.click(x, y);
  await page.waitForURL("**/*at=*");
  await expect.poll(() => timeOf(page)).toBeGreaterThan(147);
  expect(await timeOf(page)).toBeLessThan(153);
  await closedWell(tab);
});

/** Drags over a part of the first chart, given as shares of its width. */
const drag = async (page: Page, from: number, to: number): Promise<void> => {
  const box = await page.locator(".chart-plot").first().boundingBox();
  if (box === null) throw new Error("the chart has no place");
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + box.width * from, y);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * to, y, { steps: 4 });
  await page.mouse.up();
};

const periodOf = (page: Page) => page.getByRole("group", { name: "Period" });
const WHOLE = "Period: the whole run";

it("shows the period in every view and after a reload, until it is reset", async () => {
  const tab = await opened();
  const { page } = tab;
  const period = periodOf(page).getByRole("status");
  expect(await period.innerText()).toBe(WHOLE);
  await drag(page, 0.4, 0.5);
  await page.waitForURL(/\?from=.*&to=/);
  const chosen = await period.innerText();
  expect(chosen).toMatch(/^Period (1:5\d|2:0\d)\.\d to 2:(2|3)\d\.\d$/);
  const changes = page.getByRole("table", { name: "The largest changes of wealth" });
  await changes.getByRole("row").nth(1).waitFor();
  const mark = page.getByRole("list", { name: "Large changes" }).first().getByRole("link").first();
  await expect.poll(() => mark.getAttribute("href")).toMatch(/from=.*&to=/);
  const reset = page.getByRole("button", { name: "Reset zoom" });
  for (const name of ["Agents", "Artifacts", "Trade", "Books", "Moments", "Messages", "Reviews"]) {
    await page.getByRole("navigation").getByRole("link", { name }).click();
    await page.waitForURL(/\?from=.*&to=/);
    expect(await period.innerText()).toBe(chosen);
  }
  await page.mouse.move(0, 0);
  await page.goto(page.url().replace(/reviews/, "agents/ada"));
  await page.reload();
  await reset.first().waitFor();
  // Without a cursor, the legends have the values at the end of the period.
  await expect.poll(async () => (await times(page))[0]).toMatch(/^at 2:[23]/);
  expect(await period.innerText()).toBe(chosen);
  const band = await page.locator(".track-range").boundingBox();
  const track = await page.locator(".mark-track").boundingBox();
  expect((band?.x ?? 0) / (track?.width ?? 1)).toBeCloseTo(0.42, 1);
  expect(await reset.count()).toBe(await page.locator(".chart-canvas:visible").count());
  const whole = button(page, "Whole run");
  await whole.press("Enter");
  await expect.poll(() => period.innerText()).toBe(WHOLE);
  expect(await whole.evaluate((each) => each === document.activeElement)).toBe(true);
  await expect.poll(() => reset.count()).toBe(0);
  expect(page.url()).not.toContain("from=");
  await closedWell(tab);
});

it("takes a typed period, and says why it cannot", async () => {
  const tab = await opened();
  const { page } = tab;
  const field = page.getByLabel("Go to a moment or period");
  await field.fill("2:00 – 2:30");
  await field.press("Enter");
  const period = periodOf(page).getByRole("status");
  await expect.poll(() => period.innerText()).toBe("Period 2:00.0 to 2:30.0");
  expect(page.url()).toContain("from=2%3A00&to=2%3A30");
  expect(await field.inputValue()).toBe("");
  for (const [typed, problem] of [
    ["2:30-2:00", "2:30-2:00: a period ends at least 0.2 s after its start"],
    ["6:00-7:00", "6:00-7:00: this run covers 0:00.0 to 5:00.0"],
    ["2:00-", "“2:00-” is not a period; write two times such as 2:00-2:30 or 120s-150s"],
  ] as const) {
    await field.fill(typed);
    await field.press("Enter");
    await expect.poll(() => page.getByRole("alert").allInnerTexts()).toEqual([problem]);
  }
  expect(await period.innerText()).toBe("Period 2:00.0 to 2:30.0");
  await field.fill("4:00-9:59");
  await field.press("Enter");
  await expect.poll(() => period.innerText()).toBe("Period 4:00.0 to 5:00.0");
  await closedWell(tab);
});

it("resets the period by a double-click, which chooses no moment, and by Escape", async () => {
  const tab = await opened();
  const { page } = tab;
  const period = periodOf(page).getByRole("status");
  await drag(page, 0.2, 0.6);
  await expect.poll(() => period.innerText()).not.toBe(WHOLE);
  const field = page.getByLabel("Go to a moment");
  await field.fill("1m");
  await field.press("Enter");
  await expect.poll(() => timeOf(page)).toBe(60);
  const { hash } = new URL(page.url());
  const answered = page.waitForResponse(/\/moment\?at=/);
  await page.locator(".chart-plot").first().dblclick();
  await expect.poll(() => period.innerText()).toBe(WHOLE);
  await answered;
  await expect.poll(() => new URL(page.url()).hash).toBe(hash.replace(/&.*/, ""));
  expect(await timeOf(page)).toBe(60);
  await drag(page, 0.2, 0.6);
  await expect.poll(() => period.innerText()).not.toBe(WHOLE);
  await page.getByRole("slider", { name: "Moment of the run" }).press("Escape");
  await expect.poll(() => period.innerText()).toBe(WHOLE);
  await closedWell(tab);
});

it("says what caused the largest changes, and opens their moments", async () => {
  const tab = await opened();
  const { page } = tab;
  const prices = page.locator(".chart", { hasText: "Prices of services" });
  const jumps = prices.getByRole("list", { name: "Large changes" });
  const first = jumps.getByRole("listitem").first();
  expect(await first.innerText()).toMatch(/^\d+:\d\d\.\d .* called .* scrip to /);
  expect(await jumps.getByRole("listitem").count()).toBeLessThanOrEqual(5);
  const time = await first.getByRole("link").innerText();
  await first.getByRole("link").press("Enter");
  await expect.poll(() => timeOf(page)).toBe(secondsIn(time));
  await closedWell(tab);
});

it("saves charts as pictures and as tables, by keyboard", async () => {
  const tab = await opened({ acceptDownloads: true });
  const { page } = tab;
  const saved = async (type: string, of = ""): Promise<Buffer> => {
    const chart = page.locator(".chart", { hasText: of }).first();
    const menu = chart.locator(".save summary");
    await menu.press("Enter");
    const coming = page.waitForEvent("download");
    await page.locator(".save[open]").getByRole("button", { name: type }).press("Enter");
    expect(await menu.evaluate((each) => each === document.activeElement)).toBe(true);
    return readFileSync(await (await coming).path());
  };
  const svg = (await saved("SVG")).toString();
  expect(svg).toMatch(/^<svg xmlns/);
  const legend = await page.locator(".legend-entry bdi").first().innerText();
  expect(svg).toContain(`>${legend}</text>`);
  expect((await saved("PNG")).subarray(1, 4).toString()).toBe("PNG");
  const rows = (await saved("CSV")).toString().trim().split("\r\n");
  expect(rows[0]).toMatch(/^run_time_s,/);
  expect(rows.at(-1)).toMatch(/^300,/);
  expect((await saved("CSV", "Richest agents")).toString()).toMatch(/^name,wealth\r\n/);
  expect((await saved("PNG", "Lorenz curve")).subarray(1, 4).toString()).toBe("PNG");
  await page.getByRole("link", { name: "Trade" }).click();
  expect((await saved("SVG", "Trade network")).toString()).toMatch(/^<svg xmlns/);
  await closedWell(tab);
});
