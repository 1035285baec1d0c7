import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { type ReportInput, writeReport } from "../../../src/experiment/index.ts";
import { memoized } from "../../../src/kernel/index.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { contrast, crossedInput, reportInput, run, summary } from "./report-fixture.ts";

/** The charts in a report, as SVG, by their names. */
const chartsOf = memoized(async (of: ReportInput): Promise<Readonly<Record<string, string>>> => {
  const files = await writeReport(temporaryFolder(), of);
  const svgs = files.filter((file) => file.endsWith(".svg"));
  return Object.fromEntries(
    svgs.map((file) => [
      basename(file, ".svg"),
      readFileSync(file, "utf8").replace(/<style>.*?<\/style>/, ""),
    ]),
  );
});

const chartOf = async (of: ReportInput, name: string): Promise<string> =>
  (await chartsOf(of))[name] ?? "";

const textsIn = (svg = ""): readonly string[] =>
  [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text = ""]) => text);

const input = reportInput();

describe("the charts of an experiment", () => {
  it("are of differences, of each figure over time, and of each measure", async () => {
    expect(Object.keys(await chartsOf(input))).toEqual([
      "differences",
      "trajectory-trades",
      "trajectory-gini",
      "trajectory-compute_price",
      "distribution-gini",
    ]);
  });

  it("show markup in names as text", async () => {
    const evil = `<b>&"'</b>`;
    const runs = ["burn", evil].flatMap((arm) => [1, 2, 3].map((seed) => run(arm, seed)));
    const gini = {
      says: evil,
      arms: { burn: summary(), [evil]: summary() },
      differences: [contrast({ a: evil })],
    };
    const charts = await chartsOf(reportInput({ result: { runs, measures: { [evil]: gini } } }));
    expect(Object.keys(charts)).toHaveLength(4);
    for (const svg of Object.values(charts)) expect(svg).not.toContain("<b>");
  });

  it("have no ids and no styles, so that a page can hold them all", async () => {
    const dir = temporaryFolder();
    await writeReport(dir, input);
    const svgs = readFileSync(join(dir, "report.html"), "utf8").match(/<svg.*?<\/svg>/gs) ?? [];
    expect(svgs).toHaveLength(5);
    for (const svg of svgs) expect(svg).not.toMatch(/<style| style=| id=/);
  });
});

describe("the chart of differences", () => {
  it("shows interval, n and corrected p of each difference", async () => {
    const texts = textsIn(await chartOf(input, "differences"));
    expect(texts).toEqual(
      expect.arrayContaining([
        "gini",
        "share − burn",
        "Differences from burn",
        "n = 3, p (Holm) 0.003",
      ]),
    );
    expect(texts).toContain("−0.021 [−0.034, −0.008]");
  });

  it("fills the marks of differences that count", async () => {
    const fillsFor = async (p_holm: number): Promise<boolean> => {
      const gini = { ...input.result.measures.gini, differences: [contrast({ p_holm })] };
      const measures = { gini: { says: "", arms: {}, ...gini } };
      const svg = await chartOf(reportInput({ result: { measures } }), "differences");
      return /fill="(#\w+)" stroke="\1"/.test(svg);
    };
    expect(await fillsFor(0.049)).toBe(true);
    expect(await fillsFor(0.051)).toBe(false);
  });

  it("is left out without a control", async () => {
    const measures = { gini: { says: "", arms: { burn: summary() }, differences: [] } };
    expect(await chartsOf(reportInput({ result: { measures } }))).not.toHaveProperty("differences");
  });

  it("has an axis even if all differences are 0", async () => {
    const same = contrast({ mean: 0, ci95: [0, 0], detectable: 0, p: 1, p_holm: 1 });
    const measures = { gini: { says: "", arms: {}, differences: [same] } };
    const texts = textsIn(await chartOf(reportInput({ result: { measures } }), "differences"));
    expect(texts).toEqual(expect.arrayContaining(["0", "0.00 [0.00, 0.00]"]));
  });

  it("shows a difference without an interval", async () => {
    const bare = { n: 1, ci95: null, p: null, p_holm: null, detectable: null };
    const measures = { gini: { says: "", arms: {}, differences: [contrast(bare)] } };
    const texts = textsIn(await chartOf(reportInput({ result: { measures } }), "differences"));
    expect(texts).toEqual(expect.arrayContaining(["−0.0210", "n = 1, p (Holm) –"]));
  });
});

