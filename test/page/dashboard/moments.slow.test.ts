import { basename } from "node:path";
import { expect, it } from "vitest";
import { browserOfTests, closedWell, type Tab } from "../../support/browser.ts";
import { keptDashboardOf } from "../../support/dashboard.ts";
import { SHARED_RUNS, shortRun } from "../../support/shared-runs.ts";
import { button } from "../../support/watched-run.ts";

const browser = browserOfTests();

const lines = ({ page }: Tab) =>
  page.locator(".moment-lines .event-line:not(.event-heads, .is-coming)");
const count = ({ page }: Tab) => page.locator(".tools [role=status]");
const chosen = ({ page }: Tab) => page.getByRole("region", { name: "Selected moment" });

it("a person follows an artifact from a moment to what led to it", async () => {
  const { folder } = await shortRun();
  const dashboard = await keptDashboardOf(SHARED_RUNS);
  const tab = await browser.open(`${dashboard.addressOf(basename(folder))}/moments`);
  const { page } = tab;
  await lines(tab).first().waitFor();
  await expect.poll(() => page.locator(".lives-marks").count()).toBeGreaterThan(8);
  await page.getByLabel("Agent", { exact: true }).fill("emmy");
  await page.getByLabel("Verb").selectOption("Building");
  await expect.poll(() => count(tab).innerText()).toMatch(/^\d moments?$/);
  const matching = await count(tab).innerText();
  await lines(tab).first().click();
  await chosen(tab).waitFor();
  expect(page.url()).toMatch(/\/moments\/\d+\?agent=emmy&verb=Building$/);
  await page.reload();
  await expect.poll(() => count(tab).innerText()).toBe(matching);
  expect(await page.getByLabel("Agent", { exact: true }).inputValue()).toBe("emmy");
  await expect.poll(() => page.getByLabel("Verb").inputValue()).toBe("Building");
  await page.locator(".lives-chosen").waitFor();
  expect(await chosen(tab).getByLabel("What happened").innerText()).toMatch(/^Thought: .*\nCall: /);
  await button(tab, "What led to it").first().click();
  await expect.poll(() => page.getByLabel("Artifact").inputValue()).toMatch(/^emmy_/);
  await expect.poll(() => lines(tab).filter({ hasText: "boole" }).count()).toBeGreaterThan(0);
  await page.getByLabel("Artifact").fill("");
  await page.getByLabel("Search by meaning").fill("who owes what?");
  await expect.poll(() => lines(tab).first().innerText()).toContain("who owes what");
  await page.getByLabel("Search by meaning").fill("");
  const before = await count(tab).innerText();
  await expect.poll(() => page.url()).not.toContain("search=");
  await page.goto(`${page.url()}${page.url().includes("?") ? "&" : "?"}at=10s`);
  await expect.poll(() => count(tab).innerText()).not.toBe(before);
  await page.getByText("the selected moment is later than the time shown").waitFor();
  await closedWell(tab);
});
