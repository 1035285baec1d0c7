import { expect, it } from "vitest";
import { laidOut } from "../../../src/page/browser/charts/network-layout.ts";
import { barPicture, barTable } from "../../../src/page/browser/charts/saving/bar-files.ts";
import {
  lorenzPicture,
  lorenzTable,
} from "../../../src/page/browser/charts/saving/lorenz-files.ts";
import {
  flowTable,
  matrixPicture,
  networkPicture,
} from "../../../src/page/browser/charts/saving/network-files.ts";
import { svgText } from "../../../src/page/browser/charts/saving/picture.ts";

const BARS = {
  ...{ title: "Income", note: "By source.", unit: "scrip", parts: ["calls", "tasks"] },
  rows: [
    { label: "ann", values: [30, 10] },
    { label: "b,ob", values: [20, 0] },
  ],
};

const node = (id: string, agent: boolean) => ({ id, agent, paid: 5, received: 5, partners: 1 });
const NETWORK = {
  title: "Trade network",
  note: "",
  network: {
    nodes: [node("ann", true), node("bob", true), node("shop", false)],
    edges: [
      { from: "ann", to: "shop", amount: 9, payments: 3 },
      { from: "bob", to: "ann", amount: 4, payments: 1 },
    ],
    edge_count: 2,
  },
};
const SIZE = { width: 760, height: 520, nodesMax: 70, linksMax: 260 };

const linesOf = (table: string): readonly string[] => table.trim().split("\r\n");

it("saves bars with their names, sums and parts", () => {
  const picture = barPicture(BARS);
  const text = svgText(picture);
  for (const shown of ["Income", "ann", "b,ob", "40 scrip", "20 scrip", "calls", "tasks"]) {
    expect(text).toContain(`>${shown}</text>`);
  }
  const areas = picture.shapes.flatMap((shape) => (shape.kind === "area" ? [shape.points] : []));
  const widths = areas.map((points) => (points[1]?.[0] ?? 0) - (points[0]?.[0] ?? 0));
  expect((widths[0] ?? 0) / (widths[2] ?? 1)).toBeCloseTo(1.5);
  expect(linesOf(barTable(BARS))).toEqual(["name,calls,tasks", "ann,30,10", '"b,ob",20,0']);
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

it("saves the trade network and its matrix, and all flows as a table", () => {
  const layout = laidOut(NETWORK.network, new Map(), { size: SIZE, found: null });
  const kinds = networkPicture(NETWORK, layout).shapes.map(({ kind }) => kind);
  expect(kinds.filter((kind) => kind === "circle")).toHaveLength(3);
  // Each flow is a line with a tip.
  expect(kinds.filter((kind) => kind === "area")).toHaveLength(2);
  const matrix = matrixPicture(NETWORK, 44).shapes;
  expect(matrix.filter(({ kind }) => kind === "area")).toHaveLength(2);
  expect(linesOf(flowTable(NETWORK))).toEqual([
    "from,to,scrip,payments",
    ...["ann,shop,9,3", "bob,ann,4,1"],
  ]);
});
