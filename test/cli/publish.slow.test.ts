import { cpSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gunzipSync, gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { measureRun } from "../../src/figures/index.ts";
import type { PublishedRun } from "../../src/page/index.ts";
import { CopiedJournal, Journal } from "../../src/world/index.ts";
import { browserOfTests, closedWell, type Tab } from "../support/browser.ts";
import { ACTIVE, HOSTILE_ID, hostileRun } from "../support/hostile-run.ts";
import { writePersonas } from "../support/model-run.ts";
import { jsonOf, makeRun, setFlags, sim } from "../support/sim.ts";
import { sharedFolder, temporaryFolder } from "../support/temporary-folder.ts";

const browser = browserOfTests();
const dir = sharedFolder();
const RECURSIVE = { recursive: true };

/** The page of the run `town`. */
const PAGE = join(dir, "page/index.html");

beforeAll(() => {
  makeRun(dir, { name: "town", seconds: 60 }, "--seed", "1");
  published(dir, "town", "-o", "page");
});

const published = (folder: string, ...args: readonly string[]) => {
  const { code, err } = sim(folder, "publish", ...args);
  expect([code, err]).toEqual([0, expect.stringContaining("written: page/index.html")]);
  return join(folder, "page/index.html");
};

const addressOf = (file: string, place = ""): string => `${pathToFileURL(file).href}${place}`;

/** Opens a page from the disk. `requests` are all that the page does not answer itself. */
const opened = async (
  file: string,
  place = "",
  options: Parameters<typeof browser.open>[1] = {},
): Promise<Tab & { requests: string[] }> => {
  const tab = await browser.open("about:blank", options);
  const requests: string[] = [];
  tab.page.on("request", (request) => {
    // The code of the worker is in the page.
    if (!request.url().startsWith("blob:")) requests.push(request.url());
  });
  await tab.page.goto(addressOf(file, place));
  await tab.page.locator(".tabs, table").first().waitFor();
  requests.splice(0, 1);
  return { ...tab, requests };
};

const verified = async (page: Page): Promise<string> => {
  await page.getByRole("button", { name: "Verify" }).click();
  const said = page.locator(".run-bar .said");
  await expect.poll(() => said.innerText()).toMatch(/valid/);
  return await said.innerText();
};

const PACK = /(<script type="text\/plain" id="run town">)([^<]*)/;

const runIn = (html: string): PublishedRun =>
  JSON.parse(gunzipSync(Buffer.from(PACK.exec(html)?.[2] ?? "", "base64")).toString("utf8"));

describe("a published page", () => {
  it("leads from the largest payment of a period to the thought behind it", async () => {
    const tab = await opened(PAGE, "#/runs/town/overview?from=0:30&to=0:50");
    const { page } = tab;
    const row = page.locator('section[aria-label="Largest payments"] tbody tr').first();
    expect(await row.locator("td").first().innerText()).toMatch(/^0:(3|4|50)/);
    await row.getByRole("link", { name: "Explain" }).click();
    await page.locator("li:focus").getByText("thought:").first().waitFor();
    const period = page.getByRole("group", { name: "Period" });
    expect(await period.getByRole("status").innerText()).toBe("Period 0:30.0 to 0:50.0");
    await closedWell(tab);
  });

  it("has the figures, the causes of prices and the trade of a period", async () => {
    const tab = await opened(PAGE, "#/runs/town/overview?from=0:30&to=0:50");
    const { page } = tab;
    const [summary, movers] = ["What changed in the period", "What moved the prices"].map((name) =>
      page.getByRole("region", { name }),
    );
    await summary?.getByText("From 0:30.0 to 0:50.0, both included").waitFor();
    await movers?.getByRole("heading", { name: "from 0:30.0 to 0:50.0" }).waitFor();
    expect(await movers?.locator("tbody").innerText()).toMatch(/\d:\d\d\.\d .+: \d+ → \d+/);
    await page.getByRole("link", { name: "Trade" }).click();
    const flows = page.getByRole("region", { name: "Largest flows" });
    await flows.getByText("Payments from 0:30.0 to 0:50.0.").waitFor();
    expect(tab.requests).toEqual([]);
    await closedWell(tab);
  });

  it("shows the figures of the report, verifies the run, and requests nothing", async () => {
    const tab = await opened(PAGE);
    const { page } = tab;
    expect(page.url()).toContain("index.html#/runs/town");
    const report = jsonOf(dir, "report", "town");
    const trades = page.locator(".tile", { has: page.locator('dt:text-is("Trades")') });
    expect(await trades.locator(".tile-value").innerText()).toBe(
      report.metrics.trades.total.toLocaleString("en-US"),
    );
    const { state_hash: hash } = jsonOf(dir, "verify", "town");
    expect(await verified(page)).toContain(`the state hash is ${hash.slice(0, 12)}`);
    expect(tab.requests).toEqual([]);
    await closedWell(tab);
  });

  it("has every view", async () => {
    const tab = await opened(PAGE);
    for (const [place, text] of [
      ["agents/ada", "Follow the money"],
      ["artifacts", "genesis_store"],
      ["network", "Largest flows"],
      ["books", "Escrow"],
      ["moments", "ada"],
      ["events", "run_stopped"],
    ] as const) {
      await tab.page.goto(addressOf(PAGE, `#/runs/town/${place}`));
      await tab.page.getByText(text).locator("visible=true").first().waitFor();
    }
    expect(tab.requests).toEqual([]);
    await closedWell(tab);
  });

  it("lets its worker request nothing", async () => {
    const tab = await opened(PAGE);
    const [worker] = tab.page.workers();
    const blocked = worker?.evaluate<string>(
      `new Promise((resolve) => {
        addEventListener("securitypolicyviolation", (event) =>
          resolve(event.effectiveDirective + " " + event.blockedURI));
        fetch("https://example.com/").then(() => resolve("sent"), () => {});
      })`,
    );
    expect(await blocked).toBe("connect-src https://example.com/");
    expect(tab.requests).toEqual([]);
    await tab.page.context().close();
  });

  it("says that the browser does not run its worker", async () => {
    const html = readFileSync(PAGE, "utf8");
    const file = join(dir, "no-worker.html");
    writeFileSync(file, html.replace("worker-src blob:", "worker-src 'none'"));
    const tab = await browser.open(addressOf(file));
    await tab.page.getByText("this browser does not run the worker").first().waitFor();
    await tab.page.context().close();
  });

  it("gives the time bar the whole width of 900 and 1,100 px", async () => {
    const tab = await opened(PAGE, "#/runs/town/overview");
    await tab.page.getByText("published by catallaxy").waitFor();
    const widthOf = async (selector: string) =>
      (await tab.page.locator(selector).boundingBox())?.width;
    for (const width of [900, 1_100]) {
      await tab.page.setViewportSize({ width, height: 800 });
      expect(await widthOf(".time-bar")).toBe(await widthOf(".run-bar"));
    }
    await closedWell(tab);
  });

  it("finds one changed byte", async () => {
    const html = readFileSync(PAGE, "utf8");
    const run = runIn(html);
    const changedAt = run.journal.events.body.findIndex((text) => text.includes('"reasoning":"'));
    const body = run.journal.events.body.map((text, at) =>
      at === changedAt ? text.replace('"reasoning":"', '"reasoning":"x') : text,
    );
    const { events } = run.journal;
    const changed = { ...run, journal: { ...run.journal, events: { ...events, body } } };
    const pack = gzipSync(JSON.stringify(changed)).toString("base64");
    const file = join(dir, "changed.html");
    writeFileSync(file, html.replace(PACK, `$1${pack}`));
    const tab = await opened(file);
    expect(await verified(tab.page)).toMatch(
      /^not valid: one of the events \d+ to \d+ was changed/,
    );
    await closedWell(tab);
  });

  it("says that a run cannot be unpacked", async () => {
    const html = readFileSync(PAGE, "utf8");
    const pack = PACK.exec(html)?.[2] ?? "";
    const middle = pack.length >> 1;
    const other = pack[middle] === "A" ? "B" : "A";
    const file = join(dir, "damaged.html");
    const damaged = pack.slice(0, middle) + other + pack.slice(middle + 1);
    writeFileSync(file, html.replace(PACK, `$1${damaged}`));
    const { page } = await browser.open(addressOf(file));
    const problem = page.getByRole("alert").first();
    await expect.poll(() => problem.innerText()).toContain("was changed or is damaged");
    await page.context().close();
  });

  it("says that the unpacked data of a run is damaged", async () => {
    const html = readFileSync(PAGE, "utf8");
    const file = join(dir, "empty.html");
    writeFileSync(file, html.replace(PACK, `$1${gzipSync("{}").toString("base64")}`));
    const { page } = await browser.open(addressOf(file));
    const problem = page.getByRole("alert").first();
    await expect.poll(() => problem.innerText()).toContain("was changed or is damaged");
    await page.context().close();
  });

  it("has no runs with the names of members of every object", async () => {
    const tab = await browser.open("about:blank");
    for (const run of ["%", "constructor", "__proto__"]) {
      const address = addressOf(PAGE, `#/runs/${run}`);
      // As in a new tab, the page shows no other run before.
      await tab.page.goto("about:blank");
      await tab.page.goto(address);
      await tab.page.getByText("this run does not exist").first().waitFor();
      expect(tab.page.url()).toBe(address);
    }
    await tab.page.context().close();
  });

  it("compares its runs", async () => {
    makeRun(dir, { name: "other", seconds: 5 }, "--seed", "2");
    const both = temporaryFolder();
    const flags = ["--out", join(dir, "runs")];
    const tab = await opened(
      published(both, "town", "other", "-o", "page", ...flags),
      "#/runs/town/compare/other",
    );
    await tab.page.getByText("run.seed").first().waitFor();
    await closedWell(tab);
  });

  it("leaves out the settings that have prompts", () => {
    const folder = temporaryFolder();
    const secret = ["--set", "agent.prompt.mandatory_prefix=SECRETprefix"];
    makeRun(folder, { name: "town", seconds: 2 }, ...secret);
    const whole = readFileSync(published(folder, "town", "-o", "page"), "utf8");
    expect(whole).toContain("SECRETprefix");
    const file = published(folder, "town", "-o", "page", "--redact", "prompts");
    const html = readFileSync(file, "utf8");
    expect(html).not.toContain("SECRETprefix");
    expect(JSON.stringify(runIn(html))).not.toContain("SECRETprefix");
  });

  it("leaves out texts, but no figure", async () => {
    const folder = temporaryFolder();
    const flags = ["-o", "page", "--out", join(dir, "runs")];
    const file = published(folder, "town", ...flags, "--redact", "prompts,thoughts,content");
    const run = runIn(readFileSync(file, "utf8"));
    const { journal } = run;
    const texts = JSON.stringify(journal);
    expect(texts).not.toContain("function run");
    expect(journal.calls.seq).toEqual([]);
    const thoughts = journal.events.body.filter((text) => text.includes('"reasoning"'));
    expect(thoughts.length).toBeGreaterThan(100);
    expect(thoughts.every((text) => text.includes('"reasoning":"[left out]"'))).toBe(true);
    expect(new Map(run.settings).get("mint.tasks")).toBe('"[left out]"');
    const whole = Journal.open(join(dir, "runs/town/journal.db"), { readOnly: true });
    if (!whole.ok) throw new Error(whole.problem);
    const copy = new CopiedJournal(journal);
    expect(measureRun(copy).metrics()).toEqual(measureRun(whole.journal).metrics());
    whole.journal.close();
    const tab = await opened(file);
    expect(await verified(tab.page)).toMatch(/^valid as far as it can be checked: \d+ of /);
    await closedWell(tab);
  });

  it("shows text of agents as text, and runs none of it", async () => {
    const out = temporaryFolder();
    await hostileRun(out);
    const file = published(out, "hostile", "-o", "page");
    const places = [
      [`artifacts/${HOSTILE_ID}`, "onerror"],
      ["agents/ada", "Follow the money"],
      ["agents/eve", "onerror"],
      ["moments", "gpj.exe"],
      ["messages", "onerror"],
      ["network", "Largest flows"],
      ["overview", "Scrip"],
      ["books", "Escrow"],
      ["events", "run_stopped"],
    ] as const;
    // Also without the policy of the page: the escaping alone holds.
    for (const bypassCSP of [false, true]) {
      const tab = await opened(file, "", { bypassCSP });
      for (const [place, text] of places) {
        await tab.page.goto(addressOf(file, `#/runs/hostile/${place}`));
        await tab.page.getByText(text).locator("visible=true").first().waitFor();
        expect(await tab.page.locator("#page :is(img, script, style, iframe)").count()).toBe(0);
        expect(await tab.page.evaluate(`${ACTIVE}.test(document.body.innerText)`)).toBe(false);
        expect(await tab.page.title()).toBe("hostile · catallaxy");
      }
      await closedWell(tab);
    }
  });
});

it("shows reviews only if there were any", async () => {
  const folder = temporaryFolder();
  const agents = join(folder, "personas");
  const script = [{ write_artifact: { artifact_id: "note", content: "A note." } }];
  const review = { review: "actions", review_default: "refuse" };
  writePersonas(agents, { ada: { mind: "script", script, ...review } });
  makeRun(folder, { name: "reviewed", seconds: 5 }, "--agents", agents);
  const tab = await opened(published(folder, "reviewed", "-o", "page"), "#/runs/reviewed/reviews");
  await tab.page
    .getByText(/ by default$/)
    .first()
    .waitFor();
  await tab.page.locator(".tabs").getByText("Reviews").waitFor();
  await closedWell(tab);
  const other = await opened(PAGE, "#/runs/town/moments");
  await other.page.locator(".event-line").first().waitFor();
  expect(await other.page.locator(".tabs").getByText("Reviews").count()).toBe(0);
  await closedWell(other);
});

describe("an experiment", () => {
  const FEES = `name: fees
seeds: 1..3
keep: journals
base: { duration: 2s }
arms: { low: {}, high: {} }
measures: [gini]
`;
  const made = sharedFolder();
  /** A folder with the experiment, made once. */
  const feesFolder = (): string => {
    const folder = temporaryFolder();
    cpSync(made, folder, { recursive: true });
    return folder;
  };

  beforeAll(() => {
    writeFileSync(join(made, "fees.yaml"), FEES);
    expect(sim(made, "experiment", "fees.yaml", "--jobs", "1")).toMatchObject({ code: 0 });
  });

  it("has a page of results and a page for each run", async () => {
    const folder = feesFolder();
    const tab = await opened(published(folder, "fees", "-o", "page"));
    expect(await tab.page.title()).toBe("fees · catallaxy");
    await tab.page.getByRole("checkbox", { name: "Compare low-s1" }).check();
    await tab.page.getByRole("checkbox", { name: "Compare high-s2" }).check();
    await tab.page.getByText("All scrip of the world.").waitFor();
    await tab.page.getByText("publish these runs by their names").waitFor();
    const runs = tab.page.getByRole("table", { name: "Runs", exact: true });
    await runs.locator('a[href*="low-s1"]').click();
    await tab.page.locator(".tile").first().waitFor();
    expect(tab.page.url()).toContain("page/runs/low-s1.html#/runs/low-s1");
    await tab.page.getByRole("link", { name: "fees", exact: true }).click();
    await tab.page.getByRole("table", { name: "Arms" }).waitFor();
    expect(tab.page.url()).toMatch(/page\/index\.html#\/experiment$/);
    await tab.page.goBack();
    await tab.page.getByRole("link", { name: "Compare" }).click();
    await tab.page.getByRole("link", { name: "compares their figures" }).click();
    await tab.page.getByRole("table", { name: "Compared runs" }).waitFor();
    expect(tab.page.url()).toContain("page/index.html#/experiment?runs=low-s1%2C");
    await tab.page.getByRole("link", { name: "catallaxy" }).click();
    await tab.page.waitForURL(/page\/index\.html#\/$/);
    await closedWell(tab);
  });

  it("is published over an earlier publication in the same folder, which removes no other file", () => {
    const folder = feesFolder();
    published(folder, "fees", "-o", "page");
    const others = ["notes.html", "low-s9.html.bak"];
    for (const name of others) writeFileSync(join(folder, "page/runs", name), "<!doctype html>");
    // A page that stands alone is another publication.
    const alone = ["town", "-o", "page/runs", "--out", join(dir, "runs")];
    expect(sim(folder, "publish", ...alone)).toMatchObject({ code: 0 });
    for (const run of ["low-s2", "high-s3"])
      rmSync(join(folder, "results/fees/runs", run), RECURSIVE);
    const again = sim(folder, "publish", "fees", "-o", "page", "--redact", "prompts");
    expect(again.err).toContain("removed: 2 pages of an earlier publication");
    const left = () => readdirSync(join(folder, "page/runs")).toSorted();
    expect(left()).toEqual([
      ...["high-s1.html", "high-s2.html", "index.html", "low-s1.html", "low-s3.html"],
      ...others.toReversed(),
    ]);
    const run = jsonOf(folder, "publish", "town", "-o", "page", "--out", join(dir, "runs"));
    expect(run).toMatchObject({ files: 1, removed: 4 });
    expect(left()).toEqual(["index.html", "low-s9.html.bak", "notes.html"]);
  });

  it("says which runs have no page, and why", () => {
    const folder = feesFolder();
    const at = (...path: readonly string[]) => join(folder, "results/fees/runs", ...path);
    for (const run of ["low-s1", "low-s2"]) rmSync(at(run), RECURSIVE);
    for (const file of readdirSync(at("low-s3"))) rmSync(at("low-s3", file), RECURSIVE);
    rmSync(at("high-s1", "journal.db"));
    const { err } = sim(folder, "publish", "fees", "-o", "page");
    expect(err).toContain(
      "runs with a page: 2 of 6; without: low-s1, low-s2 (no folder), " +
        "high-s1 (no journal.db), low-s3 (no run.json)\n",
    );
    expect(jsonOf(folder, "publish", "fees", "-o", "page").without_page).toMatchObject({
      "low-s1": "no folder",
    });
    truncateSync(at("high-s2", "journal.db"), 20_000);
    expect(sim(folder, "publish", "fees", "-o", "page")).toMatchObject({
      code: 3,
      err: expect.stringMatching(/^sim: .*runs\/high-s2\/journal\.db.*; use a copy of it.*\n$/),
    });
  });
});

describe("sim publish", () => {
  it.each([
    [["town"], "required option '-o, --output <dir>' not specified"],
    [["twon", "-o", "page"], 'there is no run "twon" in runs; did you mean `town`?'],
    [["town", "-o", "p", "--redact", "thougts"], 'unknown part "thougts"; did you mean `thoughts`'],
  ])("refuses %j with one line", (args, says) => {
    const { code, err } = sim(dir, "publish", ...args);
    expect(code).toBe(2);
    expect(err).toContain(says);
    expect(err.trim().split("\n").length).toBe(1);
  });

  it("leaves out only prompts of a fork", () => {
    expect(sim(dir, "fork", "town", "--at", "30s", "--name", "later")).toMatchObject({ code: 0 });
    const { code, err } = sim(dir, "publish", "later", "-o", "later", "--redact", "content");
    expect([code, err]).toEqual([2, expect.stringContaining("the texts of a fork's past")]);
    expect(sim(dir, "publish", "later", "-o", "later", ...setFlags())).toMatchObject({ code: 0 });
  });
});
