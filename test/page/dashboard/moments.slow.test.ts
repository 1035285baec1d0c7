import { join } from "node:path";
import { expect, it } from "vitest";
import { browserOfTests, closedWell, type Tab } from "../../support/browser.ts";
import { dashboardOf } from "../../support/dashboard.ts";
import { ACTIVE, HOSTILE_ID, hostileRun } from "../../support/hostile-run.ts";
import { simulate } from "../../support/simulation-run.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { button } from "../../support/watched-run.ts";

const browser = browserOfTests();

const lines = ({ page }: Tab) =>
  page.locator(".moment-lines .event-line:not(.event-heads, .is-coming)");
const count = ({ page }: Tab) => page.locator(".tools [role=status]");
const chosen = ({ page }: Tab) => page.getByRole("region", { name: "Selected moment" });

it("a person follows an artifact from a moment to what led to it", async () => {
  const out = join(temporaryFolder(), "runs");
  await simulate(out, { runId: "market", sets: ["run.duration_s=60"] });
  const tab = await browser.open(`${(await dashboardOf(out)).addressOf("market")}/moments`);
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

it("text of agents changes nothing else on the page", async () => {
  const out = temporaryFolder();
  await hostileRun(out);
  const tab = await browser.open(
    `${(await dashboardOf(join(out, "runs"))).addressOf("hostile")}/moments`,
  );
  const { page } = tab;
  await lines(tab).first().waitFor();
  await lines(tab).filter({ hasText: "gpj.exe" }).first().click();
  await chosen(tab).waitFor();
  await chosen(tab).getByRole("link", { name: HOSTILE_ID }).first().waitFor();
  const foreign = "document.querySelectorAll('#page img, #page script, #page style').length";
  expect(await page.evaluate(foreign)).toBe(0);
  expect(await page.evaluate(`${ACTIVE}.test(document.body.innerText)`)).toBe(false);
  expect(await page.title()).toBe("hostile · catallaxy");
  await closedWell(tab);
});
