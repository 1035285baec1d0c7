import type uPlot from "uplot";
import { clockText, fixedText, numberText } from "../parts/text.ts";
import { DASHES, TONES, toneVariable } from "./picture.ts";
import type { TimeRange } from "./shared-time.ts";

export type Series = {
  readonly label: string;
  /** One value for each moment. A null value draws no point. */
  readonly values: readonly (number | null)[];
  /** The line's style, from 0 to `STYLES - 1`: its colour and its dashes. Default: its index. */
  readonly order?: number;
  readonly style?: "line" | "area" | "bars";
  readonly band?: ChartBand;
};

/** An area, such as a range of runs around a line, and the names of its lower and upper end. */
export type ChartBand = {
  readonly low: Series["values"];
  readonly high: Series["values"];
  readonly names: readonly [low: string, high: string];
};

/** A large change of a series, and what caused it. */
type ChartJump = {
  readonly label: Series["label"];
  readonly atMs: number;
  readonly says: string;
  /** The address of its moment. */
  readonly href: string;
};

/** The range of most values, of which few have lines. `label` says in the legend what it is. */
type SpreadBand = ChartBand & { readonly label: string };

export type LineSpec = {
  readonly title: string;
  readonly note: string;
  readonly unit: string;
  /** Run times in ms, in ascending order. */
  readonly atMs: readonly number[];
  readonly series: readonly Series[];
  readonly top?: number;
  /** True if the legend starts with the highest line. */
  readonly isRanked?: boolean;
  /** Drawn behind the lines. */
  readonly spread?: SpreadBand;
  /** Marked by numbers, with a list below the chart. */
  readonly jumps?: readonly ChartJump[];
  /** The part of the run that `jumps` are of. Example: `from 2:00.0 to 2:30.0`. Default: all. */
  readonly jumpsWhen?: string;
  /** What to say, and what to do, if there are no values. */
  readonly empty?: string;
};

/** What is drawn now, and how. */
export type Drawing = {
  readonly spec: () => LineSpec;
  /** The series before all others, or null. */
  readonly front: () => number | null;
  readonly isShown: (at: number) => boolean;
  readonly range: () => TimeRange;
  readonly font: string;
  readonly colour: (variable: string) => string;
};

export const toneOf = ({ order }: Series, at: number): string =>
  toneVariable(order === undefined ? at : order % TONES);

export const dashesOf = ({ order = 0 }: Series): number =>
  Math.floor(order / TONES) % DASHES.length;

/** True if the chart has nothing to show: no value, or only bars and areas without height. */
export const isEmpty = ({ series }: LineSpec): boolean =>
  series.every(({ values, style = "line" }) =>
    values.every((value) => value === null || (value === 0 && style !== "line")),
  );

/** The place of the last time that is not after `atMs`, or 0. */
export const placeAt = (atMs: readonly number[], ms: number): number => {
  let [low, high] = [0, atMs.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((atMs[middle] ?? 0) <= ms) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1);
};

/** The place of the time next to `atMs`. */
export const nearestPlace = (atMs: readonly number[], ms: number): number => {
  const before = placeAt(atMs, ms);
  const [one, other] = [atMs[before] ?? 0, atMs[before + 1] ?? Number.POSITIVE_INFINITY];
  return other - ms < ms - one ? before + 1 : before;
};

/** The times of a chart from its first to its last. */
export const spanOf = ({ atMs }: Pick<LineSpec, "atMs">): TimeRange => {
  const fromMs = atMs[0] ?? 0;
  return { fromMs, toMs: Math.max(fromMs + 1, atMs.at(-1) ?? 0) };
};

/** The number of decimals that suits all values of a chart. */
export const decimalsOf = (series: readonly Pick<Series, "values">[]): number => {
  let most = 0;
  let isWhole = true;
  for (const { values } of series) {
    for (const value of values) {
      most = Math.max(most, Math.abs(value ?? 0));
      isWhole &&= Number.isInteger(value ?? 0);
    }
  }
  if (isWhole || most >= 1_000) return 0;
  if (most >= 1) return most >= 100 ? 1 : 2;
  return Math.min(8, 2 - Math.floor(Math.log10(most)));
};

/** The texts of the values of a chart, all with as many decimals. */
export const valueTexts = ({ series }: LineSpec): ((value: number | null) => string) => {
  const text = fixedText(decimalsOf(series));
  return (value) => (value === null ? numberText(null) : text(value));
};

/** The places of the series: by order, or by their values at `place`, the highest first. */
export const rankedPlaces = ({ series, isRanked }: LineSpec, place: number): readonly number[] => {
  const places = [...series.keys()];
  if (isRanked !== true) return places;
  const value = (at: number): number => series[at]?.values[place] ?? Number.NEGATIVE_INFINITY;
  return places.sort((one, other) => compared(value(other), value(one)) || one - other);
};

const compared = (one: number, other: number): number => (one === other ? 0 : one - other);

const SPOKEN_MAX = 8;

