import { basename } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { browserOfTests, closedWell, type Tab } from "../../support/browser.ts";
import { keptDashboardOf } from "../../support/dashboard.ts";
import { longRun, SHARED_RUNS } from "../../support/shared-runs.ts";
import { simulate } from "../../support/simulation-run.ts";
import { folderWith } from "../../support/temporary-folder.ts";

const browser = browserOfTests();
const out = SHARED_RUNS;
let run: string;

beforeAll(async () => {
  run = basename((await longRun()).folder);
});

/** The words of table cells that stand on more than one line. A word can end at a hyphen. */
const BROKEN_WORDS = `(() => {
  const broken = [];
  for (const cell of document.querySelectorAll("th, td")) {
    const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const node = texts.currentNode;
      for (const { index, 0: word } of node.data.matchAll(/[^\\s-]+/g)) {
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
        if (lines.size > 1) broken.push(word);
      }
    }
  }
  return broken;
})()`;

/** The heights of table rows in lines of text, in ascending order. */
const ROW_LINES = `[...document.querySelectorAll("tbody tr")]
  .map((row) => row.offsetHeight / parseFloat(getComputedStyle(row).fontSize) / 1.5)
  .sort((a, b) => a - b)`;

const HEIGHT = "document.documentElement.scrollHeight";

const linesIn = async ({ page }: Tab) => {
  const lines = await page.evaluate<readonly number[]>(ROW_LINES);
  return { rows: lines.length, median: lines[lines.length >> 1] ?? 0, most: lines.at(-1) ?? 0 };
};

const WIDTHS = [390, 1280, 1920];

const opened = async (view: string): Promise<Tab> => {
  const tab = await browser.open(`${(await keptDashboardOf(out)).addressOf(run)}/${view}`);
  await tab.page.locator("tbody tr").first().waitFor();
  return tab;
};

it("books are short, and their words are whole, on any screen", async () => {
  const mint = await opened("books");
  // Each solved task has a sentence.
  const tab = await opened("books/tasks");
  for (const width of WIDTHS) {
    await mint.page.setViewportSize({ width, height: 900 });
    expect((await linesIn(mint)).median).toBeLessThan(2);
    expect(await mint.page.evaluate(BROKEN_WORDS)).toEqual([]);
    await tab.page.setViewportSize({ width, height: 900 });
    const { rows, median, most } = await linesIn(tab);
    expect(rows).toBeGreaterThan(9);
    expect(median).toBeLessThan(3);
    expect(most).toBeLessThan(6);
    expect(await tab.page.evaluate(BROKEN_WORDS)).toEqual([]);
    expect(await tab.page.evaluate(HEIGHT)).toBeLessThan(width < 500 ? 6_000 : 4_500);
  }
  const solved = tab.page.getByRole("table", { name: "Solved tasks" });
  expect(await solved.locator("tbody tr").count()).toBe(10);
  await tab.page
    .locator('section[aria-label="Solved tasks"]')
    .getByRole("button", { name: /^Show all/ })
    .click();
  expect(await solved.locator("tbody tr").count()).toBeGreaterThan(10);
  await closedWell(mint);
  await closedWell(tab);
});

it("rows of agents, artifacts and trade are low, on any screen", async () => {
  for (const view of ["agents", "artifacts", "network"]) {
    const tab = await opened(view);
    for (const width of WIDTHS) {
      await tab.page.setViewportSize({ width, height: 900 });
      const { median, most } = await linesIn(tab);
      expect([view, width, median]).toEqual([view, width, expect.toSatisfy((n) => n < 3)]);
      expect(most).toBeLessThan(5);
      expect(await tab.page.evaluate(BROKEN_WORDS)).toEqual([]);
    }
    await closedWell(tab);
  }
});

it("the largest flows have room for long names, below the network", async () => {
  const address = `${(await keptDashboardOf(out)).addressOf(run)}/network`;
  const tab = await browser.open(address, { viewport: { width: 1280, height: 900 } });
  const flows = tab.page.getByRole("region", { name: "Largest flows" }).last();
  await flows.waitFor();
  expect((await flows.boundingBox())?.width).toBeGreaterThan(600);
  await closedWell(tab);
});

it("votes are counted, not listed", async () => {
  const address = `${(await keptDashboardOf(out)).addressOf(run)}/books/votes`;
  const tab = await browser.open(address);
  const votes = tab.page.getByRole("table", { name: "Votes" }).locator("tbody tr");
  await votes.first().waitFor();
  expect(await votes.first().locator("td").nth(2).innerText()).toMatch(/^lower \d+, reject \d+$/);
  await closedWell(tab);
});

it("a large trade network has all payments, also those of principals without a row", async () => {
  const agents = folderWith({
    "seller/agent.yaml":
      "id: seller\nmind: policy/producer\npolicy: { topics: [numbers] }\ncount: 10\n",
    "buyer/agent.yaml": "id: buyer\nmind: policy/explorer\ncount: 20\nstarting_scrip: 300\n",
  });
  const { folder } = await simulate(out, { agents, sets: ["run.duration_s=25"] });
  const address = `${(await keptDashboardOf(out)).addressOf(basename(folder))}/network`;
  const tab = await browser.open(address, { viewport: { width: 390, height: 844 } });
  await tab.page.getByText(/^The last row and column are 10 other principals/).waitFor();
  expect(await tab.page.locator(".matrix-head").count()).toBe(20);
  expect(await tab.page.locator(".matrix text", { hasText: "10 others" }).count()).toBe(2);
  await closedWell(tab);
});