describe("a chart over time", () => {
  it("labels the line of each arm with its n", async () => {
    const texts = textsIn(await chartOf(input, "trajectory-gini"));
    expect(texts).toEqual(
      expect.arrayContaining(["burn (n = 3)", "share (n = 3)", "run time (m:ss)"]),
    );
  });

  it("has a panel for each point of the factors", async () => {
    const texts = textsIn(await chartOf(crossedInput(), "trajectory-gini"));
    expect(texts).toEqual(expect.arrayContaining(["mint.period_s = 30", "mint.period_s = 60"]));
    expect(texts.filter((text) => text === "share (n = 3)").length).toBe(2);
  });

  it("is left out if no value ever changes", async () => {
    const still = new Map(
      [...input.trajectories].map(([id, each]) => [id, { ...each, gini: each.at_ms.map(() => 1) }]),
    );
    const frozen: ReportInput = { ...input, trajectories: still };
    expect(await chartsOf(frozen)).not.toHaveProperty("trajectory-gini");
  });

  it("leaves out runs that failed", async () => {
    const runs = input.result.runs.map((each) =>
      each.id === "share-s3" ? { ...each, status: "failed" as const } : each,
    );
    const texts = textsIn(
      await chartOf({ ...input, result: { ...input.result, runs } }, "trajectory-gini"),
    );
    expect(texts).toContain("share (n = 2)");
  });
});

describe("the chart of a distribution", () => {
  it("has a dot for each run, and the mean and n of each arm", async () => {
    const svg = await chartOf(input, "distribution-gini");
    expect(svg.match(/opacity="0.85"/g)?.length).toBe(6);
    expect(textsIn(svg)).toEqual(
      expect.arrayContaining(["burn", "share", "mean 0.500", "mean 0.479", "n = 3"]),
    );
  });

  it("has the control above the other arms at each point of the factors", async () => {
    const svg = await chartOf(crossedInput(), "distribution-gini");
    expect(textsIn(svg).filter((text) => text.includes("period"))).toEqual(
      [30, 60].flatMap((s) => ["burn", "share"].map((arm) => `${arm} {mint.period_s=${s}}`)),
    );
    expect(svg.match(/stroke="#b9bbb8"/g)?.length).toBe(2 * 3);
  });

  it("joins the runs of a seed only if arms are compared seed by seed", async () => {
    const linesIn = async (paired: boolean): Promise<number> => {
      const gini = {
        says: "",
        arms: { burn: summary(), share: summary() },
        differences: [contrast({ paired })],
      };
      const result = { measures: { gini } };
      const svg = await chartOf(reportInput({ result }), "distribution-gini");
      return svg.match(/stroke="#b9bbb8"/g)?.length ?? 0;
    };
    expect(await linesIn(true)).toBe(3);
    expect(await linesIn(false)).toBe(0);
  });
});

describe("a long name", () => {
  const long =
    "an arm whose name is so long that no chart has space for all of it, not even its end";

  it("keeps both of its ends in the name of a cell and in the label of a line", async () => {
    const charts = await chartsOf(
      reportInput({
        result: {
          runs: [1, 2, 3].map((seed) => run(long, seed)),
          measures: { gini: { says: long, arms: { [long]: summary() }, differences: [] } },
        },
      }),
    );
    const [name] = textsIn(charts["distribution-gini"]).filter((text) => text.includes("…"));
    expect(name).toMatch(/^an arm whose .*….*even its end$/);
    expect(textsIn(charts["trajectory-gini"]).find((text) => text.includes("…"))).toMatch(
      /^an arm.*….*\(n = 3\)$/,
    );
  });
});
