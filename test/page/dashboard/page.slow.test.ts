import { basename } from "node:path";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import type { Dashboard } from "../../../src/page/index.ts";
import { restore } from "../../../src/world/index.ts";
import { browserOfTests, closedWell, type Tab } from "../../support/browser.ts";
import { keptDashboardOf } from "../../support/dashboard.ts";
import { PROMPT_MODEL_SETS, promptModel } from "../../support/prompt-model.ts";
import { SHARED_RUNS, shortRun } from "../../support/shared-runs.ts";
import {
  AGENTS_LLM,
  checkpointAt,
  type FinishedRun,
  simulate,
  withJournal,
} from "../../support/simulation-run.ts";

const browser = browserOfTests();
const out = SHARED_RUNS;
let traders: FinishedRun;
let thinkers: FinishedRun;

beforeAll(async () => {
  traders = await shortRun();
  thinkers = await simulate(out, {
    agents: AGENTS_LLM,
    order: { fetch: promptModel },
    sets: ["run.duration_s=6", ...PROMPT_MODEL_SETS, "memory.embedder=hashed"],
  });
});

/** An event somewhere in the middle. */
const MOMENT = 600;

const idOf = ({ folder }: FinishedRun): string => basename(folder);

/** A view of a run, as its address names it. */
const view = (dashboard: Dashboard, run: FinishedRun, path: string): string =>
  `${dashboard.addressOf(idOf(run))}/${path}`;

const open = async (run: FinishedRun, path: string, options = {}): Promise<Tab> =>
  await browser.open(view(await keptDashboardOf(out), run, path), options);

/** Opens a view, and checks afterwards that nothing went wrong on it. */
const onPage = async (run: FinishedRun, path: string, test: (page: Page) => Promise<void>) => {
  const tab = await open(run, path);
  await test(tab.page);
  await closedWell(tab);
};

const tile = (page: Page, name: string) =>
  page.locator(".tile", { has: page.locator(`dt:text-is("${name}")`) }).locator(".tile-value");

/** The text of the first matching element. */
const textOf = async (page: Page, selector: string): Promise<string> =>
  await page.locator(selector).first().innerText();

