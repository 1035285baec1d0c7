import { basename } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { measureRun, stateCountedFrom } from "../../../src/figures/index.ts";
import { asId, type State } from "../../../src/kernel/index.ts";
import { agentOverTime, artifactOverTime } from "../../../src/read/index.ts";
import { type JournalReader, restore } from "../../../src/world/index.ts";
import { browserOfTests, closedWell } from "../../support/browser.ts";
import { keptDashboardOf } from "../../support/dashboard.ts";
import { longRun, SHARED_RUNS } from "../../support/shared-runs.ts";
import { type FinishedRun, withJournal } from "../../support/simulation-run.ts";

const browser = browserOfTests();
const out = SHARED_RUNS;
let run: FinishedRun;

beforeAll(async () => {
  run = await longRun();
});

const spanOf = (journal: JournalReader) => {
  const { seq: upTo, atMs: toMs } = restore(journal);
  return { after: 0, upTo, fromMs: 0, toMs };
};

/** The state after the last event before each of some times in ms. */
const statesBefore = (journal: JournalReader, times: readonly number[]): readonly State[] => {
  const rows = [...journal.events()];
  return times.map((ms) => {
    const last = rows.findLast(({ atMs }) => atMs <= ms);
    return restore(journal, { upTo: last?.seq ?? 1 }).state;
  });
};

/** Some values of a history of 160 steps, as places. */
const PLACES = [20, 80, 130];

it("tells the wealth and the budget of an agent as the states of the world do", () =>
  withJournal(run.folder, async (journal) => {
    const metrics = measureRun(journal).metrics();
    const span = spanOf(journal);
    const from = stateCountedFrom(journal);
    const { at_ms: times } = await agentOverTime(journal, "ada", span, from);
    const states = statesBefore(
      journal,
      PLACES.map((place) => times[place] ?? 0),
    );
    for (const id of ["ada", "jun", "zed"]) {
      const history = await agentOverTime(journal, id, span, from);
      expect(history.at_ms).toEqual(times);
      const accounts = states.map((state) => state.accounts.get(asId(id)));
      expect(PLACES.map((place) => history.wealth[place])).toEqual(
        accounts.map((account) => (account?.scrip ?? 0) + (account?.held ?? 0)),
      );
      expect(PLACES.map((place) => history.budget_micros[place])).toEqual(
        accounts.map((account) => account?.llmBudgetMicros),
      );
      const principal = metrics.principals.find((each) => each.id === id);
      const income = Object.fromEntries(
        history.income.map(({ source, scrip }) => [source, scrip.at(-1)]),
      );
      const earned = Object.entries(principal?.income ?? {}).filter(([, amount]) => amount > 0);
      expect(income).toEqual(Object.fromEntries(earned));
      expect(history.payments.length).toBeGreaterThan(3);
      const seqs = new Set(history.payments.map(({ seq }) => seq));
      for (const { seq, says } of history.jumps.wealth) {
        expect(seqs).toContain(seq);
        expect(says).toContain(id);
      }
    }
  }));

it("counts the calls and the revenue of an artifact as the world does", () =>
  withJournal(run.folder, async (journal) => {
    const { state } = restore(journal);
    const trades = [...state.trades.entries()]
      .filter(([id]) => !id.startsWith("genesis"))
      .toSorted(([, a], [, b]) => b.revenue - a.revenue)
      .slice(0, 5);
    for (const [id, { calls, failures, revenue }] of trades) {
      const history = await artifactOverTime(
        journal,
        id,
        spanOf(journal),
        stateCountedFrom(journal),
      );
      const last = [history.calls, history.failed, history.revenue].map((each) => each.at(-1));
      expect(last).toEqual([calls, failures, revenue]);
      expect(history.price.at(-1)).toBe(state.artifacts.get(id)?.price);
      const versions = history.changes.filter(({ what }) => what === "version");
      expect(versions.length).toBe(state.artifacts.get(id)?.version);
    }
  }));

it("leads from the largest payment of an agent to the thought behind it", async () => {
  const dashboard = await keptDashboardOf(out);
  const tab = await browser.open(`${dashboard.addressOf(basename(run.folder))}/agents/jun`);
  const { page } = tab;
  const row = page.locator('section[aria-label="Largest payments"] tbody tr').first();
  const amount = await row.locator("td").nth(1).innerText();
  await row.getByRole("button", { name: "Explain" }).press("Enter");
  await expect
    .poll(() => page.evaluate<string>("document.activeElement?.textContent ?? ''"))
    .toContain(`${amount} scrip`);
  expect(await page.locator("figure.chart").count()).toBe(3);
  const sections = await page.locator(".panel > h2").allInnerTexts();
  expect(sections.at(-1)).toBe("Mind and workflow");
  expect(await page.locator(".fold[open]").count()).toBe(0);
  await closedWell(tab);
});

it("goes to the explanation of a payment before it has it", async () => {
  const dashboard = await keptDashboardOf(out);
  const tab = await browser.open(dashboard.addressOf(basename(run.folder)));
  const { page } = tab;
  let trail = Promise.withResolvers<void>();
  await page.route(/\/trail\?/, async (route) => {
    await trail.promise;
    await route.continue();
  });
  await page.getByRole("link", { name: "Explain" }).first().click();
  const waiting = page.getByText("Looking for the thought behind the payment");
  await expect.poll(() => waiting.evaluate((each) => each === document.activeElement)).toBe(true);
  const { y = -1 } = (await waiting.boundingBox()) ?? {};
  expect(y).toBeGreaterThan(0);
  expect(y).toBeLessThan(900);
  trail.resolve();
  await page.locator("li:focus").getByText("thought:").first().waitFor();
  trail = Promise.withResolvers<void>();
  await page.getByRole("button", { name: "Explain" }).first().click();
  await expect.poll(() => waiting.evaluate((each) => each === document.activeElement)).toBe(true);
  trail.resolve();
  await page.locator("li:focus").waitFor();
  await closedWell(tab);
});

it("shows the price, calls, revenue, versions and owners of an artifact", async () => {
  const sold = await withJournal(run.folder, (journal) => {
    const [event] = journal.events({ kind: "ownership_transferred" });
    const body: { artifact_id?: string } = JSON.parse(event?.body ?? "{}");
    return body.artifact_id ?? "";
  });
  const dashboard = await keptDashboardOf(out);
  const tab = await browser.open(`${dashboard.addressOf(basename(run.folder))}/artifacts/${sold}`);
  const { page } = tab;
  await page.locator("figure.chart").nth(2).waitFor();
  expect(await page.locator(".chart-title").allInnerTexts()).toEqual(["Price", "Calls", "Revenue"]);
  const changes = page.locator('section[aria-label="Versions and owners"]');
  expect(await changes.innerText()).toContain("→");
  expect(await changes.innerText()).toContain("version 1");
  await closedWell(tab);
});
