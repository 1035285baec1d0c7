import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { browserOfTests, closedWell, type Tab } from "../../support/browser.ts";
import { makeShownRuns, openShown } from "../../support/shown-pages.ts";

const browser = browserOfTests();

beforeAll(makeShownRuns);

const opened = (wanted: string): Promise<Tab> => openShown(browser, wanted);

/** The name or the text of the element with the focus. Null if no element has it. */
const focused = (page: Page): Promise<string | null> =>
  page.evaluate(`document.activeElement === document.body ? null
    : document.activeElement.getAttribute("aria-label") ?? document.activeElement.innerText`);

it("the Tab key reaches the content first by a link that skips the rest", async () => {
  const tab = await opened("agents");
  await tab.page.keyboard.press("Tab");
  expect(await focused(tab.page)).toBe("Skip to content");
  await tab.page.keyboard.press("Enter");
  expect(await tab.page.evaluate("document.activeElement.id")).toBe("content");
  await closedWell(tab);
});

describe("the focus stays", () => {
  it("near a link to another view, and near a button that goes away", async () => {
    const tab = await opened("agents");
    const { page } = tab;
    await page.getByRole("link", { name: "boole", exact: true }).press("Enter");
    await page.getByRole("button", { name: "Follow the money" }).press("Enter");
    await page.locator(".trail li").first().waitFor();
    expect(await focused(page)).toBe("Where its scrip comes from");
    await page.getByRole("button", { name: "Show more" }).first().press("Enter");
    expect(await focused(page)).not.toBeNull();
    await closedWell(tab);
  });

  it("in the table of a run that a filter hides", async () => {
    const tab = await opened("runs");
    const { page } = tab;
    await page.getByRole("link", { name: "reviewed" }).focus();
    await page.getByLabel("Find runs").evaluate((field) => {
      Object.assign(field, { value: "town" });
      field.dispatchEvent(new Event("input", { bubbles: true }));
    });
    await expect.poll(() => page.locator("tbody tr").count()).toBe(1);
    expect(await focused(page)).not.toBeNull();
    await closedWell(tab);
  });

  it("in a comparison after a run is taken out", async () => {
    const tab = await opened("compare");
    await tab.page.getByRole("button", { name: "Remove other" }).press("Enter");
    await expect.poll(() => tab.page.getByRole("button", { name: "Remove other" }).count()).toBe(0);
    expect(await focused(tab.page)).toBe("Compare");
    await closedWell(tab);
  });
});

describe("arrow keys", () => {
  it("lead along the timeline of moments, and to other agents", async () => {
    const tab = await opened("moments");
    const { page } = tab;
    const timeline = page.getByRole("slider", { name: /^Moments of \d+ agents/ });
    const chosen = () => timeline.getAttribute("aria-valuetext");
    const first = await chosen();
    expect(first).toMatch(/^boole at /);
    await timeline.press("ArrowRight");
    await expect.poll(chosen).not.toBe(first);
    expect(await chosen()).toMatch(/^boole at /);
    await timeline.press("ArrowUp");
    await expect.poll(chosen).toMatch(/^ada at /);
    await timeline.press("Home");
    await expect.poll(chosen).toMatch(/^ada at 0:0\d/);
    expect(await focused(page)).toMatch(/^Moments of/);
    await closedWell(tab);
  });

  it("lead through the payments of a principal in the matrix", async () => {
    const tab = await opened("network");
    const { page } = tab;
    const head = page.locator('.matrix-head[data-id="boole"]');
    const summary = page.locator(".matrix-summary");
    await head.focus();
    expect(await summary.innerText()).toMatch(/^boole received/);
    await head.press("ArrowRight");
    expect(await summary.innerText()).toMatch(/^boole paid \w+ [\d.]+ scrip in/);
    expect(await page.locator(".matrix-here").getAttribute("visibility")).toBe("visible");
    await head.press("ArrowDown");
    expect(await summary.innerText()).toMatch(/^\w+ paid boole [\d.]+ scrip in/);
    await head.press("Enter");
    await expect.poll(() => page.url()).toContain("/agents/boole");
    expect(await focused(page)).not.toBeNull();
    await closedWell(tab);
  });
});

it("keeps the focus on a principal of the network while its figures change", async () => {
  const tab = await opened("network");
  const { page } = tab;
  const node = page.locator('.matrix-head[data-id="boole"]');
  await node.focus();
  await page.evaluate('location.hash = location.hash + "?at=1000"');
  await expect.poll(() => page.locator(".moment-seq").innerText()).toBe("event 1,000");
  await page.getByText("density", { exact: true }).waitFor();
  await expect.poll(() => focused(page)).toMatch(/^boole: received/);
  await closedWell(tab);
});