describe("a finished run", () => {
  it("shows its figures and charts", () =>
    onPage(traders, "overview", async (page) => {
      await page.locator(".chart-canvas text").first().waitFor();
      const actions = await withJournal(traders.folder, (journal) =>
        journal.countOf(["action_completed", "action_refused"]),
      );
      expect(await tile(page, "Actions").innerText()).toBe(actions.toLocaleString("en"));
      expect(await page.locator("figure.chart").count()).toBeGreaterThan(6);
      expect(await textOf(page, ".run-name")).toBe(idOf(traders));
    }));

  it("says which money is simulated and which is real", () =>
    onPage(traders, "overview", async (page) => {
      const spent = page.locator(".tile", { hasText: "Budget spent" });
      await spent.waitFor();
      expect(await spent.innerText()).toMatch(/^Budget spent\s+[1-9][\d.]* USD\s+simulated, /);
      const owed = page.locator(".tile", { hasText: "Owed to providers" });
      expect(await owed.innerText()).toMatch(/^Owed to providers\s+0 USD\s+real money, /);
      const chart = page.locator("figure", { hasText: "Cost of thinking" });
      expect(await chart.innerText()).toContain("Nothing is owed to providers.");
      await page.goto(page.url().replace("overview", "agents/ada"));
      await page.locator(".facts").first().waitFor();
      expect(await textOf(page, ".facts")).toMatch(/budget spent\s+[\d.]+ USD, simulated/);
    }));

  it("leads from the largest payment of the run or a period to the thought behind it", () =>
    onPage(traders, "overview", async (page) => {
      const card = page.locator('section[aria-label="Largest payments"]');
      const first = card.locator("tbody tr").first();
      const explained = async () => {
        const amount = await first.locator("td").nth(1).innerText();
        await first.getByRole("link", { name: "Explain" }).click();
        const step = page.locator("li:focus");
        await step.getByText(`${amount} scrip`).waitFor();
        await step.getByText("thought:").first().waitFor();
      };
      await first.waitFor();
      expect(await card.locator("tbody tr").count()).toBe(8);
      await explained();
      await page.goto(page.url().replace(/agents.*/, "overview?from=0:20&to=0:25"));
      await card.getByText("Of the period, ").waitFor();
      await expect.poll(() => first.locator("td").first().innerText()).toMatch(/^0:2[0-5]/);
      await explained();
      await page.getByRole("navigation").getByRole("link", { name: "Overview" }).click();
      await card.getByText("Of the period, ").waitFor();
      expect(page.url()).not.toContain("payment");
    }));

  it("is found in the list of runs", async () => {
    const tab = await browser.open((await keptDashboardOf(out)).addressOf(null));
    const { page } = tab;
    const row = page.locator("tr", { has: page.getByRole("link", { name: idOf(traders) }) });
    await row.getByText("pilot, burn", { exact: true }).waitFor();
    await page.getByRole("link", { name: idOf(traders) }).click();
    await tile(page, "Scrip").waitFor();
    await closedWell(tab);
  });

  it("shows any past moment, and returns to now", () =>
    onPage(traders, "agents", async (page) => {
      const ada = page.locator("tr", { has: page.getByRole("link", { name: "ada", exact: true }) });
      const actionsOfAda = ada.locator("td").nth(5);
      const now = Number(await actionsOfAda.innerText());
      const slider = page.getByRole("slider", { name: "Moment of the run" });
      const field = page.getByLabel("Go to a moment");
      await field.fill(`event:${MOMENT}`);
      await field.press("Enter");
      await page.waitForURL(`**/*at=${MOMENT}`);
      await page.locator(".time-bar.is-past").waitFor();
      const actions = await withJournal(traders.folder, (journal) => {
        const upTo = journal.transactionEnd(MOMENT) ?? MOMENT;
        const own = [...journal.events({ principal: "ada", upTo })];
        return own.filter(({ kind }) => kind === "action_completed" || kind === "action_refused");
      });
      await expect.poll(async () => Number(await actionsOfAda.innerText())).toBe(actions.length);
      expect(actions.length).toBeLessThan(now);
      await slider.press("ArrowLeft");
      await page.waitForURL(`**/*at=${MOMENT - 1}`);
      await page.getByRole("button", { name: "Now" }).click();
      await expect.poll(async () => Number(await actionsOfAda.innerText())).toBe(now);
    }));

  it("shows the figures of a past moment on its overview", () =>
    onPage(traders, "overview", async (page) => {
      const { page: then } = await browser.open(`${page.url()}?at=${MOMENT}`);
      await then.locator(".time-bar.is-past").waitFor();
      const ended = await withJournal(traders.folder, (journal) => {
        const upTo = journal.transactionEnd(MOMENT) ?? MOMENT;
        return [...journal.events({ upTo })].filter(({ kind }) => /^action_/.test(kind)).length;
      });
      expect(ended).toBeGreaterThan(0);
      const actions = () => tile(then, "Actions").innerText();
      await expect.poll(actions).toMatch(new RegExp(`^${ended}\\b`));
      await expect.poll(() => then.locator("svg.lorenz, .pictures svg").count()).toBeGreaterThan(0);
      await then.context().close();
    }));

  it("filters events by kind, principal and text, and shows one", () =>
    onPage(traders, "events", async (page) => {
      const status = page.locator('.tools [role="status"]');
      const counted = (count: number) =>
        expect.poll(() => status.innerText()).toBe(`${count.toLocaleString("en")} events`);
      const rows = await withJournal(traders.folder, (journal) => [...journal.events()]);
      await counted(rows.length);
      await page.getByLabel("Kind of event").selectOption("artifact_invoked");
      const invoked = rows.filter(({ kind }) => kind === "artifact_invoked");
      await counted(invoked.length);
      const [{ principal } = { principal: "" }] = invoked;
      await page.getByLabel("Principal").fill(principal ?? "");
      const own = invoked.filter((row) => row.principal === principal);
      await counted(own.length);
      await page.getByLabel("Text", { exact: true }).fill('"DEPTH":0');
      await page.waitForURL("**text=*");
      await counted(own.filter(({ body }) => body.includes('"depth":0')).length);
      await page.locator(".event-line").last().click();
      await page.getByText("As JSON").click();
      expect(await textOf(page, ".picked .fold .text")).toContain('"depth": 0');
      await page.getByRole("grid", { name: "Events" }).press("ArrowUp");
      expect(await page.locator(".event-line.is-picked").count()).toBe(1);
      expect(await status.isVisible()).toBe(true);
    }));

  it("links each payer and receiver to its page", () =>
    onPage(traders, "network", async (page) => {
      await page.locator("table a").first().waitFor();
      const agents = await withJournal(traders.folder, (journal) => [
        ...restore(journal).state.agents.keys(),
      ]);
      const places = await page.evaluate<readonly string[]>(
        "[...document.querySelectorAll('table a')].map((link) => link.getAttribute('href'))",
      );
      const seen = places.map((place) => place.split("/").slice(3));
      expect(seen.length).toBeGreaterThan(10);
      expect(seen.some(([view]) => view === "artifacts")).toBe(true);
      for (const [view, id = ""] of seen) {
        const isAgent = agents.some((agent) => agent === id);
        expect([id, view]).toEqual([id, isAgent ? "agents" : "artifacts"]);
      }
    }));

  it("opens at a run time or an event of its address", async () => {
    const { seq } = await withJournal(traders.folder, (journal) => {
      const [next] = journal.events({ sinceMs: 30_001, limit: 1 });
      return { seq: (next?.seq ?? 0) - 1 };
    });
    const tab = await open(traders, "agents?at=30s");
    for (const [moment, event] of [
      ["30s", seq],
      ["0.5m", seq],
      [`event:${MOMENT}`, MOMENT],
    ]) {
      await tab.page.goto(tab.page.url().replace(/at=.*/, `at=${moment}`));
      await tab.page.locator(".time-bar.is-past").waitFor();
      const shown = `event ${event?.toLocaleString("en")}`;
      await expect.poll(() => textOf(tab.page, ".moment-seq")).toBe(shown);
    }
    await closedWell(tab);
  });

  it("says why it cannot open at a moment, and leads to the present", async () => {
    const { page } = await open(traders, "agents");
    for (const [moment, problem] of [
      ["2h", "7200s: this run covers 0 s to 60 s"],
      ["event:0", '"event:0" is not a moment; write a time such as 300s'],
      ["event:99999999", "event 99999999: this run has the events 1 to"],
    ] as const) {
      await page.goto(`${page.url().replace(/\?.*/, "")}?at=${moment}`);
      await page.getByText(problem).waitFor();
      await page.getByRole("link", { name: "Now" }).click();
      await page.locator("tbody a").first().waitFor();
    }
    await page.context().close();
  });

  it("names the parent of a fork, and where its figures start", async () => {
    const from = await checkpointAt(traders.folder, MOMENT);
    const fork = await simulate(out, { agents: null, sets: ["run.duration_s=60"], from });
    await onPage(fork, "overview", async (page) => {
      const note = `Forked from ${idOf(traders)}: figures count from event ${from.seq}`;
      expect(await textOf(page, ".origin")).toContain(note);
    });
  });

  it("has only the lines in view as elements", () =>
    onPage(traders, "events", async (page) => {
      const { lastSeq } = traders;
      await page.locator(`.event-line >> text="${lastSeq}"`).waitFor();
      const grid = page.getByRole("grid", { name: "Events" });
      await grid.evaluate((element) => element.scrollTo(0, 0));
      await page.locator('.event-line >> text="world_created"').waitFor();
      expect(await page.locator(".event-line").count()).toBeLessThan(40);
    }));

  it("is compared with another", () =>
    onPage(traders, "compare", async (page) => {
      await page.getByLabel("with").selectOption(idOf(thinkers));
      await page.locator(".divergence").waitFor();
      const divergence = await textOf(page, ".divergence");
      expect(divergence).toContain(`${idOf(thinkers)} and ${idOf(traders)} share no past`);
      expect(await textOf(page, 'section[aria-label="Figures"] table')).toContain("actions");
    }));

  it("shows the code, the customers and the revenue of an artifact", () =>
    onPage(traders, "artifacts", async (page) => {
      await page.locator("tbody a").first().click();
      await page.getByLabel("Code", { exact: true }).waitFor();
      expect(await textOf(page, ".about .facts")).toMatch(/revenue\s+\d+ scrip/);
      const customers = page.locator('section[aria-label="Customers"] tbody tr');
      expect(await customers.count()).toBeGreaterThan(0);
    }));

  it("finds a principal in the network, with what it paid and received", () =>
    onPage(traders, "network", async (page) => {
      await page.getByLabel("Find a principal").fill("boo");
      const summary = page.locator(".matrix-summary");
      await expect
        .poll(() => summary.innerText())
        .toMatch(/^boole received \d+ scrip \(.* and paid/);
      const flows = page.getByRole("table", { name: "Largest flows" }).locator("tbody tr");
      for (const row of await flows.allInnerTexts()) expect(row).toContain("boole");
      const heads = page.locator(".matrix-head");
      expect(await heads.first().getAttribute("data-id")).toBe("boole");
      await page.locator('.matrix-head[data-id="ada"]').focus();
      await expect.poll(() => summary.innerText()).toMatch(/^ada received/);
      await page.keyboard.press("Enter");
      await page.waitForURL(/agents\/ada/);
    }));

  it("shows who trades with whom, and the books", () =>
    onPage(traders, "network", async (page) => {
      await page.locator(".matrix-head").first().waitFor();
      await page.getByRole("link", { name: "Books" }).click();
      await page.locator('section[aria-label="Mint"] .facts').waitFor();
      const books = page.getByRole("navigation", { name: "Books" });
      for (const [tab, book] of [
        ["Escrow", "Escrow"],
        ["Debts", "Debts"],
        ["Tasks", "Tasks"],
        ["Held", "Held scrip"],
      ] as const) {
        await books.getByRole("link", { name: tab }).click();
        await page.locator(`section[aria-label="${book}"]`).waitFor();
      }
    }));
});

it("an agent's thought is shown with its prompt, its reply and its memories", () =>
  onPage(thinkers, "agents", async (page) => {
    await page.locator("tbody a").first().click();
    const thought = page.locator(".thought", { has: page.locator(".call") }).first();
    await thought.waitFor();
    expect(await thought.innerText()).toContain("I rolled");
    await thought.getByText("Prompt and reply").first().click();
    await thought.getByLabel("Reply").first().waitFor();
    expect(await thought.getByLabel("Reply").first().innerText()).toContain("I rolled");
    const prompt = await thought.getByLabel("Prompt", { exact: true }).first().innerText();
    expect(prompt.length).toBeGreaterThan(200);
    await page.locator(".memories li").first().waitFor();
    const mind = await textOf(page, 'section[aria-label="Mind and workflow"]');
    expect(mind).toContain("State of its mind");
  }));
