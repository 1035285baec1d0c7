import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { findings, type ReportInput, writeReport } from "../../../src/experiment/index.ts";
import { browserOfTests, closedWell } from "../../support/browser.ts";
import { sharedFolder } from "../../support/temporary-folder.ts";
import { contrast, reportInput, run, summary } from "./report-fixture.ts";

const folder = sharedFolder();
const browser = browserOfTests();
const input = reportInput({
  result: { warnings: [{ kind: "few_seeds", arm: "share", text: "3 seeds are few" }] },
});

const pageOf = async (name: string, of: ReportInput): Promise<string> => {
  const dir = join(folder, name);
  await writeReport(dir, of);
  return pathToFileURL(join(dir, "report.html")).href;
};

let address: string;
beforeAll(async () => {
  address = await pageOf("plain", input);
});

describe("the page of an experiment", () => {
  it("shows warnings and findings before all figures", async () => {
    const tab = await browser.open(address);
    const { page } = tab;
    expect(await page.title()).toBe("redistribution · catallaxy");
    expect(await page.locator("h2").allTextContents()).toEqual([
      ...["Warnings", "Findings", "Design", "Differences", "Over time", "Distributions"],
      ...["Measures", "Comparisons", "Runs", "Repeat this experiment"],
    ]);
    expect(await page.locator(".warnings li").allTextContents()).toEqual(["3 seeds are few"]);
    const said = await page.locator(".findings li").allTextContents();
    expect(said.map((text) => text.replaceAll("\u00a0", " "))).toEqual(
      findings(input.result).map(({ text }) => `difference${text}`),
    );
    expect(await page.locator("svg[role=img]").count()).toBe(5);
    await closedWell(tab);
  });

  it("names the arm of a warning once", async () => {
    const warnings = [{ kind: "no_dose", arm: "share", text: "share changed nothing" }] as const;
    const tab = await browser.open(await pageOf("dose", reportInput({ result: { warnings } })));
    expect(await tab.page.locator(".warnings li").textContent()).toBe("share changed nothing");
    await closedWell(tab);
  });

  it("says how the experiment was made and how to repeat it", async () => {
    const tab = await browser.open(address);
    const text = await tab.page.locator("main").innerText();
    for (const part of [
      "2 arms, each run with 3 seeds (1 to 3)",
      "The control is burn.",
      "mint.proceeds",
      "sim experiment redistribution.yaml",
      "sim dashboard burn-s1 --out experiments/redistribution/runs",
      "f00d".repeat(16),
      "24.0.0",
    ]) {
      expect(text).toContain(part);
    }
    await closedWell(tab);
  });

  it("says how to make a run again if runs are not kept", async () => {
    const tab = await browser.open(
      await pageOf("figures-only", reportInput({ experiment: { keep: "figures" } })),
    );
    const text = await tab.page.locator("section[aria-labelledby=runs] p").innerText();
    expect(text).toContain("Make it first, with its command in the table.");
    await closedWell(tab);
  });

  it("shows the figures of the result", async () => {
    const tab = await browser.open(address);
    const cells = async (section: string, row: number): Promise<readonly string[]> =>
      tab.page
        .locator(`section[aria-labelledby=${section}] tbody tr`)
        .nth(row)
        .locator("td, th")
        .allTextContents();
    expect(await cells("measures", 1)).toEqual([
      ...["gini", "share", "3", "0.4790", "0.02000", "0.4990", "0.4700", "0.5300"],
      "0.487 to 0.513",
    ]);
    expect(await cells("comparisons", 0)).toEqual([
      ...["gini", "share", "burn", "yes", "3", "−0.02100", "−0.034 to −0.008"],
      ...["0.001", "0.003", "−1.100", "0.01800"],
    ]);
    const exact = tab.page.locator("section[aria-labelledby=runs] tbody td.number[title]").first();
    expect(await exact.getAttribute("title")).toBe("0.493");
    await closedWell(tab);
  });

  it("loads nothing", async () => {
    const tab = await browser.open("about:blank");
    const asked: string[] = [];
    tab.page.on("request", (request) => asked.push(request.url()));
    await tab.page.goto(address);
    expect(asked).toEqual([address]);
    await closedWell(tab);
  });

  it.each(["light", "dark"] as const)("draws charts in %s colours", async (colorScheme) => {
    const tab = await browser.open(address, { colorScheme });
    const paper = `getComputedStyle(document.querySelector("svg rect")).fill`;
    const expected = { light: "rgb(255, 255, 255)", dark: "rgb(28, 31, 37)" };
    expect(await tab.page.evaluate(paper)).toBe(expected[colorScheme]);
    await closedWell(tab);
  });

  it("is not wider than a phone", async () => {
    const tab = await browser.open(address, { viewport: { width: 360, height: 740 } });
    expect(await tab.page.evaluate("document.documentElement.scrollWidth")).toBe(360);
    await closedWell(tab);
  });

  it("prints on white, also from a dark screen", async () => {
    const tab = await browser.open(address, { colorScheme: "dark" });
    await tab.page.emulateMedia({ media: "print", colorScheme: "dark" });
    const paper = `getComputedStyle(document.querySelector("svg rect")).fill`;
    expect(await tab.page.evaluate(paper)).toBe("rgb(255, 255, 255)");
    expect((await tab.page.pdf({ format: "A4" })).length).toBeGreaterThan(10_000);
    await closedWell(tab);
  });

  it("shows markup and control codes as text", async () => {
    const evil = `</title><img src=x onerror=alert(1)><script>alert(1)</script>\u202e`;
    const shown = evil.replace("\u202e", "\\u{202e}");
    const runs = [run(evil, 1, { error: evil, command: evil, status: "failed" }), run("burn", 1)];
    const measures = {
      [evil]: { says: evil, arms: { [evil]: summary() }, differences: [contrast({ a: evil })] },
    };
    const warnings = [{ kind: "failed_runs", arm: evil, text: evil }] as const;
    const of = reportInput({
      result: { name: evil, question: evil, manifest_hash: evil, runs, measures, warnings },
      experiment: { file: evil, text: evil },
      command: evil,
    });
    const tab = await browser.open(await pageOf("evil", of));
    expect(await tab.page.locator("h1").textContent()).toBe(shown);
    expect(await tab.page.locator("pre").textContent()).toBe(shown);
    expect(await tab.page.locator("img, script").count()).toBe(0);
    await closedWell(tab);
  });

  it("has no parts without values: one arm, no run done", async () => {
    const measures = {
      gini: {
        says: "",
        arms: { burn: summary({ n: 0, mean: null, ci95: null }) },
        differences: [],
      },
    };
    const runs = [run("burn", 1, { status: "failed", figures: {}, error: "no memory" })];
    const tab = await browser.open(
      await pageOf("empty", reportInput({ result: { runs, measures } })),
    );
    expect(await tab.page.locator("h2").allTextContents()).toEqual([
      "Findings",
      "Design",
      "Measures",
      "Runs",
      "Repeat this experiment",
    ]);
    expect(await tab.page.locator(".is-failed").innerText()).toContain("failed: no memory");
    await closedWell(tab);
  });
});

describe("a chart as a file", () => {
  it("has dark colours on dark screens by itself", async () => {
    const svg = pathToFileURL(join(folder, "plain", "figures", "differences.svg")).href;
    const tab = await browser.open(svg, { colorScheme: "dark" });
    const paper = `getComputedStyle(document.querySelector("rect")).fill`;
    expect(await tab.page.evaluate(paper)).toBe("rgb(28, 31, 37)");
    await closedWell(tab);
  });
});
