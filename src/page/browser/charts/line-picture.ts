import { csvLine } from "../../../read/index.ts";
import { clockText } from "../parts/text.ts";
import type { ChartFiles } from "./chart.ts";
import {
  type ChartBand,
  dashesOf,
  type EndLabel,
  type LineSpec,
  placeAt,
  placedLabels,
  rankedPlaces,
  type Series,
  STEP_S,
  spanOf,
  tickTexts,
  toneOf,
} from "./line-spec.ts";
import {
  DASHES,
  keyShapes,
  type Picture,
  rectangle,
  roundStep,
  type Shape,
  shortLabel,
  widthOf,
} from "./picture.ts";
import { sharedTime, type TimeRange } from "./shared-time.ts";

const WIDTH = 960;
const HEIGHT = 470;
const TEXT_PX = 16;
const TOP = 4;
const BOTTOM = HEIGHT - 62;
const LEFT = 84;
const LINE_PX = 2;
const TIMES_MAX = 8;
const VALUES_MAX = 6;

/** A chart as files: the shown range and series as pictures, and all its values as a table. */
export const lineFiles = (spec: LineSpec, isShown: (at: number) => boolean): ChartFiles => {
  const range = sharedTime.now.range ?? spanOf(spec);
  return {
    title: spec.title,
    picture: () => linePicture(spec, range, isShown),
    table: () => lineTable(spec),
  };
};

/**
 * The values of a chart as CSV: a row for each time in seconds, and for each series a column, with
 * two more for the ends of its band.
 */
export const lineTable = ({ atMs, series, spread }: LineSpec): string => {
  const columns = [
    ...series.flatMap(({ label, values, band }) => [
      { label, values },
      ...bandTable(band, (name) => `${label} ${name}`),
    ]),
    ...bandTable(spread, (name) => name),
  ];
  return [
    csvLine(["run_time_s", ...columns.map(({ label }) => label)]),
    ...atMs.map((ms, at) => csvLine([ms / 1_000, ...columns.map(({ values }) => values[at])])),
  ].join("");
};

const bandTable = (band: ChartBand | undefined, labelOf: (name: string) => string) => {
  if (band === undefined) return [];
  const { low, high, names } = band;
  return [
    { label: labelOf(names[0]), values: low },
    { label: labelOf(names[1]), values: high },
  ];
};

/** The chart as a picture for paper: only the range, and only the series that are shown. */
export const linePicture = (
  spec: LineSpec,
  range: TimeRange,
  isShown: (at: number) => boolean,
): Picture => {
  const frame = frameOf(spec, range, isShown);
  const { title, note, spread } = spec;
  return {
    title,
    note: spread === undefined ? note : `${note} ${spread.label}.`,
    width: WIDTH,
    height: HEIGHT,
    shapes: [
      ...axes(frame),
      ...bandShapes(frame, spread, "--grid", 1),
      ...frame.shown.flatMap((at) => seriesShapes(frame, at)),
      ...names(frame),
    ],
  };
};

type Frame = ReturnType<typeof frameOf>;

const frameOf = (spec: LineSpec, range: TimeRange, isShown: (at: number) => boolean) => {
  const from = placeAt(spec.atMs, range.fromMs);
  const to = placeAt(spec.atMs, range.toMs);
  const shown = rankedPlaces(spec, to).filter(isShown);
  const drawn = shown.flatMap((at) => {
    const { values, band } = spec.series[at] ?? { values: [] };
    return [values, ...endsOf(band)];
  });
  const values = [...drawn, ...endsOf(spec.spread)]
    .flatMap((all) => all.slice(from, to + 1))
    .filter((value) => value !== null);
  const [low, high] = [Math.min(0, ...values), Math.max(spec.top ?? 0, ...values)];
  const step = roundStep((high - low || 1) / VALUES_MAX);
  const bottom = Math.floor(low / step) * step;
  const top = Math.max(bottom + step, Math.ceil(high / step) * step);
  const lines = shown.filter((at) => spec.series[at]?.style !== "bars");
  const hasLabels = spec.series.length > 1 && lines.length > 0;
  const texts = lines.map((at) => shortLabel(spec.series[at]?.label ?? ""));
  const room = hasLabels ? Math.max(...texts.map((text) => widthOf(text, TEXT_PX))) + 16 : 24;
  const right = WIDTH - room;
  return {
    spec,
    range,
    shown,
    lines,
    hasLabels,
    from,
    to,
    step,
    bottom,
    top,
    right,
    x: (ms: number) => LEFT + ((ms - range.fromMs) / (range.toMs - range.fromMs)) * (right - LEFT),
    y: (value: number) => BOTTOM - ((value - bottom) / (top - bottom)) * (BOTTOM - TOP),
  };
};

const endsOf = (band: ChartBand | undefined) => (band === undefined ? [] : [band.low, band.high]);

