import { csvLine } from "../../../../read/index.ts";
import { numberText } from "../../parts/text.ts";
import type { LorenzSpec } from "../specs.ts";
import {
  headShapes,
  PAPER_GRID,
  PAPER_INK,
  PAPER_SOFT,
  PAPER_TONES,
  type Picture,
  type Shape,
} from "./picture.ts";
import { type ChartFiles, chartFiles } from "./save-menu.ts";

const SIZE = 480;
const LEFT = 84;
const TOP = 74;
const TEXT_PX = 16;
const QUARTERS = [0, 0.25, 0.5, 0.75, 1];

export const lorenzFiles = (spec: LorenzSpec): ChartFiles =>
  chartFiles(
    spec.title,
    () => lorenzPicture(spec),
    () => lorenzTable(spec),
  );

/** The curve as CSV: the poorest share of the agents, and what share of the scrip it has. */
export const lorenzTable = ({ points }: LorenzSpec): string =>
  [
    csvLine(["share_of_agents", "share_of_scrip"]),
    ...points.map(({ population, wealth }) => csvLine([population, wealth])),
  ].join("");

const x = (share: number): number => LEFT + share * SIZE;
const y = (share: number): number => TOP + (1 - share) * SIZE;

export const lorenzPicture = ({ title, points, gini }: LorenzSpec): Picture => {
  const width = LEFT + SIZE + 32;
  const note = `Lorenz curve. Gini coefficient ${numberText(gini)}.`;
  const tone = PAPER_TONES[0];
  const curve = points.map(({ population, wealth }) => [x(population), y(wealth)] as const);
  const diagonal = [
    [x(0), y(0)],
    [x(1), y(1)],
  ] as const;
  const soft = { kind: "text", size: TEXT_PX, fill: PAPER_SOFT } as const;
  const [below, middle] = [TOP + SIZE + 48, TOP + SIZE / 2];
  return {
    ...{ width, height: TOP + SIZE + 62 },
    shapes: [
      ...headShapes({ title, note }, LEFT, width),
      ...QUARTERS.flatMap(gridAt),
      { kind: "area", points: [...curve, ...diagonal.toReversed()], fill: `${tone}2e` },
      { kind: "line", points: diagonal, stroke: PAPER_INK, width: 1, dash: [4, 4] },
      { kind: "line", points: curve, stroke: tone, width: 2 },
      {
        ...soft,
        at: [x(0.5), below],
        text: "share of the agents, poorest first",
        anchor: "middle",
      },
      { ...soft, at: [22, middle], text: "share of the scrip", anchor: "middle", turn: -90 },
    ],
  };
};

const gridAt = (share: number): readonly Shape[] => {
  const line = { kind: "line", stroke: PAPER_GRID, width: 1 } as const;
  const text = { kind: "text", size: TEXT_PX, fill: PAPER_SOFT } as const;
  const up = [
    [x(share), y(0)],
    [x(share), y(1)],
  ] as const;
  const across = [
    [x(0), y(share)],
    [x(1), y(share)],
  ] as const;
  const label = `${share * 100} %`;
  return [
    { ...line, points: up },
    { ...line, points: across },
    { ...text, at: [x(share), y(0) + 22], text: label, anchor: "middle" },
    { ...text, at: [x(0) - 8, y(share) + 5], text: label, anchor: "end" },
  ];
};