/** The label for screen readers: the first and last value of each series. */
export const spokenText = (spec: LineSpec): string => {
  const { title, note, atMs, series } = spec;
  const { fromMs, toMs } = spanOf(spec);
  const text = valueTexts(spec);
  const lines = rankedPlaces(spec, atMs.length - 1)
    .slice(0, SPOKEN_MAX)
    .map((at) => {
      const known = series[at]?.values.filter((value) => value !== null) ?? [];
      const [first = null, last = null] = [known[0], known.at(-1)];
      return `${series[at]?.label} from ${text(first)} to ${text(last)}`;
    });
  return `${title}. ${note} ${clockText(fromMs)} to ${clockText(toMs)}: ${lines.join("; ")}.`;
};

/** The distances of ticks of the time axis in seconds. */
export const STEP_S = [
  0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600,
  43_200, 86_400, 172_800, 432_000, 864_000,
];

/** The texts of ticks `step` apart, all with as many decimals. Large values are in k, M or G. */
export const tickTexts = (places: readonly number[], step: number): readonly string[] => {
  const most = Math.max(...places.map(Math.abs));
  const [unit, factor] = UNITS.find(([, factor]) => most >= 10 * factor) ?? ["", 1];
  const text = fixedText(decimalsIn(step / factor));
  return places.map((place) => (place === 0 ? "0" : `${text(place / factor)}${unit}`));
};

const UNITS = [
  ["G", 1e9],
  ["M", 1e6],
  ["k", 1e3],
] as const;

const decimalsIn = (step: number): number =>
  String(Number(step.toFixed(8))).split(".")[1]?.length ?? 0;

type Banded = Pick<LineSpec, "series" | "spread">;

/** A band, and the place of its series. The spread has no series: `at` is null. */
type PlacedBand = { readonly at: number | null; readonly band: ChartBand };

/** The bands of the series in their order, then the spread. */
const bandsOf = ({ series, spread }: Banded): readonly PlacedBand[] => [
  ...series.flatMap(({ band }, at) => (band === undefined ? [] : [{ at, band }])),
  ...(spread === undefined ? [] : [{ at: null, band: spread }]),
];

/** The ends of all bands as columns. They follow the columns of the series. */
export const bandColumns = (spec: Banded): readonly Series["values"][] =>
  bandsOf(spec).flatMap(({ band }) => [band.low, band.high]);

/** The places of the columns of a series in the plot, where the times have place 0. */
export const columnsAt = (spec: Banded, at: number): readonly number[] => {
  const order = bandsOf(spec).findIndex((each) => each.at === at);
  const low = lowColumn(spec, order);
  return order === -1 ? [at + 1] : [at + 1, low, low + 1];
};

const lowColumn = ({ series }: Banded, order: number): number => 1 + series.length + 2 * order;

/** Draws the bands. `fillOf` returns the colour of the band of a series, or of the spread. */
export const bandOptions = (
  spec: Banded,
  fillOf: (at: number | null) => string,
): { readonly series: uPlot.Series[]; readonly bands: uPlot.Band[] } => ({
  series: bandColumns(spec).map(() => ({ width: 0, points: { show: false }, spanGaps: true })),
  bands: bandsOf(spec).map(({ at }, order) => {
    const low = lowColumn(spec, order);
    return { series: [low + 1, low], fill: () => fillOf(at) };
  }),
});

/** A label next to the end of a line. `y` is where it should be; the centre of its text. */
export type EndLabel = { readonly at: number; readonly text: string; readonly y: number };

type Room = {
  readonly top: number;
  readonly bottom: number;
  /** The least distance of two labels. */
  readonly lineHeight: number;
};

/**
 * Moves labels apart so that none overlap, as little as possible. Drops the last labels of `wanted`
 * that have no room, so put the most important first. Returns the labels from top to bottom.
 */
export const placedLabels = (
  wanted: readonly EndLabel[],
  { top, bottom, lineHeight }: Room,
): readonly EndLabel[] => {
  const most = Math.max(0, Math.floor((bottom - top) / lineHeight));
  const labels = wanted.slice(0, most).sort((one, other) => one.y - other.y || one.at - other.at);
  /** Labels that touch move together, as a block around the mean of their wanted places. */
  const blocks: { readonly labels: EndLabel[]; sum: number; y: number }[] = [];
  const half = lineHeight / 2;
  const settle = (block: (typeof blocks)[number]): void => {
    const height = block.labels.length * lineHeight;
    const centre = block.sum / block.labels.length;
    block.y = Math.min(bottom - height, Math.max(top, centre - height / 2));
  };
  for (const label of labels) {
    let block = { labels: [label], sum: label.y, y: label.y - half };
    settle(block);
    for (let above = blocks.at(-1); above !== undefined; above = blocks.at(-1)) {
      if (above.y + above.labels.length * lineHeight <= block.y) break;
      blocks.pop();
      block = { labels: [...above.labels, ...block.labels], sum: above.sum + block.sum, y: 0 };
      settle(block);
    }
    blocks.push(block);
  }
  return blocks.flatMap(({ labels, y }) =>
    labels.map((label, at) => ({ ...label, y: y + half + at * lineHeight })),
  );
};
