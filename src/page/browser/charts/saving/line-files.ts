import { csvLine } from "../../../../read/index.ts";
import { roundStep } from "../../parts/round-step.ts";
import { clockText } from "../../parts/text.ts";
import { DASHES, TONES } from "../chart.ts";
import { type EndLabel, placedLabels, shortLabel } from "../lines/end-labels.ts";
import {
  type ChartBand,
  dashesOf,
  type LineSpec,
  placeAt,
  rankedPlaces,
  type Series,
  STEP_S,
  spanOf,
  tickTexts,
} from "../lines/line-spec.ts";
import { sharedTime, type TimeRange } from "../lines/shared-time.ts";
import {
  headShapes,
  PAPER_GRID,
  PAPER_INK,
  PAPER_SOFT,
  PAPER_TONES,
  type Picture,
  rectangle,
  type Shape,
  widthOf,
} from "./picture.ts";
import { type ChartFiles, chartFiles } from "./save-menu.ts";

const WIDTH = 960;
const HEIGHT = 540;
const TEXT_PX = 16;
const TOP = 74;
const BOTTOM = HEIGHT - 62;
const LEFT = 84;
const LINE_PX = 2;
const TIMES_MAX = 8;
const VALUES_MAX = 6;

/** A chart as files: the shown range and series as pictures, and all its values as a table. */
export const lineFiles = (spec: LineSpec, isShown: (at: number) => boolean): ChartFiles => {
  const range = (): TimeRange => sharedTime.now.range ?? spanOf(spec);
  const picture = () => linePicture(spec, { range: range(), isShown });
  return chartFiles(spec.title, picture, () => lineTable(spec));
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
  { range, isShown }: { readonly range: TimeRange; readonly isShown: (at: number) => boolean },
): Picture => {
  const frame = frameOf(spec, range, isShown);
  const shapes = frame.shown.flatMap((at) => seriesShapes(frame, at));
  const note = spec.spread === undefined ? spec.note : `${spec.note} ${spec.spread.label}.`;
  const head = headShapes({ title: spec.title, note }, LEFT, WIDTH);
  return {
    width: WIDTH,
    height: HEIGHT,
    shapes: [
      ...[...head, ...axes(frame), ...bandShapes(frame, spec.spread, PAPER_GRID)],
      ...[...shapes, ...names(frame)],
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
    ...{ spec, range, shown, lines, hasLabels, from, to, step, bottom, top, right },
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
    ...{ kind: "line", points, stroke, width: 1 },
  });
  const soft = { kind: "text", size: TEXT_PX, fill: PAPER_SOFT } as const;
  const values = places.flatMap((value, at): readonly Shape[] => [
    rule(
      [
        [LEFT, y(value)],
        [right, y(value)],
      ],
      value === 0 ? PAPER_SOFT : PAPER_GRID,
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
        PAPER_SOFT,
      ),
      {
        ...{ ...soft, at: [x(ms), BOTTOM + 24] as const, anchor: "middle" as const },
        text: clockText(ms, stepS < 1 ? 1 : 0),
      },
    ]),
    { ...soft, at: [(LEFT + right) / 2, HEIGHT - 12], text: "run time (m:ss)", anchor: "middle" },
    { ...soft, at: [22, (TOP + BOTTOM) / 2], text: spec.unit, anchor: "middle", turn: -90 },
  ];
};

const toneAt = ({ order }: Pick<Series, "order">, at: number): string =>
  PAPER_TONES[(order ?? at) % TONES] ?? PAPER_INK;

const seriesShapes = (frame: Frame, at: number): readonly Shape[] => {
  const { spec, from, to, y } = frame;
  const series = spec.series[at];
  if (series === undefined) return [];
  const tone = toneAt(series, at);
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
      ...bandShapes(frame, series.band, `${tone}2e`),
      { ...line, dash: DASHES[dashesOf(series)] ?? null },
    ];
  }
  const base = [
    [last[0], y(0)],
    [first[0], y(0)],
  ] as const;
  return [{ kind: "area", points: [...points, ...base], fill: `${tone}2e` }, line];
};

const pointsOf = ({ spec, range, from, to, x, y }: Frame, values: Series["values"]) =>
  spec.atMs.slice(from, to + 1).flatMap((ms, place) => {
    const value = values[from + place] ?? null;
    return value === null ? [] : [[x(Math.max(ms, range.fromMs)), y(value)] as const];
  });

const bandShapes = (frame: Frame, band: ChartBand | undefined, fill: string): readonly Shape[] => {
  if (band === undefined) return [];
  const [low, high] = [pointsOf(frame, band.low), pointsOf(frame, band.high)];
  return [{ kind: "area", points: [...high, ...low.toReversed()], fill }];
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
  return placedLabels(wanted, room).map(({ at, text, y: middle }) => ({
    ...{ kind: "text", at: [right + 8, middle + 5], text, size: TEXT_PX },
    fill: toneAt(spec.series[at] ?? {}, at),
  }));
};

const keys = ({ spec, shown }: Frame): readonly Shape[] => {
  let x = WIDTH - 24;
  return shown.toReversed().flatMap((at): readonly Shape[] => {
    const { label, ...series } = spec.series[at] ?? { label: "" };
    const text = shortLabel(label);
    x -= widthOf(text, TEXT_PX) + 40;
    return [
      rectangle([x, TOP - 26], [14, 14], toneAt(series, at)),
      { kind: "text", at: [x + 20, TOP - 14], text, size: TEXT_PX },
    ];
  });
};