const axes = ({ spec, range, step, bottom, top, right, x, y }: Frame): readonly Shape[] => {
  const count = Math.round((top - bottom) / step);
  const places = Array.from({ length: count + 1 }, (_, at) => bottom + at * step);
  const texts = tickTexts(places, step);
  const rule = (points: Extract<Shape, { kind: "line" }>["points"], stroke: string): Shape => ({
    kind: "line",
    points,
    stroke,
    width: 1,
  });
  const soft = { kind: "text", size: TEXT_PX, fill: "--ink-soft" } as const;
  const values = places.flatMap((value, at): readonly Shape[] => [
    rule(
      [
        [LEFT, y(value)],
        [right, y(value)],
      ],
      value === 0 ? "--ink-soft" : "--grid",
    ),
    { ...soft, at: [LEFT - 8, y(value) + 5], text: texts[at] ?? "", anchor: "end" },
  ]);
  const spanS = (range.toMs - range.fromMs) / 1_000;
  const stepS = STEP_S.find((each) => spanS / each <= TIMES_MAX) ?? spanS;
  const first = Math.ceil(range.fromMs / 1_000 / stepS - 1e-9);
  const last = Math.floor(range.toMs / 1_000 / stepS + 1e-9);
  const times = Array.from({ length: last - first + 1 }, (_, at) => (first + at) * stepS * 1_000);
  return [
    ...values,
    ...times.flatMap((ms): readonly Shape[] => [
      rule(
        [
          [x(ms), BOTTOM],
          [x(ms), BOTTOM + 5],
        ],
        "--ink-soft",
      ),
      {
        ...soft,
        at: [x(ms), BOTTOM + 24],
        anchor: "middle",
        text: clockText(ms, stepS < 1 ? 1 : 0),
      },
    ]),
    { ...soft, at: [(LEFT + right) / 2, HEIGHT - 12], text: "run time (m:ss)", anchor: "middle" },
    { ...soft, at: [22, (TOP + BOTTOM) / 2], text: spec.unit, anchor: "middle", turn: -90 },
  ];
};

const seriesShapes = (frame: Frame, at: number): readonly Shape[] => {
  const { spec, from, to, y } = frame;
  const series = spec.series[at];
  if (series === undefined) return [];
  const tone = toneOf(series, at);
  const points = pointsOf(frame, series.values);
  if (series.style === "bars") {
    const width = Math.max(1, (0.8 * (frame.right - LEFT)) / Math.max(1, to - from + 1));
    return points
      .filter(([, top]) => top !== y(0))
      .map(([middle, top]) =>
        rectangle([middle - width / 2, Math.min(top, y(0))], [width, Math.abs(top - y(0))], tone),
      );
  }
  const line = { kind: "line", points, stroke: tone, width: LINE_PX } as const;
  const [first, last] = [points[0], points.at(-1)];
  if (series.style !== "area" || first === undefined || last === undefined) {
    return [
      ...bandShapes(frame, series.band, tone, 0.18),
      { ...line, dash: DASHES[dashesOf(series)] ?? null },
    ];
  }
  const base = [
    [last[0], y(0)],
    [first[0], y(0)],
  ] as const;
  return [{ kind: "area", points: [...points, ...base], fill: tone, opacity: 0.18 }, line];
};

const pointsOf = ({ spec, range, from, to, x, y }: Frame, values: Series["values"]) =>
  spec.atMs.slice(from, to + 1).flatMap((ms, place) => {
    const value = values[from + place] ?? null;
    return value === null ? [] : [[x(Math.max(ms, range.fromMs)), y(value)] as const];
  });

const bandShapes = (
  frame: Frame,
  band: ChartBand | undefined,
  fill: string,
  opacity: number,
): readonly Shape[] => {
  if (band === undefined) return [];
  const [low, high] = [pointsOf(frame, band.low), pointsOf(frame, band.high)];
  return [{ kind: "area", points: [...high, ...low.toReversed()], fill, opacity }];
};

/** The names of the lines at their ends. The names of bars stand above the chart. */
const names = (frame: Frame): readonly Shape[] => {
  const { spec, to, lines, hasLabels, right, y } = frame;
  if (!hasLabels) return frame.shown.length > 1 ? keys(frame) : [];
  const wanted = lines.flatMap((at): readonly EndLabel[] => {
    const { label, values } = spec.series[at] ?? { label: "", values: [] };
    const value = values.slice(0, to + 1).findLast((each) => each !== null) ?? null;
    return value === null ? [] : [{ at, text: shortLabel(label), y: y(value) }];
  });
  const room = { top: TOP - 8, bottom: BOTTOM + 8, lineHeight: TEXT_PX + 2 };
  return placedLabels(wanted, room).map(({ at, text, y: middle }) => {
    const series = spec.series[at];
    const fill = series === undefined ? "--ink" : toneOf(series, at);
    return { kind: "text", at: [right + 8, middle + 5], text, size: TEXT_PX, fill };
  });
};

const keys = ({ spec, shown }: Frame): readonly Shape[] => {
  const all = shown.flatMap((at) => {
    const series = spec.series[at];
    return series === undefined
      ? []
      : [{ text: shortLabel(series.label), tone: toneOf(series, at) }];
  });
  const width = all.reduce((sum, { text }) => sum + widthOf(text, TEXT_PX) + 40, 0);
  return keyShapes(all, [WIDTH - 24 - width, TOP + 2], TEXT_PX);
};
