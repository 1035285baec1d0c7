import { html } from "htm/preact";
import { csvLine, type LorenzPoint } from "../../../figures/index.ts";
import { type Picture, pathOf, type Shape } from "../../../read/index.ts";
import { numberText, percentText } from "../../../text/index.ts";
import { Chart, elementsOf } from "./chart.ts";

export type LorenzSpec = {
  readonly title: string;
  readonly note: string;
  readonly points: readonly LorenzPoint[];
  readonly gini: number;
};

export const LorenzChart = ({ spec }: { readonly spec: LorenzSpec }) => {
  const { points, gini } = spec;
  const { width, height, shapes } = lorenzPicture(spec);
  const half = points.find(({ population }) => population >= 0.5)?.wealth ?? 0;
  const spoken =
    `Lorenz curve, Gini coefficient ${numberText(gini)}: ` +
    `the poorer half has ${percentText(half)} of the wealth`;
  return html`
    <${Chart} ...${spec} picture=${() => lorenzPicture(spec)} table=${() => lorenzTable(spec)}>
      <svg class="lorenz" viewBox=${`0 0 ${width} ${height}`} role="img" aria-label=${spoken}>
        ${elementsOf(shapes)}</svg>
    <//>
  `;
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

const x = (share: number): number => LEFT + share * SIZE;
const y = (share: number): number => TOP + (1 - share) * SIZE;

export const lorenzPicture = ({ title, points, gini }: LorenzSpec): Picture => {
  const curve = points.map(({ population, wealth }) => [x(population), y(wealth)] as const);
  const diagonal = [
    [x(0), y(0)],
    [x(1), y(1)],
  ] as const;
  const soft = { kind: "text", size: 16, fill: "ink-soft", anchor: "middle" } as const;
  const grid = [0, 0.25, 0.5, 0.75, 1].flatMap((share): readonly Shape[] => {
    const lines = `M${x(share)} ${y(0)}V${y(1)}M${x(0)} ${y(share)}H${x(1)}`;
    const text = `${share * 100} %`;
    return [
      { kind: "path", d: lines, stroke: "grid" },
      { ...soft, at: [x(share), y(0) + 22], text },
      { ...soft, at: [x(0) - 8, y(share) + 5], text, anchor: "end" },
    ];
  });
  const area = pathOf([...curve, ...diagonal.toReversed()], true);
  return {
    title,
    note: `Lorenz curve. Gini coefficient ${numberText(gini)}.`,
    width: LEFT + SIZE + 32,
    height: TOP + SIZE + 62,
    shapes: [
      ...grid,
      { kind: "path", d: area, fill: "tone-1", opacity: 0.16 },
      { kind: "path", d: pathOf(diagonal), stroke: "ink-soft", dash: [4, 4] },
      { kind: "path", d: pathOf(curve), stroke: "tone-1", width: 2.5 },
      { ...soft, at: [x(0.5), y(0) + 48], text: "share of the agents, poorest first" },
      { ...soft, at: [22, y(0.5)], text: "share of the scrip", turn: -90 },
      { ...soft, at: [x(0.44), y(0.5)], text: "all equal", turn: -45 },
    ],
  };
};
