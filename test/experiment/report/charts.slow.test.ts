import { describe, expect, it } from "vitest";
import type { ReportInput } from "../../../src/experiment/index.ts";
import { type Charts, chartsOf, svgFile } from "../../../src/experiment/report/charts.ts";
import { fittedName, fittedText, textWidth } from "../../../src/experiment/report/text-width.ts";
import { contrast, crossedInput, reportInput, run, summary } from "./report-fixture.ts";

const textsIn = (svg: string): readonly string[] =>
  [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text = ""]) => text);

const allIn = (charts: Charts) => Object.values(charts).flat();

const named = (charts: Charts, name: string): string =>
  allIn(charts).find((chart) => chart.name === name)?.svg ?? "";

const input = reportInput();

describe("the charts of an experiment", () => {
  it("are of differences, of each figure over time, and of each measure", async () => {
    expect(allIn(await chartsOf(input)).map(({ name }) => name)).toEqual([
      "differences",
      "trajectory-trades",
      "trajectory-gini",
      "trajectory-compute_price",
      "distribution-gini",
    ]);
  });

  it("are the same each time", async () => {
    expect(await chartsOf(input)).toEqual(await chartsOf(input));
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
    for (const chart of allIn(charts)) {
      expect(svgFile(chart)).not.toContain("<b>");
    }
  });

  it("have no ids and no styles, so that a page can hold them all", async () => {
    for (const { svg } of allIn(await chartsOf(input)))
      expect(svg).not.toMatch(/<style| style=| id=/);
  });
});

describe("the chart of differences", () => {
  it("shows interval, n and corrected p of each difference", async () => {
    const texts = textsIn(named(await chartsOf(input), "differences"));
    expect(texts).toEqual(
      expect.arrayContaining(["gini", "share", "difference from burn", "3", "0.003"]),
    );
    expect(texts).toContain("−0.021 [−0.034, −0.008]");
  });

  it("fills the marks of differences that count", async () => {
    const fillsFor = async (p_holm: number): Promise<boolean> => {
      const gini = { ...input.result.measures.gini, differences: [contrast({ p_holm })] };
      const measures = { gini: { says: "", arms: {}, ...gini } };
      const svg = named(await chartsOf(reportInput({ result: { measures } })), "differences");
      return /<path[^>]*fill="#d9690a"/.test(svg);
    };
    expect(await fillsFor(0.049)).toBe(true);
    expect(await fillsFor(0.051)).toBe(false);
  });

  it("is left out without a control", async () => {
    const measures = { gini: { says: "", arms: { burn: summary() }, differences: [] } };
    expect((await chartsOf(reportInput({ result: { measures } }))).differences).toEqual([]);
  });

  it("has an axis even if all differences are 0", async () => {
    const same = contrast({ mean: 0, ci95: [0, 0], detectable: 0, p: 1, p_holm: 1 });
    const measures = { gini: { says: "", arms: {}, differences: [same] } };
    const texts = textsIn(
      named(await chartsOf(reportInput({ result: { measures } })), "differences"),
    );
    expect(texts).toEqual(expect.arrayContaining(["−1.0", "0.0", "1.0", "0.00 [0.00, 0.00]"]));
  });

  it("shows a difference without an interval", async () => {
    const bare = { n: 1, ci95: null, p: null, p_holm: null, detectable: null };
    const measures = { gini: { says: "", arms: {}, differences: [contrast(bare)] } };
    const texts = textsIn(
      named(await chartsOf(reportInput({ result: { measures } })), "differences"),
    );
    expect(texts).toEqual(expect.arrayContaining(["−0.0210", "1", "–"]));
  });
});

describe("a chart over time", () => {
  it("labels the line of each arm with its n", async () => {
    const texts = textsIn(named(await chartsOf(input), "trajectory-gini"));
    expect(texts).toEqual(
      expect.arrayContaining(["burn (n = 3)", "share (n = 3)", "run time (s)"]),
    );
  });

  it("has a panel for each point of the factors", async () => {
    const texts = textsIn(named(await chartsOf(crossedInput()), "trajectory-gini"));
    expect(texts).toEqual(expect.arrayContaining(["mint.period_s = 30", "mint.period_s = 60"]));
    expect(texts.filter((text) => text === "share (n = 3)").length).toBe(2);
  });

  it("is left out if no value ever changes", async () => {
    const still = new Map(
      [...input.trajectories].map(([id, each]) => [id, { ...each, gini: each.at_ms.map(() => 1) }]),
    );
    const frozen: ReportInput = { ...input, trajectories: still };
    const names = (await chartsOf(frozen)).trajectories.map(({ name }) => name);
    expect(names).not.toContain("trajectory-gini");
  });

  it("leaves out runs that failed", async () => {
    const runs = input.result.runs.map((each) =>
      each.id === "share-s3" ? { ...each, status: "failed" as const } : each,
    );
    const texts = textsIn(
      named(await chartsOf({ ...input, result: { ...input.result, runs } }), "trajectory-gini"),
    );
    expect(texts).toContain("share (n = 2)");
  });
});

describe("the chart of a distribution", () => {
  it("has a dot for each run, and the mean and n of each arm", async () => {
    const svg = named(await chartsOf(input), "distribution-gini");
    const symbols = svg.match(/mark-symbol[\s\S]*?<\/g>/g)?.join("") ?? "";
    expect(symbols.match(/<path/g)?.length).toBe(6);
    expect(textsIn(svg)).toEqual(
      expect.arrayContaining(["burn", "share", "mean 0.500", "mean 0.479", "n = 3"]),
    );
  });

  it("has the control above the other arms at each point of the factors", async () => {
    const svg = named(await chartsOf(crossedInput()), "distribution-gini");
    expect(textsIn(svg).filter((text) => text.includes("period"))).toEqual(
      [30, 60].flatMap((s) => ["burn", "share"].map((arm) => `${arm} {mint.period_s=${s}}`)),
    );
    expect(svg.match(/stroke="#9aa0ab"/g)?.length).toBe(2 * 3);
  });

  it("joins the runs of a seed only if arms are compared seed by seed", async () => {
    const linesIn = async (paired: boolean): Promise<number> => {
      const gini = {
        says: "",
        arms: { burn: summary(), share: summary() },
        differences: [contrast({ paired })],
      };
      const svg = named(
        await chartsOf(reportInput({ result: { measures: { gini } } })),
        "distribution-gini",
      );
      return svg.match(/stroke="#9aa0ab"/g)?.length ?? 0;
    };
    expect(await linesIn(true)).toBe(3);
    expect(await linesIn(false)).toBe(0);
  });
});

describe("texts of charts", () => {
  it("are cut to the space that they have", () => {
    const long = "a very long name of an arm that does not fit";
    const cut = fittedText(long, 10, 60);
    expect(cut).toMatch(/^a very lo.*…$/);
    expect(textWidth(cut, 10)).toBeLessThanOrEqual(60);
    expect(fittedText("short", 10, 60)).toBe("short");
  });

  it("keep both ends of a name", () => {
    const cut = fittedName("a very long name of an arm {mint.period_s=30}", 10, 80);
    expect(cut).toMatch(/^a very.*….*s=30}$/);
    expect(textWidth(cut, 10)).toBeLessThanOrEqual(80);
  });
});
