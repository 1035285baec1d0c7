import { join } from "node:path";
import { expect, it } from "vitest";
import { browserOfTests, closedWell, type Tab } from "../../support/browser.ts";
import { dashboardOf } from "../../support/dashboard.ts";
import { copyRecordedRun, damageRecordedRun } from "../../support/recorded-run.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const browser = browserOfTests();

const alertsOf = ({ page }: Tab) => page.getByRole("alert").allInnerTexts();

/** Opens a view of the runs in `folder`, and closes it after `test`. */
const onPage = async (folder: string, path: string, test: (tab: Tab) => Promise<void>) => {
  const { origin } = new URL((await dashboardOf(join(folder, "runs"))).addressOf(null));
  const tab = await browser.open(`${origin}/#/${path}`);
  await test(tab);
  await tab.page.context().close();
};

it("a damaged run is called damaged, not disconnected", async () => {
  const folder = temporaryFolder();
  damageRecordedRun(folder);
  for (const view of ["overview", "agents", "events"]) {
    await onPage(folder, `runs/kept/${view}`, async (tab) => {
      await expect
        .poll(() => alertsOf(tab))
        .toEqual([expect.stringMatching(/journal\.db is damaged: event 43 .* use a copy/)]);
      expect(await tab.page.locator(".badge").first().innerText()).toBe("stopped");
      expect(await tab.page.getByText("connection lost").count()).toBe(0);
    });
  }
});

it("an unknown run is named, with control characters escaped", async () => {
  const folder = temporaryFolder();
  copyRecordedRun(folder);
  await onPage(folder, "runs/kept%00", async (tab) => {
    await expect.poll(() => alertsOf(tab)).toEqual(["this run does not exist"]);
    expect(await tab.page.locator(".run-name").innerText()).toBe("kept\\u{0}");
    await tab.page.getByRole("link", { name: "All runs" }).click();
    await tab.page.getByRole("link", { name: "kept", exact: true }).click();
    await tab.page.locator(".tile").first().waitFor();
    expect(await alertsOf(tab)).toEqual([]);
    await closedWell({ ...tab, errors: tab.errors.filter((each) => !each.includes("404")) });
  });
});
