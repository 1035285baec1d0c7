import { dirname } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { violationsOn } from "../../support/axe.ts";
import { browserOfTests, closedWell } from "../../support/browser.ts";
import { dashboardOf } from "../../support/dashboard.ts";
import { liveSeats, tokenOf } from "../../support/seats.ts";
import { makeShownRuns, shownPages } from "../../support/shown-pages.ts";
import { sharedFolder } from "../../support/temporary-folder.ts";

const browser = browserOfTests();
const folder = sharedFolder();

beforeAll(() => makeShownRuns(folder));

describe.each(["light", "dark"] as const)("axe finds nothing in %s colours", (colorScheme) => {
  it("on any page", async () => {
    const found: string[] = [];
    for (const { name, address, shows } of await shownPages(folder)) {
      // The policy of a page lets no other script run, and so not axe.
      const tab = await browser.open(address, { colorScheme, bypassCSP: true });
      await tab.page.locator(shows).first().waitFor();
      found.push(...(await violationsOn(tab.page)).map((text) => `${name}: ${text}`));
      await closedWell(tab);
    }
    expect(found).toEqual([]);
  });

  it("in a chosen event, a dialog of choices and the money of an agent", async () => {
    const pages = await shownPages(folder);
    const addressOf = (wanted: string): string =>
      pages.find(({ name }) => name === wanted)?.address ?? "";
    const steps = [
      ["events", ".event-line:not(.event-heads, .is-coming)", ".event-fields"],
      ["overview", ".save summary", ".save-files button"],
      ["agent", "button:text('Follow the money')", ".trail li"],
      ["runs", "tbody input", "tbody input:checked"],
    ] as const;
    for (const [name, click, shows] of steps) {
      const tab = await browser.open(addressOf(name), { colorScheme, bypassCSP: true });
      await tab.page.locator(click).first().click();
      await tab.page.locator(shows).first().waitFor();
      expect([name, ...(await violationsOn(tab.page))]).toEqual([name]);
      await closedWell(tab);
    }
  });

  it("on the page of a seat", async () => {
    const { folder: seats, launch } = await liveSeats();
    const dashboard = await dashboardOf(dirname(seats));
    const seat = { agent: "ada", token: tokenOf(seats, "ada") };
    const address = dashboard.seatAddressOf(launch.directory.runId, seat);
    const tab = await browser.open(address, { colorScheme, bypassCSP: true });
    await tab.page.getByLabel("Arguments of shop_doubler").waitFor();
    expect(await violationsOn(tab.page)).toEqual([]);
    await closedWell(tab);
  });
});
