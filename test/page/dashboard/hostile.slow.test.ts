import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import { browserOfTests, closedWell, type Tab } from "../../support/browser.ts";
import { keptDashboardOf } from "../../support/dashboard.ts";
import { ACTIVE, HOSTILE, HOSTILE_ID, hostileRun } from "../../support/hostile-run.ts";
import { sim } from "../../support/sim.ts";
import { simulate } from "../../support/simulation-run.ts";
import { sharedFolder } from "../../support/temporary-folder.ts";

const browser = browserOfTests();
const out = sharedFolder();
let came: readonly string[];

const EXPERIMENT = {
  name: "hostile",
  question: HOSTILE,
  base: { duration: "2s" },
  seeds: "1..2",
  keep: "journals",
  arms: {
    low: {},
    high: {
      set: { "scrip.starting_amount": 500 },
      label: "<img src=x onerror=alert(1)>\u202e{{1}}",
    },
  },
  measures: ["gini"],
};

beforeAll(async () => {
  came = await hostileRun(out);
  const sets = ["run.duration_s=5", `agent.prompt.mandatory_prefix=${JSON.stringify(HOSTILE)}`];
  await simulate(join(out, "runs"), { runId: "other", sets });
  writeFileSync(join(out, "hostile.yaml"), JSON.stringify(EXPERIMENT));
  const { code, err } = sim(out, "experiment", "hostile.yaml", "--jobs", "1");
  if (code !== 0) throw new Error(err);
});

/** Elements that the page never creates. */
const FOREIGN = `document.querySelectorAll(
  "#page :is(img, script, style, iframe, object, form[action], [onload], [onerror])").length`;
const HAS_ACTIVE = `${ACTIVE}.test(document.body.innerText)`;
/** The addresses to which links of the page lead that are not its own. */
const LEADS_AWAY = `[...document.querySelectorAll("#page a[href]")]
  .map((link) => new URL(link.getAttribute("href"), location.href))
  .filter(({ origin }) => origin !== location.origin).map(String)`;

const expectOnlyText = async ({ page, errors }: Tab, title: string): Promise<void> => {
  expect(await page.evaluate(FOREIGN)).toBe(0);
  expect(await page.evaluate(HAS_ACTIVE)).toBe(false);
  expect(await page.evaluate(LEADS_AWAY)).toEqual([]);
  expect(await page.title()).toBe(title);
  expect(errors.filter((each) => !each.includes("status of 404"))).toEqual([]);
};

const PLACES: readonly (readonly [string, string])[] = [
  [`artifacts/${HOSTILE_ID}`, "onerror"],
  ["artifacts", HOSTILE_ID.slice(0, 12)],
  ["agents/ada", "ada"],
  ["agents/eve", "onerror"],
  ["agents", "eve"],
  ["events", "run_stopped"],
  ["overview", "Scrip"],
  ["books", "Escrow"],
  ["messages", "onerror"],
  ["moments", "gpj.exe"],
  ["reviews", "review: actions"],
  ["network", "Largest flows"],
  ["compare/other", "onerror"],
  [`compare/${encodeURIComponent(HOSTILE)}`, "this run does not exist"],
  [`agents/${encodeURIComponent(HOSTILE)}`, "this agent does not exist"],
  [`artifacts/${encodeURIComponent(HOSTILE)}`, "is not an artifact of this run"],
  [`moments/${encodeURIComponent(HOSTILE)}`, "no moment ended with this event"],
  [`events?text=${encodeURIComponent(HOSTILE)}`, "hidden by filters"],
  [`moments?artifact=${encodeURIComponent(HOSTILE)}`, "0 moments"],
];

/** Opens what a page shows only after a click: a moment, an event, a mark, the matrix. */
const openParts: { readonly [place: string]: (page: Page) => Promise<void> } = {
  moments: async (page) => {
    await page.locator(".moment-lines .event-line", { hasText: "gpj.exe" }).first().click();
    await page.getByRole("region", { name: "Selected moment" }).waitFor();
  },
  network: async (page) => {
    const head = page.locator('.matrix-head[data-id="eve"]');
    await head.press("ArrowRight");
    await page
      .locator(".matrix-summary")
      .getByText(/^eve paid ada/)
      .waitFor();
  },
  overview: async (page) => {
    await page.getByRole("button", { name: "Previous mark" }).click();
    await page
      .locator(".mark-said")
      .getByText(/\d:\d\d · /)
      .waitFor();
  },
  "agents/eve": async (page) => {
    await page.getByRole("button", { name: "Follow the money" }).click();
    await page.locator(".trail li").first().waitFor();
  },
};

/** Without the policy of the page, so that only the escaping holds. */
const bypassCSP = true;

it("text of agents changes nothing else on the page", async () => {
  expect(came).toEqual(
    [`wrote ${HOSTILE_ID}`, "onerror"].map((text) => expect.stringContaining(text)),
  );
  const dashboard = await keptDashboardOf(join(out, "runs"));
  for (const [place, text] of PLACES) {
    const tab = await browser.open(`${dashboard.addressOf("hostile")}/${place}`, { bypassCSP });
    await tab.page.getByText(text).locator("visible=true").first().waitFor();
    await openParts[place]?.(tab.page);
    await expectOnlyText(tab, "hostile · catallaxy");
    await tab.page.context().close();
  }
});

it("labels of runs and texts of an experiment are shown as text", async () => {
  const runs = await keptDashboardOf(join(out, "runs"));
  const tab = await browser.open(runs.addressOf(null), { bypassCSP });
  await tab.page.getByText("onerror").first().waitFor();
  await tab.page.getByLabel("Find runs").fill(HOSTILE);
  await expectOnlyText(tab, "catallaxy");
  await closedWell(tab);
  const results = await keptDashboardOf(join(out, "results/hostile/runs"));
  const experiment = await browser.open(results.addressOf(null).replace(/#.*|$/, "#/experiment"), {
    bypassCSP,
  });
  await experiment.page.getByText("onerror").first().waitFor();
  await expectOnlyText(experiment, "catallaxy");
  await closedWell(experiment);
});

it("text of agents is found and shown letter by letter", async () => {
  const tab = await browser.open(
    `${(await keptDashboardOf(join(out, "runs"))).addressOf("hostile")}/events`,
  );
  const { page } = tab;
  await page.getByLabel("Kind of event").selectOption("artifact_written");
  await page.getByLabel("Principal").fill("ada");
  await page.getByLabel("Text", { exact: true }).fill("<img src=x");
  await expect.poll(() => page.locator(".tools .note").innerText()).toBe("1 event");
  await page.locator(".event-line:not(.event-heads)").first().click();
  await page.getByText("As JSON").click();
  const body = page.locator(".picked .fold .text");
  await expect.poll(() => body.innerText()).toContain("<script>document.title='taken'</script>");
  expect(await body.innerText()).toContain("\\u{202e}gpj.exe");
  expect(await body.innerText()).toContain("line\\u{2028}paragraph\\u{2029}");
  await closedWell(tab);
});
