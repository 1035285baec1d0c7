import { darkStyle, GRID, INK, PAPER, SOFT } from "./palette.ts";
import { textWidth } from "./text-width.ts";

/** A specification of Vega-Lite. Its own types forbid read-only arrays. */
export type Spec = { readonly [key: string]: unknown };

/** A chart before it is drawn. */
export type ChartSpec = {
  /** The name of its files. */
  readonly name: string;
  /** What the chart shows, for readers who do not see it. */
  readonly says: string;
  readonly spec: Spec;
};

export type DrawnChart = {
  readonly name: string;
  readonly says: string;
  /** An SVG element without styles and ids, for a page that has `darkStyle`. */
  readonly svg: string;
};

/** The font of charts. Arimo, Arial and Liberation Sans have equal widths. */
export const FONT = "Arimo, Arial, 'Liberation Sans', Helvetica, sans-serif";
export const FONT_SIZE = 11.5;
const TITLE_SIZE = 14;

/** The look of all charts. */
const CONFIG = {
  background: PAPER,
  padding: 14,
  font: FONT,
  aria: false,
  view: { stroke: null },
  axis: {
    domain: false,
    tickColor: GRID,
    gridColor: GRID,
    labelColor: SOFT,
    labelFontSize: FONT_SIZE,
    titleColor: SOFT,
    titleFontSize: FONT_SIZE,
    titleFontWeight: "normal",
    tickSize: 4,
    labelPadding: 4,
    titlePadding: 8,
  },
  title: {
    color: INK,
    fontSize: TITLE_SIZE,
    fontWeight: "bold",
    subtitleColor: SOFT,
    subtitleFontSize: FONT_SIZE,
    subtitlePadding: 5,
    anchor: "start",
    frame: "group",
    offset: 14,
  },
  header: { labelColor: INK, labelFontSize: FONT_SIZE, title: null },
  text: { color: INK, fontSize: FONT_SIZE },
  legend: { disable: true },
} as const;

/**
 * Draws charts in turn. The same spec always gives the same text. Loads Vega, which takes a
 * tenth of a second or two.
 */
export const drawCharts = async (specs: readonly ChartSpec[]): Promise<readonly DrawnChart[]> => {
  const [vega, { compile }] = await Promise.all([import("vega"), import("vega-lite")]);
  // Without a canvas, Vega only guesses widths, and leaves too much space for texts.
  Object.assign(metricsOf(vega), { width: widthOf });
  const charts: DrawnChart[] = [];
  const logger = vega.logger(vega.None);
  for (const { name, says, spec } of specs) {
    const whole = JSON.parse(JSON.stringify({ ...spec, config: CONFIG }));
    const { spec: compiled } = compile(whole, { logger });
    const view = new vega.View(vega.parse(compiled), { renderer: "none", logger });
    const drawn = await view.toSVG();
    view.finalize();
    charts.push({ name, says, svg: described(drawn, says) });
  }
  return charts;
};

/** The types of Vega lack its text metrics. */
const metricsOf = (vega: object): object =>
  "textMetrics" in vega && vega.textMetrics instanceof Object ? vega.textMetrics : {};

type TextItem = { readonly fontSize?: number };

/** Leaves room for a font that is wider than Arial, on machines that have none of `FONT`. */
const WIDER_FONT = 1.15;

const widthOf = (item: TextItem, text: unknown): number =>
  WIDER_FONT * textWidth(String(text ?? ""), item.fontSize ?? FONT_SIZE);

/** Names the picture for readers who do not see it. */
const described = (svg: string, says: string): string =>
  `<svg role="img" aria-label="${attribute(says)}" ${svg.slice("<svg ".length)}`;

const attribute = (text: string): string =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll('"', "&quot;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");

/** A chart as a file: it adapts to dark screens by itself. */
export const svgFile = ({ svg }: DrawnChart): string => {
  const end = svg.indexOf(">") + 1;
  return `${svg.slice(0, end)}<style>${darkStyle("")}</style>${svg.slice(end)}\n`;
};
