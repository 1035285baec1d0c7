import { dirname } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { violationsOn } from "../../support/axe.ts";
import { browserOfTests, closedWell } from "../../support/browser.ts";
import { dashboardOf } from "../../support/dashboard.ts";
import { liveSeats, tokenOf } from "../../support/seats.ts";
import { makeShownRuns, openShown } from "../../support/shown-pages.ts";

const browser = browserOfTests();

beforeAll(makeShownRuns);

it.each([
  ["events", ".event-line:not(.event-heads, .is-coming)", ".event-fields"],
  ["overview", ".save summary", ".save-files button"],
  ["agent", "button:text('Follow the money')", ".trail li"],
  ["runs", "tbody input", "tbody input:checked"],
])("axe finds nothing in what a click on %s opens", async (name, click, shows) => {
  const tab = await openShown(browser, name, { bypassCSP: true });
  await tab.page.locator(click).first().click();
  await tab.page.locator(shows).first().waitFor();
  expect(await violationsOn(tab.page)).toEqual([]);
  await closedWell(tab);
});

it("axe finds nothing on the page of a seat", async () => {
  const { folder: seats, launch } = await liveSeats();
  const dashboard = await dashboardOf(dirname(seats));
  const seat = { agent: "ada", token: tokenOf(seats, "ada") };
  const address = dashboard.seatAddressOf(launch.directory.runId, seat);
  const tab = await browser.open(address, { bypassCSP: true });
  // If the shop is missing, the message has what the page says instead.
  await expect.poll(() => tab.page.locator("#page").innerText()).toContain("shop_doubler");
  await tab.page.getByLabel("Arguments of shop_doubler").waitFor();
  expect(await violationsOn(tab.page)).toEqual([]);
  await closedWell(tab);
});
