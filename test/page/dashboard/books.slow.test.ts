import { basename } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { measureRun } from "../../../src/figures/index.ts";
import type { Dashboard } from "../../../src/page/index.ts";
import { browserOfTests, closedWell } from "../../support/browser.ts";
import { keptDashboardOf } from "../../support/dashboard.ts";
import { longRun, SHARED_RUNS } from "../../support/shared-runs.ts";
import { withJournal } from "../../support/simulation-run.ts";

type Books = {
  readonly scores: readonly { readonly seq: number; readonly minted: number }[];
  readonly solved: readonly { readonly solver: string; readonly reward: number }[];
  readonly holds: readonly { readonly purpose: string; readonly artifact: string | null }[];
  readonly mint: { readonly submissions: readonly { readonly artifact: string }[] };
  readonly votes: readonly { readonly deadline_ms: number; readonly status: string }[];
};

const browser = browserOfTests();
const out = SHARED_RUNS;
let folder: string;

beforeAll(async () => {
  folder = (await longRun()).folder;
});

const booksIn = async (dashboard: Dashboard, at = ""): Promise<Books> => {
  const { origin } = new URL(dashboard.addressOf(null));
  const answer = await fetch(`${origin}/api/runs/${basename(folder)}/books${at}`);
  return JSON.parse(await answer.text());
};

const sum = (amounts: readonly number[]): number => amounts.reduce((a, b) => a + b, 0);

it("lists all scores and solved tasks, which add up to the minted scrip", async () => {
  const { scores, solved } = await booksIn(await keptDashboardOf(out));
  const { money, trades } = await withJournal(folder, (journal) => measureRun(journal).metrics());
  expect(scores.length).toBeGreaterThan(1);
  expect(sum(scores.map(({ minted }) => minted))).toBe(money.minted_by.mint);
  expect(scores).toEqual(scores.toSorted((a, b) => b.seq - a.seq));
  expect(solved.length).toBe(trades.by_kind.task);
});

it("lists the scores up to a past moment", async () => {
  const dashboard = await keptDashboardOf(out);
  const { scores } = await booksIn(dashboard);
  const first = scores.at(-1)?.seq ?? 0;
  const then = await booksIn(dashboard, `?at=${first}`);
  expect(then.scores.map(({ seq }) => seq)).toContain(first);
  expect(then.scores.length).toBeLessThan(scores.length);
});

it("names the artifact of each bid that is held", async () => {
  const { holds, mint } = await booksIn(await keptDashboardOf(out));
  const held = holds.filter(({ purpose }) => purpose === "bid").map(({ artifact }) => artifact);
  expect(held.length).toBeGreaterThan(0);
  expect(held.toSorted()).toEqual(mint.submissions.map(({ artifact }) => artifact).toSorted());
});

it("says which votes are open", async () => {
  const dashboard = await keptDashboardOf(out);
  const { votes } = await booksIn(dashboard);
  expect(votes.map(({ status }) => status)).toContain("closed");
  const [first] = votes;
  const { origin } = new URL(dashboard.addressOf(null));
  const before = `moment?at=${(first?.deadline_ms ?? 0) / 1_000 - 1}s`;
  const moment = await (await fetch(`${origin}/api/runs/${basename(folder)}/${before}`)).json();
  const then = await booksIn(dashboard, `?at=${moment.seq}`);
  expect(then.votes[0]?.status).toBe("open");
});

it("links the winners of auctions, and keeps the current tab in view on a phone", async () => {
  const address = `${(await keptDashboardOf(out)).addressOf(basename(folder))}/books`;
  const tab = await browser.open(address, { viewport: { width: 390, height: 844 } });
  const { page } = tab;
  const auctions = page.getByRole("table", { name: "Auctions" });
  const winner = await auctions.locator("tbody tr td:last-child a").first().innerText();
  const books = page.getByRole("navigation", { name: "Books" });
  await books.getByRole("link", { name: "Held" }).click();
  await page.locator('section[aria-label="Held scrip"]').waitFor();
  await expect
    .poll(async () => {
      const box = await books.getByRole("link", { name: "Held" }).boundingBox();
      return (box?.x ?? 0) + (box?.width ?? 1_000);
    })
    .toBeLessThanOrEqual(390);
  await page.goBack();
  await auctions.getByRole("link", { name: winner, exact: true }).first().click();
  await page.waitForURL(new RegExp(`artifacts/${winner}`));
  await closedWell(tab);
});
