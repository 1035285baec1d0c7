import { basename } from "node:path";
import type { Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import { eventSentence } from "../../../src/figures/index.ts";
import { exactTimeText } from "../../../src/text/wording.ts";
import type { JournalRow } from "../../../src/world/index.ts";
import { browserOfTests, closedWell } from "../../support/browser.ts";
import { keptDashboardOf } from "../../support/dashboard.ts";
import { SHARED_RUNS, shortRun } from "../../support/shared-runs.ts";
import { type FinishedRun, withJournal } from "../../support/simulation-run.ts";

const browser = browserOfTests();
const out = SHARED_RUNS;
let run: FinishedRun;
let rows: readonly JournalRow[];

beforeAll(async () => {
  run = await shortRun();
  rows = await withJournal(run.folder, (journal) => [...journal.events()]);
});

const onEvents = async (query: string, test: (page: Page) => Promise<void>, width = 1280) => {
  const dashboard = await keptDashboardOf(out);
  const address = `${dashboard.addressOf(basename(run.folder))}/events${query}`;
  const tab = await browser.open(address, { viewport: { width, height: 900 } });
  await lines(tab.page).first().waitFor();
  await test(tab.page);
  await closedWell(tab);
};

const lines = (page: Page) => page.locator(".event-line:not(.event-heads):not(.is-coming)");
const strip = (page: Page) => page.getByRole("slider", { name: "Events over run time" });
const grid = (page: Page) => page.getByRole("grid", { name: "Events" });
const topLine = async (page: Page): Promise<string> => await lines(page).first().innerText();

it("says every event of a run in a sentence", () => {
  const said = rows.map(eventSentence);
  expect(said.filter((text) => /undefined|\[object|NaN|^\W|: $/.test(text))).toEqual([]);
  expect(new Set(rows.map(({ kind }) => kind)).size).toBeGreaterThan(15);
});

it("shows the newest event first, with its exact time", () =>
  onEvents("", async (page) => {
    const last = rows.at(-1);
    await page.getByLabel("Order").selectOption("newest");
    await page.waitForURL("**order=newest*");
    const time = exactTimeText(last?.atMs ?? 0);
    await expect.poll(() => topLine(page)).toMatch(new RegExp(`^${last?.seq}\\s+${time}\\s`));
    const heads = await page.getByRole("columnheader").allInnerTexts();
    expect(heads).toEqual(["event", "time", "kind", "what happened"]);
    await grid(page).press("ArrowDown");
    await grid(page).press("ArrowDown");
    const says = await page.locator(".picked-says").innerText();
    expect(rows.slice(-2, -1).map(eventSentence)).toEqual([says]);
  }));

it("says how many events the filters hide, and clears them with the focus kept", () =>
  onEvents("?kind=task_posted", async (page) => {
    const shown = rows.filter(({ kind }) => kind === "task_posted").length;
    const hidden = (rows.length - shown).toLocaleString("en");
    const all = rows.length.toLocaleString("en");
    await page.getByText(`${hidden} of ${all} events hidden by filters.`).waitFor();
    await page.getByRole("button", { name: "Clear filters" }).press("Enter");
    await page.getByText("The filters hide no events.").waitFor();
    expect(await page.evaluate("document.activeElement?.textContent")).toBe("Clear filters");
    const status = page.locator('.tools [role="status"]');
    await expect.poll(() => status.innerText()).toBe(`${all} events`);
  }));

it("shows the events of a period, which the fields and the address have", () =>
  onEvents("?from=0:20&to=30s", async (page) => {
    const own = rows.filter(({ atMs }) => atMs >= 20_000 && atMs <= 30_000);
    const hidden = (rows.length - own.length).toLocaleString("en");
    const all = rows.length.toLocaleString("en");
    const said = `${hidden} of ${all} events hidden by filters and the period.`;
    await page.getByText(said).waitFor();
    await expect.poll(() => topLine(page)).toMatch(new RegExp(`^${own[0]?.seq}\\s`));
    expect(await page.getByLabel("From").inputValue()).toBe("0:20");
    expect(await strip(page).getAttribute("aria-valuetext")).toMatch(/^0:20.000 to 0:20.083/);
    const period = page.getByRole("group", { name: "Period" });
    expect(await period.getByRole("status").innerText()).toBe("Period 0:20.0 to 0:30.0");
    await page.getByRole("searchbox", { name: "To", exact: true }).fill("0:25");
    await page.waitForURL("**to=0%3A25*");
    await expect.poll(() => period.getByRole("status").innerText()).toBe("Period 0:20.0 to 0:25.0");
    await period.getByRole("link", { name: "Moments" }).click();
    await page.getByRole("slider", { name: /^Moments of/ }).waitFor();
    expect(await page.getByLabel("From").inputValue()).toBe("0:20");
    expect(await page.locator(".lives .density-note").innerText()).toMatch(/0:20.0\s+0:25.0/);
    await period.getByRole("link", { name: "Events" }).click();
    await page.getByLabel("From").waitFor();
    await page.getByRole("button", { name: "Clear filters" }).click();
    await expect.poll(() => period.getByRole("status").innerText()).toBe("Period: the whole run");
  }));

it("goes to a slice of run time by keyboard and by click", () =>
  onEvents("?kind=action_completed", async (page) => {
    const done = rows.filter(({ kind }) => kind === "action_completed");
    await strip(page).press("Home");
    await expect.poll(() => topLine(page)).toMatch(new RegExp(`^${done[0]?.seq}\\s`));
    const box = await strip(page).boundingBox();
    await strip(page).click({ position: { x: (box?.width ?? 0) / 2 + 1, y: 5 } });
    const next = done.find(({ atMs }) => atMs >= (rows.at(-1)?.atMs ?? 0) / 2);
    await expect.poll(() => topLine(page)).toMatch(new RegExp(`^${next?.seq}\\s`));
    expect(await strip(page).getAttribute("aria-valuetext")).toContain("0:30.000 to");
  }));

it("shows the detail next to the list, and below the list on a phone", async () => {
  const placed = async (page: Page) => {
    await lines(page).last().click();
    const [list, detail] = [await grid(page).boundingBox(), page.locator(".picked")];
    const box = await detail.boundingBox();
    return { isBeside: (box?.x ?? 0) > (list?.x ?? 0), width: box?.width ?? 0 };
  };
  await onEvents("", async (page) => expect((await placed(page)).isBeside).toBe(true));
  await onEvents("", async (page) => expect((await placed(page)).isBeside).toBe(false), 390);
});

it("narrows the list from a row to its principal, and keeps the focus", () =>
  onEvents("?kind=artifact_invoked", async (page) => {
    await lines(page).last().click();
    const button = page.locator(".picked").getByRole("button", { name: /^Only (?!this)/ });
    const name = (await button.innerText()).replace("Only ", "").trim();
    await button.press("Enter");
    await page.waitForURL(`**/events?principal=${name}`);
    expect(await page.evaluate("document.activeElement?.textContent?.trim()")).toBe(`Only ${name}`);
  }));
