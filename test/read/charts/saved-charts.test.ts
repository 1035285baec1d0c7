import { expect, it } from "vitest";
import { lorenzPicture, lorenzTable } from "../../../src/page/browser/charts/lorenz-chart.ts";
import {
  flowTable,
  matrixOf,
  matrixPicture,
} from "../../../src/page/browser/charts/matrix-chart.ts";
import { barsOf, rowsPicture, rowsTable, svgText } from "../../../src/read/index.ts";

const BARS = barsOf({
  title: "Income",
  note: "By source.",
  unit: "scrip",
  parts: ["calls", "tasks"],
  rows: [
    { label: "ann", values: [30, 10] },
    { label: "b,ob", values: [20, 0] },
  ],
});

const node = (id: string, agent: boolean, [paid, received]: readonly [number, number]) => ({
  ...{ id, agent, paid, received, partners: 1 },
});
const NETWORK = {
  title: "Trade network",
  note: "",
  network: {
    nodes: [
      node("ann", true, [9, 4]),
      node("bob", true, [7, 2]),
      node("cy", true, [0, 3]),
      node("shop", false, [2, 9]),
    ],
    edges: [
      { from: "ann", to: "shop", amount: 9, payments: 3 },
      { from: "bob", to: "ann", amount: 4, payments: 1 },
      { from: "bob", to: "cy", amount: 3, payments: 1 },
      { from: "shop", to: "bob", amount: 2, payments: 1 },
    ],
    edge_count: 4,
  },
};

const linesOf = (table: string): readonly string[] => table.trim().split("\r\n");

it("saves bars with their names, sums and parts", () => {
  const picture = rowsPicture(BARS);
  const text = svgText(picture);
  for (const shown of ["Income", "ann", "b,ob", "40 scrip", "20 scrip", "calls", "tasks"]) {
    expect(text).toContain(`>${shown}</text>`);
  }
  const widths = [...text.matchAll(/<path d="M[\d.]+ [\d.]+h([\d.]+)v16/g)].map(([, px]) =>
    Number(px),
  );
  expect((widths[0] ?? 0) / (widths[2] ?? 1)).toBeCloseTo(1.5, 1);
  expect(linesOf(rowsTable(BARS))).toEqual(["name,calls,tasks", "ann,30,10", '"b,ob",20,0']);
});

it("saves a Lorenz curve with its Gini coefficient", () => {
  const points = [0, 0.5, 1].map((share) => ({ population: share, wealth: share ** 2 }));
  const spec = { title: "Distribution", note: "", points, gini: 0.25 };
  expect(svgText(lorenzPicture(spec))).toContain("Gini coefficient 0.25.");
  expect(linesOf(lorenzTable(spec))).toEqual([
    "share_of_agents,share_of_scrip",
    ...["0,0", "0.5,0.25", "1,1"],
  ]);
});

it("saves the trade network as a matrix, and all flows as a table", () => {
  const { shapes } = matrixPicture(NETWORK, matrixOf(NETWORK, 44));
  expect(shapes.filter((shape) => shape.kind === "path" && shape.fill !== undefined)).toHaveLength(
    4,
  );
  expect(linesOf(flowTable(NETWORK))).toEqual([
    "from,to,scrip,payments",
    ...["ann,shop,9,3", "bob,ann,4,1", "bob,cy,3,1", "shop,bob,2,1"],
  ]);
});

it("sums the payments of principals without a row of their own, so that none is missing", () => {
  const { shown, amounts } = matrixOf(NETWORK, 2);
  expect(shown.map(({ id }) => id)).toEqual(["ann", "shop"]);
  expect(amounts).toEqual([
    [0, 9, 0],
    [0, 0, 2],
    [4, 0, 3],
  ]);
});

it("gives the principal that a person has searched for a row, and its partners", () => {
  const { shown } = matrixOf({ ...NETWORK, found: "cy" }, 2);
  expect(shown.map(({ id }) => id)).toEqual(["cy", "bob"]);
});
