import { numberText, percentText } from "../parts/text.ts";
import { type Chart, shape } from "./chart.ts";
import { lorenzFiles } from "./saving/lorenz-files.ts";
import type { LorenzSpec } from "./specs.ts";
import { statelessChart } from "./stateless-chart.ts";

const SIZE = 300;
const LEFT = 58;
const TOP = 10;
const BOTTOM = 42;
const QUARTERS = [0, 0.25, 0.5, 0.75, 1];

const x = (share: number): number => LEFT + share * SIZE;
const y = (share: number): number => TOP + (1 - share) * SIZE;

export const lorenzChart = (given: LorenzSpec): Chart<LorenzSpec> =>
  statelessChart(given, { draw: (spec) => [drawn(spec)], files: lorenzFiles });

const drawn = ({ points, gini }: LorenzSpec): SVGElement => {
  const curve = points.map(({ population, wealth }) => `${x(population)},${y(wealth)}`).join(" ");
  const half = points.find(({ population }) => population >= 0.5)?.wealth ?? 0;
  const spoken =
    `Lorenz curve, Gini coefficient ${numberText(gini)}: ` +
    `the poorer half has ${percentText(half)} of the wealth`;
  const [width, height] = [LEFT + SIZE + 24, TOP + SIZE + BOTTOM];
  return shape(
    "svg",
    { class: "lorenz", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": spoken },
    ...QUARTERS.flatMap(gridAt),
    shape("polygon", { class: "gap", points: `${curve} ${x(1)},${y(1)} ${x(0)},${y(0)}` }),
    shape("line", { class: "equal", x1: x(0), y1: y(0), x2: x(1), y2: y(1) }),
    shape("polyline", { class: "curve", points: curve }),
    label("share of the agents, poorest first", { x: x(0.5), y: height - 6 }),
    label("share of the scrip", { x: 12, y: y(0.5), turn: -90 }),
    label("all equal", { x: x(0.44), y: y(0.5), turn: -45 }),
  );
};

type LabelPlace = { readonly x: number; readonly y: number; readonly turn?: number };

const label = (text: string, { x, y, turn = 0 }: LabelPlace): SVGElement =>
  shape("text", { "text-anchor": "middle", x, y, transform: `rotate(${turn} ${x} ${y})` }, text);

const gridAt = (share: number): readonly SVGElement[] => [
  shape("line", { class: "grid", x1: x(share), y1: y(0), x2: x(share), y2: y(1) }),
  shape("line", { class: "grid", x1: x(0), y1: y(share), x2: x(1), y2: y(share) }),
  label(`${share * 100} %`, { x: x(share), y: y(0) + 16 }),
  shape("text", { "text-anchor": "end", x: x(0) - 6, y: y(share) + 4 }, `${share * 100} %`),
];
