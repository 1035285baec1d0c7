import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { placedLabels, tickTexts } from "../../../src/read/charts/line-picture.ts";
import {
  type LineSpec,
  linePicture,
  lineTable,
  rankedPlaces,
  svgText,
  valueTexts,
} from "../../../src/read/index.ts";
import { clockText } from "../../../src/text/index.ts";

const ROOM = { top: 0, bottom: 200, lineHeight: 12 };

it("places labels without overlaps, inside the chart, in the order of their lines", () => {
  const heights = fc.array(fc.double({ min: -50, max: 250, noNaN: true }), { maxLength: 30 });
  fc.assert(
    fc.property(heights, (heights) => {
      const wanted = heights.map((y, at) => ({ at, text: `${at}`, y }));
      const placed = placedLabels(wanted, ROOM);
      expect(placed.length).toBe(Math.min(heights.length, 16));
      for (const [place, { at, y }] of placed.entries()) {
        expect(y).toBeGreaterThanOrEqual(6 - 1e-6);
        expect(y).toBeLessThanOrEqual(194 + 1e-6);
        const next = placed[place + 1];
        if (next === undefined) continue;
        expect(next.y - y).toBeGreaterThanOrEqual(12 - 1e-6);
        expect(heights[next.at]).toBeGreaterThanOrEqual(heights[at] ?? 0);
      }
    }),
  );
});

it("leaves labels with room where they are", () => {
  const wanted = [20, 90, 150].map((y, at) => ({ at, text: "x", y }));
  expect(placedLabels(wanted, ROOM)).toEqual(wanted);
});

it("writes all times as m:ss", () => {
  const texts = [0, 59_999, 60_000, 150_400, 3_600_000, 3_723_000].map((ms) => clockText(ms));
  expect(texts).toEqual(["0:00", "0:59", "1:00", "2:30", "1:00:00", "1:02:03"]);
  expect(clockText(150_400, 1)).toBe("2:30.4");
});

it("uses as many decimals for all values of a chart", () => {
  const textOf = (values: readonly (number | null)[], value: number) =>
    valueTexts({ series: [{ label: "", values }] })(value);
  expect(textOf([1, 20, null], 1)).toBe("1");
  expect(textOf([1.5, 20, 0.123], 1.5)).toBe("1.50");
  expect(textOf([0.012], 0.012)).toBe("0.0120");
  expect(tickTexts([0, 0.5, 1], 0.5)).toEqual(["0", "0.5", "1.0"]);
  expect(tickTexts([0, 10_000, 25_000], 2_500)).toEqual(["0", "10.0k", "25.0k"]);
});

const SPEC: LineSpec = {
  title: "Wealth",
  note: "Scrip & more.",
  unit: "scrip",
  isRanked: true,
  atMs: [0, 1_000, 2_000],
  series: [
    { label: "<ada>", values: [1, 5, 2] },
    { label: "boole", values: [null, 3, 9] },
  ],
};

it("ranks the highest line first, at any time", () => {
  expect(rankedPlaces(SPEC, 2)).toEqual([1, 0]);
  expect(rankedPlaces(SPEC, 0)).toEqual([0, 1]);
});

it("draws only the shown range and series as a picture, with names as text", () => {
  const range = { fromMs: 0, toMs: 2_000 };
  const all = svgText(linePicture(SPEC, range, () => true));
  expect(all).toContain("&lt;ada&gt;</text>");
  expect(all).toContain("Scrip &amp; more.");
  expect(all).not.toContain("<ada>");
  const one = svgText(linePicture(SPEC, range, (at) => at === 1));
  expect(one).not.toContain("ada");
  expect(one).toContain(">boole</text>");
});

it("writes all values of a chart as CSV", () => {
  expect(lineTable(SPEC)).toBe("run_time_s,<ada>,boole\r\n0,1,\r\n1,5,3\r\n2,2,9\r\n");
});

describe("a line with a band", () => {
  const names = ["5 %", "95 %"] as const;
  const banded: LineSpec = {
    ...SPEC,
    series: SPEC.series.map((series, at) =>
      at === 0 ? series : { ...series, band: { low: [null, 2, 8], high: [null, 4, 30], names } },
    ),
  };

  it("is saved as an area in a picture, and as two columns in a table", () => {
    const picture = linePicture(banded, { fromMs: 0, toMs: 2_000 }, () => true);
    const areas = picture.shapes.filter((shape) => shape.kind === "path" && shape.d.endsWith("Z"));
    expect(areas).toHaveLength(1);
    expect(svgText(picture)).toContain(">30</text>");
    expect(lineTable(banded).split("\r\n").slice(0, 3)).toEqual([
      "run_time_s,<ada>,boole,boole 5 %,boole 95 %",
      ...["0,1,,,", "1,5,3,2,4"],
    ]);
  });
});
