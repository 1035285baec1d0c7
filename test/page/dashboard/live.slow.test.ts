import { dirname } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { agentProblem } from "../../../src/run/index.ts";
import { verifyJournal } from "../../../src/world/index.ts";
import { browserOfTests, closedWell } from "../../support/browser.ts";
import { dashboardOf } from "../../support/dashboard.ts";
import { emptyFolder, spawnSim, startSim } from "../../support/sim.ts";
import { withJournal } from "../../support/simulation-run.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { button, seqOf, stateOf, watchRun } from "../../support/watched-run.ts";

const browser = browserOfTests();
const watched = () => watchRun(browser);

/** Tells a page that a person has switched to another tab, or back to this one. */
const turn = (page: Page, to: "hidden" | "visible"): Promise<void> =>
  page.evaluate(`
    Object.defineProperty(document, "hidden", { value: ${to === "hidden"}, configurable: true });
    Object.defineProperty(document, "visibilityState", { value: "${to}", configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));`);

describe("a live run", () => {
  it("is followed only while its tab is visible, and is current when it returns", async () => {
    const { launch, tab, end } = await watched();
    const { page } = tab;
    const before = await seqOf(tab);
    await turn(page, "hidden");
    const headNow = (): number => launch.runner.journal.head().seq;
    await expect.poll(headNow).toBeGreaterThan(before + 20);
    const hidden = await seqOf(tab);
    await expect.poll(headNow).toBeGreaterThan(hidden + 60);
    expect(await seqOf(tab)).toBe(hidden);
    await turn(page, "visible");
    await expect.poll(() => seqOf(tab)).toBeGreaterThan(hidden + 20);
    await end();
  });

  it("can be paused, stepped, resumed and stopped, and still verifies", async () => {
    const { launch, tab, folder, ended } = await watched();
    const { runner } = launch;
    await expect.poll(() => stateOf(tab).innerText()).toBe("running");
    const first = await seqOf(tab);
    await expect.poll(() => seqOf(tab)).toBeGreaterThan(first + 20);
    await button(tab, "Pause").click();
    await expect.poll(() => stateOf(tab).innerText()).toBe("paused");
    await runner.journal.durable();
    const held = runner.journal.head().seq;
    await expect.poll(() => seqOf(tab)).toBe(held);
    await button(tab, "Step").click();
    await expect.poll(() => seqOf(tab)).toBeGreaterThan(held);
    await expect.poll(() => stateOf(tab).innerText()).toBe("paused");
    await button(tab, "Checkpoint").click();
    await expect
      .poll(() => tab.page.locator(".said").innerText())
      .toMatch(/^saved the state after event \d+ in the journal$/);
    const stepped = await seqOf(tab);
    await button(tab, "Resume").click();
    await expect.poll(() => seqOf(tab)).toBeGreaterThan(stepped + 20);
    await button(tab, "Stop").click();
    await button(tab, "Yes, end the run").press("Enter");
    expect(await ended).toMatchObject({ stoppedBy: "signal", problem: null });
    await expect.poll(() => stateOf(tab).innerText()).toBe("stopped");
    expect(await button(tab, "Pause").count()).toBe(0);
    await closedWell(tab);
    await withJournal(folder, (journal) => {
      expect(verifyJournal(journal, agentProblem).ok).toBe(true);
    });
  });

  it("can pause one agent", async () => {
    const { tab, end } = await watched();
    await tab.page.getByRole("link", { name: "Agents" }).click();
    await tab.page.getByRole("link", { name: "ada", exact: true }).click();
    await button(tab, "Pause this agent").click();
    const standing = tab.page.locator(".standing");
    await expect.poll(() => standing.innerText()).toMatch(/paused\s+an operator has paused it/);
    const first = await seqOf(tab);
    await expect.poll(() => seqOf(tab)).toBeGreaterThan(first + 20);
    await button(tab, "Resume this agent").click();
    await expect.poll(() => standing.innerText()).not.toMatch(/operator has paused/);
    await end();
  });

  it("is read-only without the token, and from another dashboard", async () => {
    const { launch, tab, end } = await watched();
    const address = tab.page.url();
    expect(address).not.toContain("token");
    const other = await browser.open(address);
    const note = other.page.locator(".controls.note");
    await expect.poll(() => note.innerText()).toContain("it contains the token");
    expect(await button(other, "Pause").count()).toBe(0);
    const { folder, runId } = launch.directory;
    const elsewhere = await browser.open((await dashboardOf(dirname(folder))).addressOf(runId));
    const told = elsewhere.page.locator(".controls.note");
    await expect.poll(() => told.innerText()).toContain("sim run --dashboard");
    await end();
    for (const each of [other, elsewhere]) await closedWell(each);
  });
});

