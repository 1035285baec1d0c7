import { basename } from "node:path";
import { expect, it } from "vitest";
import { browserOfTests, closedWell } from "../../support/browser.ts";
import { dashboardOf } from "../../support/dashboard.ts";
import { simulate } from "../../support/simulation-run.ts";
import { folderWith, temporaryFolder } from "../../support/temporary-folder.ts";

const browser = browserOfTests();

/** Ids of agents that are also names of figures or of members of every object. */
const IDS = ["constructor", "gini", "hasOwnProperty", "refused", "toString"];

const personas = (ids: readonly string[]): string => {
  const files = ids.map((id) => [`${id}/agent.yaml`, `id: ${id}\nmind: policy/worker\n`] as const);
  return folderWith(Object.fromEntries(files));
};

/** Two runs of such agents. */
const oddRuns = async () => {
  const agents = personas(IDS);
  const out = temporaryFolder();
  const one = await simulate(out, { agents, sets: ["run.duration_s=2"] });
  const other = await simulate(out, { agents, sets: ["run.duration_s=2", "run.seed=2"] });
  return { out, one: basename(one.folder), other: basename(other.folder) };
};

it("agents with any name are compared, listed and shown", async () => {
  const { out, one, other } = await oddRuns();
  const start = (await dashboardOf(out)).addressOf(one);
  const tab = await browser.open(`${start}/compare/${other}`);
  const { page } = tab;
  const firsts = (table: string) => page.locator(`section[aria-label="${table}"] td:first-child`);
  await firsts("Wealth (scrip)").first().waitFor();
  expect(await firsts("Wealth (scrip)").allInnerTexts()).toEqual(IDS);
  expect(await firsts("Figures").allInnerTexts()).toContain("Gini of the agents' wealth (0 to 1)");
  await page.goto(`${start}/agents`);
  for (const id of IDS) {
    await page.getByRole("link", { name: id, exact: true }).click();
    await page.getByRole("heading", { name: id, exact: true }).waitFor();
    await page.goBack();
  }
  await closedWell(tab);
});

it("one agent is not called all agents", async () => {
  const out = temporaryFolder();
  const { folder } = await simulate(out, { agents: personas(["ada"]), sets: ["run.duration_s=2"] });
  const tab = await browser.open((await dashboardOf(out)).addressOf(basename(folder)));
  await tab.page.getByRole("heading", { name: "Wealth over time: 1 agent", exact: true }).waitFor();
  await closedWell(tab);
});
