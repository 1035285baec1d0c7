import { csvLine } from "../../../../read/index.ts";
import {
  labelledAmong,
  labelOf,
  type NetworkLayout,
  nodesToDraw,
  type PlacedNode,
  PROGRAMS_NOTE,
} from "../network-layout.ts";
import { type NetworkSpec, withPayments } from "../specs.ts";
import {
  headShapes,
  PAPER_GRID,
  PAPER_SOFT,
  PAPER_TONES,
  type Picture,
  rectangle,
  type Shape,
} from "./picture.ts";
import { type ChartFiles, chartFiles } from "./save-menu.ts";

const LEFT = 24;
const TOP = 74;
const TEXT_PX = 14;
/** The width of the picture for each unit of the layout on the screen. */
const SCALE = 1.3;

export const networkFiles = (spec: NetworkSpec, layout: NetworkLayout): ChartFiles =>
  chartFiles(
    spec.title,
    () => networkPicture(spec, layout),
    () => flowTable(spec),
  );

export const matrixFiles = (spec: NetworkSpec, principalsMax: number): ChartFiles =>
  chartFiles(
    `${spec.title} matrix`,
    () => matrixPicture(spec, principalsMax),
    () => flowTable(spec),
  );

/** All flows of payments as CSV, the largest first. */
export const flowTable = ({ network }: Pick<NetworkSpec, "network">): string =>
  [
    csvLine(["from", "to", "scrip", "payments"]),
    ...network.edges.map(({ from, to, amount, payments }) => csvLine([from, to, amount, payments])),
  ].join("");

const AGENT = PAPER_TONES[0];

export const networkPicture = (spec: NetworkSpec, layout: NetworkLayout): Picture => {
  const { title } = spec;
  const { places, links, size } = layout;
  const [width, height] = [size.width * SCALE, size.height * SCALE + TOP];
  const at = ({ x = 0, y = 0 }: Pick<PlacedNode, "x" | "y">): Place =>
    [x * SCALE, y * SCALE + TOP] as const;
  const most = Math.max(1, ...links.map(({ edge }) => edge.amount));
  const labelled = labelledAmong(places);
  const flows = links.flatMap(({ source, target, edge }): readonly Shape[] => {
    const breadth = 0.75 + 5 * Math.sqrt(edge.amount / most);
    return flowShapes(at(source), at(target), { width: breadth, gap: target.radius * SCALE });
  });
  const nodes = places.flatMap((place): readonly Shape[] => {
    const [x, y] = at(place);
    const { node, radius } = place;
    const fill = node.agent ? AGENT : PAPER_SOFT;
    const circle = { kind: "circle", at: [x, y], radius: radius * SCALE, fill } as const;
    if (!labelled.has(place)) return [circle];
    const label = { kind: "text", text: labelOf(node), size: TEXT_PX, anchor: "middle" } as const;
    return [circle, { ...label, at: [x, y + radius * SCALE + TEXT_PX] }];
  });
  const note = withPayments(spec, `Arrows lead from payer to payee. ${PROGRAMS_NOTE}`);
  return {
    width,
    height,
    shapes: [...headShapes({ title, note }, LEFT, width), ...flows, ...nodes],
  };
};

type Place = readonly [x: number, y: number];

/** An arc, so that payments in opposite directions do not overlap, with an arrow at its end. */
const flowShapes = (
  [x1, y1]: Place,
  [x2, y2]: Place,
  { width, gap }: { readonly width: number; readonly gap: number },
): readonly Shape[] => {
  const [mx, my] = [(x1 + x2) / 2 - (y2 - y1) * BEND, (y1 + y2) / 2 + (x2 - x1) * BEND];
  const points = Array.from({ length: ARC_POINTS + 1 }, (_, step): Place => {
    const t = step / ARC_POINTS;
    const on = (a: number, b: number, c: number) =>
      (1 - t) ** 2 * a + 2 * t * (1 - t) * b + t * t * c;
    return [on(x1, mx, x2), on(y1, my, y2)];
  });
  const angle = Math.atan2(y2 - my, x2 - mx);
  const corner = (along: number, aside: number): Place => [
    x2 - along * Math.cos(angle) - aside * Math.sin(angle),
    y2 - along * Math.sin(angle) + aside * Math.cos(angle),
  ];
  const end = gap + 6 + 1.5 * width;
  const half = (end - gap) / 2.4;
  const tip = [corner(gap, 0), corner(end, half), corner(end, -half)];
  return [
    { kind: "line", points, stroke: "#9a9da6", width },
    { kind: "area", points: tip, fill: "#9a9da6" },
  ];
};

const BEND = 0.12;
const ARC_POINTS = 12;

const CELL = 18;
const LABEL = 160;

export const matrixPicture = (spec: NetworkSpec, principalsMax: number): Picture => {
  const { title, network } = spec;
  const nodes = nodesToDraw(network, { max: principalsMax, found: null });
  const size = LABEL + CELL * nodes.length;
  const places = new Map(nodes.map(({ id }, at) => [id, at]));
  const place = (at: number): number => LABEL + CELL * at;
  const heads = nodes.flatMap((node, at): readonly Shape[] => {
    const text = { kind: "text", text: labelOf(node), size: TEXT_PX - 1 } as const;
    const middle = place(at) + CELL - 4;
    const line = { kind: "line", stroke: PAPER_GRID, width: 1 } as const;
    const [down, over] = [TOP + place(at), LEFT + place(at)];
    return [
      {
        ...line,
        points: [
          [LEFT + LABEL, down],
          [LEFT + size, down],
        ],
      },
      {
        ...line,
        points: [
          [over, TOP + LABEL],
          [over, TOP + size],
        ],
      },
      { ...text, at: [LEFT + LABEL - 6, TOP + middle], anchor: "end" },
      { ...text, at: [LEFT + middle, TOP + LABEL - 6], turn: -90 },
    ];
  });
  const flows = network.edges.filter(({ from, to }) => places.has(from) && places.has(to));
  const most = Math.max(1, ...flows.map(({ amount }) => amount));
  const cells = flows.map(({ from, to, amount }): Shape => {
    const [x, y] = [place(places.get(to) ?? 0) + 1, place(places.get(from) ?? 0) + 1];
    const share = 0.15 + 0.85 * Math.sqrt(amount / most);
    const opacity = Math.round(share * 255)
      .toString(16)
      .padStart(2, "0");
    return rectangle([LEFT + x, TOP + y], [CELL - 2, CELL - 2], `${AGENT}${opacity}`);
  });
  const says = "Principals in rows paid those in columns. Darker cells carried more scrip.";
  const note = withPayments(spec, says);
  const width = Math.max(640, 2 * LEFT + size);
  const head = headShapes({ title, note }, LEFT, width);
  return { width, height: TOP + size + LEFT, shapes: [...head, ...heads, ...cells] };
};
