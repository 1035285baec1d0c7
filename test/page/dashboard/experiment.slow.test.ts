import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { browserOfTests, closedWell } from "../../support/browser.ts";
import { dashboardOf, keptDashboardOf } from "../../support/dashboard.ts";
import { RICHES, type RichesResult, richesExperiment } from "../../support/shared-runs.ts";
import { emptyFolder, jsonOf, sim, startSim } from "../../support/sim.ts";

const browser = browserOfTests();
let shared: string;
let result: RichesResult;

beforeAll(() => {
  ({ folder: shared, result } = richesExperiment());
});

it("compares the arms of an experiment, and links to its runs", async () => {
  const { measures, runs } = result;
  const dashboard = await keptDashboardOf(join(shared, "results/riches/runs"));
  const { page, errors } = await browser.open(dashboard.addressOf(null));
  await page.getByRole("link", { name: "riches" }).click();
  await page.getByText("Do agents trade more if they begin with more?").waitFor();
  await page.getByLabel("measure").selectOption("trades");
  await expect.poll(() => page.url()).toMatch(/#\/experiment\/trades$/);
  const rowOf = (table: string, row: string | RegExp) =>
    page.getByRole("table", { name: table, exact: true }).getByRole("row", { name: row });
  const { n, mean } = measures.trades?.arms.rich ?? { n: 0, mean: 0 };
  const shown = new Intl.NumberFormat("en", { maximumFractionDigits: 2 });
  const cells = rowOf("Arms", "rich").getByRole("cell");
  expect((await cells.allInnerTexts()).slice(1, 3)).toEqual([String(n), shown.format(mean)]);
  const difference = rowOf("Differences from the control", "rich − poor").getByRole("cell");
  expect((await difference.allInnerTexts())[1]).toBe("3");
  const run = runs.find(({ id }) => id === "rich-s2");
  const link = rowOf("Runs", /^2 /).getByRole("link").nth(1);
  expect((await link.innerText()).trim()).toBe(shown.format(run?.figures.trades ?? 0));
  await link.click();
  await expect.poll(() => page.locator(".run-name").innerText()).toBe("rich-s2");
  await page.getByRole("link", { name: "riches", exact: true }).click();
  await page.getByRole("heading", { name: "Experiment riches" }).waitFor();
  await closedWell({ page, errors });
});

it("leads from a run that is given by its path to its experiment", async () => {
  const shown = startSim(shared, "dashboard", "results/riches/runs/poor-s1", "--no-open");
  await shown.until(/dashboard at http:\S+\n/);
  const [address = ""] = /http:\S+/.exec(shown.outputSoFar().out) ?? [];
  const tab = await browser.open(address);
  await expect.poll(() => tab.page.locator(".run-name").innerText()).toBe("poor-s1");
  await tab.page.getByRole("link", { name: "riches", exact: true }).click();
  await tab.page.getByRole("heading", { name: "Experiment riches" }).waitFor();
  await closedWell(tab);
  shown.kill("SIGINT");
  expect(await shown.ended).toMatchObject({ code: 130 });
});

it("opens a run from its dot, and compares runs by what is kept of them", async () => {
  const { runs } = result;
  const dashboard = await keptDashboardOf(join(shared, "results/riches/runs"));
  const { page, errors } = await browser.open(dashboard.experimentAddress());
  const plot = page.getByRole("group", { name: "Values of gini", exact: true });
  await expect.poll(() => plot.getByRole("link").count()).toBe(6);
  await page.getByRole("group", { name: "Differences of gini", exact: true }).waitFor();
  expect(await page.getByText("Interim").count()).toBe(0);
  await page.getByText("rich: scrip.starting_amount = 500").waitFor();
  // The sentence of the command, and the runs at both ends.
  await page.getByText(/^gini is on average .* in rich than in poor/).waitFor();
  const ginis = runs.map(({ figures }) => figures.gini);
  const highest = runs[ginis.indexOf(Math.max(...ginis))]?.id;
  await page.getByText(`Highest: ${highest} with`).waitFor();
  await page.getByRole("checkbox", { name: "Compare poor-s1" }).check();
  await page.getByRole("checkbox", { name: "Compare rich-s1" }).check();
  await expect.poll(() => page.url()).toContain("runs=poor-s1%2Crich-s1");
  // A run that is named twice is compared once.
  const address = page.url();
  const twice = address.replace("runs=poor-s1%2C", "runs=poor-s1%2Cpoor-s1%2C");
  await page.evaluate((url) => location.assign(url), twice);
  await page.getByText("2 runs compared below.").waitFor();
  const heads = page.getByRole("table", { name: "Compared runs" }).getByRole("columnheader");
  expect(await heads.allInnerTexts()).toHaveLength(4);
  await page.evaluate((url) => location.assign(url), address);
  const [one, other] = ["poor-s1", "rich-s1"].map((id) => runs.find((run) => run.id === id));
  const compared = page.getByRole("table", { name: "Compared runs" });
  const cells = compared.getByRole("row", { name: /^trades/ }).getByRole("cell");
  expect((await cells.allInnerTexts()).slice(1, 3)).toEqual(
    [one, other].map((run) => String(run?.figures.trades)),
  );
  await page.getByRole("link", { name: "Compare settings, wealth and events too" }).waitFor();
  await plot.getByRole("link", { name: /^rich-s2: gini / }).press("Enter");
  await expect.poll(() => page.locator(".run-name").innerText()).toBe("rich-s2");
  await closedWell({ page, errors });
});

it("says of each run without a journal how to keep it", async () => {
  const cwd = emptyFolder();
  writeFileSync(
    join(cwd, "riches.yaml"),
    RICHES.replace("keep: journals\n", "").replace("1..3", "1..2"),
  );
  const { runs }: RichesResult = jsonOf(cwd, "experiment", "riches.yaml", "--jobs", "1");
  const dashboard = await dashboardOf(join(cwd, "results/riches/runs"));
  const tab = await browser.open(dashboard.experimentAddress());
  const plot = tab.page.getByRole("group", { name: "Values of gini", exact: true });
  await plot.waitFor();
  expect(await plot.getByRole("link").count()).toBe(0);
  const said = await plot
    .locator("title", { hasText: "makes the run again" })
    .first()
    .textContent();
  expect(said).toContain("`keep: journals` in the experiment file keeps them");
  const { command = "" } = runs.find(({ id }) => id === said?.split(":")[0]) ?? {};
  expect(said).toContain(command);
  // The command keeps the run, and the page then opens it.
  expect(sim(cwd, ...command.split(" ").slice(1)).code).toBe(0);
  await expect.poll(() => plot.getByRole("link").count(), { timeout: 20_000 }).toBe(1);
  await closedWell(tab);
});

it("shows an experiment while its runs are made, and after an interruption", async () => {
  const cwd = emptyFolder();
  writeFileSync(join(cwd, "riches.yaml"), RICHES.replace("5s", "20s").replace("1..3", "1..40"));
  const command = ["experiment", "riches.yaml", "--jobs", "1"];
  const running = startSim(cwd, ...command);
  await running.until(/^\d+ of 80 runs/m);
  const dashboard = await dashboardOf(join(cwd, "results/riches/runs"));
  const { page, errors } = await browser.open(dashboard.experimentAddress());
  const interim = page.getByRole("note");
  await expect.poll(() => interim.innerText()).toMatch(/^Interim: \d+ of 80 runs \(poor \d+ of 40/);
  expect(await interim.innerText()).toContain("Draw no conclusion from it");
  const progress = page.getByRole("region", { name: "Progress" }).getByRole("status");
  const whileOneRuns = /^running \d+ of 80 runs done, 0 failed, 1 running,/;
  await expect.poll(() => progress.innerText()).toMatch(whileOneRuns);
  expect(await progress.innerText()).toMatch(/; about \d.* left$/);
  await page.getByText("Gini of the agents' wealth").waitFor();
  // The page follows by itself.
  const before = await interim.innerText();
  await expect.poll(() => interim.innerText(), { timeout: 60_000 }).not.toBe(before);
  running.kill("SIGINT");
  const { err } = await running.ended;
  const done = /^interrupted: (\d+) of 80 runs done; .*: sim experiment riches\.yaml$/m.exec(
    err,
  )?.[1];
  await expect
    .poll(() => progress.innerText(), { timeout: 20_000 })
    .toMatch(new RegExp(`^interrupted ${done} of 80 runs done`));
  await page.getByText("To continue: sim experiment riches.yaml").waitFor();
  expect(await interim.innerText()).toContain(`Interim: ${done} of 80 runs`);
  await closedWell({ page, errors });
});

it("says why runs failed, once for each reason", async () => {
  const cwd = emptyFolder();
  const failing = RICHES.replace("5s", "1s").replace(
    "[gini, trades]",
    "[gini, { name: odd, file: ./odd.ts }]",
  );
  writeFileSync(join(cwd, "riches.yaml"), failing.replace("keep: journals\n", ""));
  const odd = 'export default ({ seed }) => { if (seed > 1) throw new Error("odd"); return 1; };';
  writeFileSync(join(cwd, "odd.ts"), odd);
  expect(sim(cwd, "experiment", "riches.yaml", "--jobs", "1").code).toBe(1);
  const dashboard = await dashboardOf(join(cwd, "results/riches/runs"));
  const tab = await browser.open(dashboard.experimentAddress());
  const reason = /^measure odd: odd\.ts:1:\d+: odd$/;
  const rows = tab.page.getByRole("table", { name: "Failed runs" }).getByRole("row");
  await expect.poll(() => rows.count()).toBe(2);
  const cells = await rows.nth(1).getByRole("cell").allInnerTexts();
  expect(cells).toEqual([expect.stringMatching(reason), "4", "poor-s2, rich-s2, poor-s3, rich-s3"]);
  const cell = tab.page.getByRole("table", { name: "Runs", exact: true }).getByText("failed");
  expect(await cell.first().getAttribute("title")).toMatch(reason);
  await tab.page.getByText(/^Warning: each of poor, rich: 2 of 3 runs failed/).waitFor();
  await closedWell(tab);
});
