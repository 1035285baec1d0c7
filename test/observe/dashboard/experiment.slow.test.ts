import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { browserOfTests, closedWell } from "../../support/browser.ts";
import { dashboardOf } from "../../support/dashboard.ts";
import { emptyFolder, jsonOf, sim } from "../../support/sim.ts";

const browser = browserOfTests();

const FILE = `name: riches
question: Do agents trade more if they begin with more?
base: { duration: 20s }
seeds: 1..3
keep: journals
arms:
  poor: {}
  rich: { set: { scrip.starting_amount: 500 } }
measures: [gini, trades]
`;

it("compares the arms of an experiment, and links to its runs", async () => {
  const cwd = emptyFolder();
  writeFileSync(join(cwd, "riches.yaml"), FILE);
  const { measures, runs } = jsonOf(cwd, "experiment", "riches.yaml");
  const dashboard = await dashboardOf(join(cwd, "results/riches/runs"));
  const { page, errors } = await browser.open(dashboard.addressOf(null));
  await page.getByRole("link", { name: "riches" }).click();
  await page.getByText("Do agents trade more if they begin with more?").waitFor();
  await page.getByLabel("measure").selectOption("trades");
  await expect.poll(() => page.url()).toMatch(/#\/experiment\/trades$/);
  const rowOf = (table: string, row: string | RegExp) =>
    page.getByRole("table", { name: table, exact: true }).getByRole("row", { name: row });
  const { n, mean } = measures.trades.arms.rich;
  const shown = new Intl.NumberFormat("en", { maximumFractionDigits: 2 });
  const cells = rowOf("Arms", "rich").getByRole("cell");
  expect((await cells.allInnerTexts()).slice(1, 3)).toEqual([String(n), shown.format(mean)]);
  const difference = rowOf("Differences from the control", "rich − poor").getByRole("cell");
  expect((await difference.allInnerTexts())[1]).toBe("3");
  const run = runs.find(({ id }: { id: string }) => id === "rich-s2");
  const link = rowOf("Runs", /^2 /).getByRole("link").nth(1);
  expect((await link.innerText()).trim()).toBe(shown.format(run.figures.trades));
  await link.click();
  await expect.poll(() => page.locator(".run-name").innerText()).toBe("rich-s2");
  await closedWell({ page, errors });
});

it("knows no experiment in a folder of other runs", async () => {
  const cwd = emptyFolder();
  expect(sim(cwd, "run", "--duration", "5", "--clock", "virtual", "--name", "a").code).toBe(0);
  const dashboard = await dashboardOf(join(cwd, "runs"));
  const tab = await browser.open(dashboard.addressOf(null));
  await tab.page.getByRole("link", { name: "a", exact: true }).waitFor();
  expect(await tab.page.getByText("belong to the experiment").count()).toBe(0);
  await closedWell(tab);
});