it("a page of another origin can read and change nothing", async () => {
  const { launch, tab, end } = await watched();
  const victim = new URL(tab.page.url()).origin;
  const token = await tab.page.evaluate<string>("sessionStorage.getItem('catallaxy-token')");
  const { page } = await browser.open((await dashboardOf(temporaryFolder())).addressOf(null));
  await page.route("**/elsewhere", (route) =>
    route.fulfill({ contentType: "text/html", body: "<p>another page</p>" }),
  );
  await page.goto(`${new URL(page.url()).origin}/elsewhere`);
  const tries = `
  const stop = { method: "POST", body: '{"kind":"stop"}' };
  const ask = (path, how) =>
    fetch("${victim}" + path, how).then((r) => r.text(), () => "refused");
  Promise.all([
    ask("/api/runs"),
    ask("/api/runs", { mode: "no-cors" }),
    ask("/api/command", stop),
    ask("/api/command", { ...stop, mode: "no-cors" }),
    ask("/api/command", { ...stop, headers: { Authorization: "Bearer ${token}" } }),
    new Promise((done) => {
      const script = document.createElement("script");
      script.src = "${victim}/page.js";
      script.addEventListener("load", () => done("ran"));
      script.addEventListener("error", () => done("refused"));
      document.body.append(script);
    }),
  ])`;
  const came = await page.evaluate<readonly string[]>(tries);
  expect(came.filter((each) => each !== "refused" && each !== "")).toEqual([]);
  expect(launch.runner.operate().pace).toBe("going");
  await page.context().close();
  await end();
});

describe("sim", () => {
  it("runs with a dashboard in a thread, which pauses and stops it", async () => {
    const cwd = emptyFolder();
    const sim = spawnSim(cwd, "run", "--dashboard", "--duration", "36000", "--name", "shown");
    await sim.until(/dashboard at http:\S+\n/);
    const [address = ""] = /http:\S+/.exec(sim.outputSoFar().err) ?? [];
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#\/runs\/shown\?token=[\w-]{32}$/);
    const tab = await browser.open(address);
    await button(tab, "Pause").click();
    await expect.poll(() => stateOf(tab).innerText()).toBe("paused");
    await button(tab, "Step").click();
    await expect.poll(() => tab.page.locator(".said").innerText()).toMatch(/^paused at .+: \w+/);
    await button(tab, "Checkpoint").click();
    await expect.poll(() => tab.page.locator(".said").innerText()).toMatch(/checkpoints\S+\.ckpt$/);
    const pages = [tab.page];
    while (pages.length < 3) {
      const page = await tab.page.context().newPage();
      await page.goto(tab.page.url());
      await page.locator(".moment-seq").waitFor();
      pages.push(page);
    }
    sim.kill("SIGINT");
    expect(await sim.ended).toMatchObject({ code: 130 });
    const ended = "the run has ended (stopped); sim resume shown";
    for (const page of pages.slice(1)) await page.getByText("the run has ended").waitFor();
    await tab.page.getByText(ended).waitFor();
    await closedWell(tab, { outlived: true });
  });

  it("shows a run that another process executes", async () => {
    const cwd = emptyFolder();
    const run = spawnSim(cwd, "run", "--duration", "36000", "--name", "other");
    await run.until(/run other in/);
    const shown = startSim(cwd, "dashboard", "other", "--no-open");
    await shown.until(/dashboard at http:\S+\n/);
    const [address = ""] = /http:\S+/.exec(shown.outputSoFar().out) ?? [];
    const tab = await browser.open(address);
    const first = await seqOf(tab);
    await expect.poll(() => seqOf(tab)).toBeGreaterThan(first);
    run.kill("SIGTERM");
    expect(await run.ended).toMatchObject({ code: 143 });
    await expect.poll(() => stateOf(tab).innerText()).toBe("stopped");
    await closedWell(tab);
    shown.kill("SIGINT");
    expect(await shown.ended).toMatchObject({ code: 130 });
  });
});
