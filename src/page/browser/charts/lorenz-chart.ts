import { csvLine, type LorenzPoint } from "../../../read/index.ts";
import { numberText, percentText } from "../parts/text.ts";
import { type Chart, pictureElement, redrawnChart } from "./chart.ts";
import type { Picture, Shape } from "./picture.ts";

export type LorenzSpec = {
  readonly title: string;
  readonly note: string;
  readonly points: readonly LorenzPoint[];
  readonly gini: number;
};

export const lorenzChart = (given: LorenzSpec): Chart<LorenzSpec> =>
  redrawnChart(given, {
    draw: (spec) => [
      pictureElement(lorenzPicture(spec), {
        class: "lorenz",
        role: "img",
        "aria-label": spokenText(spec),
      }),
    ],
    files: (spec) => ({
      title: spec.title,
      picture: () => lorenzPicture(spec),
      table: () => lorenzTable(spec),
    }),
  });

const spokenText = ({ points, gini }: LorenzSpec): string => {
  const half = points.find(({ population }) => population >= 0.5)?.wealth ?? 0;
  return (
    `Lorenz curve, Gini coefficient ${numberText(gini)}: ` +
    `the poorer half has ${percentText(half)} of the wealth`
  );
};

/** The curve as CSV: the poorest share of the agents, and what share of the scrip it has. */
export const lorenzTable = ({ points }: LorenzSpec): string =>
  [
    csvLine(["share_of_agents", "share_of_scrip"]),
    ...points.map(({ population, wealth }) => csvLine([population, wealth])),
  ].join("");

const SIZE = 480;
const LEFT = 84;
const TOP = 14;
const TEXT_PX = 16;
const QUARTERS = [0, 0.25, 0.5, 0.75, 1];

const x = (share: number): number => LEFT + share * SIZE;
const y = (share: number): number => TOP + (1 - share) * SIZE;

export const lorenzPicture = ({ title, points, gini }: LorenzSpec): Picture => {
  const curve = points.map(({ population, wealth }) => [x(population), y(wealth)] as const);
  const diagonal = [
    [x(0), y(0)],
    [x(1), y(1)],
  ] as const;
  const soft = { kind: "text", size: TEXT_PX, fill: "--ink-soft", anchor: "middle" } as const;
  const agents = "share of the agents, poorest first";
  return {
    title,
    note: `Lorenz curve. Gini coefficient ${numberText(gini)}.`,
    width: LEFT + SIZE + 32,
    height: TOP + SIZE + 62,
    shapes: [
      ...QUARTERS.flatMap(gridAt),
      {
        kind: "area",
        points: [...curve, ...diagonal.toReversed()],
        fill: "--tone-1",
        opacity: 0.16,
      },
      { kind: "line", points: diagonal, stroke: "--ink-soft", width: 1, dash: [4, 4] },
      { kind: "line", points: curve, stroke: "--tone-1", width: 2.5 },
      { ...soft, at: [x(0.5), y(0) + 48], text: agents },
      { ...soft, at: [22, y(0.5)], text: "share of the scrip", turn: -90 },
      { ...soft, at: [x(0.44), y(0.5)], text: "all equal", turn: -45 },
    ],
  };
};

const gridAt = (share: number): readonly Shape[] => {
  const line = { kind: "line", stroke: "--grid", width: 1 } as const;
  const text = {
    kind: "text",
    size: TEXT_PX,
    fill: "--ink-soft",
    text: `${share * 100} %`,
  } as const;
  const up = [
    [x(share), y(0)],
    [x(share), y(1)],
  ] as const;
  const across = [
    [x(0), y(share)],
    [x(1), y(share)],
  ] as const;
  return [
    { ...line, points: up },
    { ...line, points: across },
    { ...text, at: [x(share), y(0) + 22], anchor: "middle" },
    { ...text, at: [x(0) - 8, y(share) + 5], anchor: "end" },
  ];
};
