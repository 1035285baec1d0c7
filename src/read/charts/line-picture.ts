import { csvLine } from "../../figures/index.ts";
import { clockText, fixedText, numberText, type Period } from "../../text/index.ts";
import {
  type Colour,
  circlePath,
  DASHES,
  fittedName,
  keyShapes,
  type Picture,
  pathOf,
  rectanglePath,
  roundStep,
  type Shape,
  TONES,
  toneAt,
  widthOf,
} from "./picture.ts";

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
type ChartBand = {
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

/** A chart of lines, areas or bars over run time. */
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
  /** The range of most values, of which few have lines. `label` says in the legend what it is. */
  readonly spread?: ChartBand & { readonly label: string };
  /** Marked by numbers, with a list below the chart. */
  readonly jumps?: readonly ChartJump[];
  /** The part of the run that `jumps` are of. Example: `from 2:00.0 to 2:30.0`. Default: all. */
  readonly jumpsWhen?: string;
  /** What to say, and what to do, if there are no values. */
  readonly empty?: string;
};

/** How a chart is drawn. */
type LineLook = {
  readonly width: number;
  readonly height: number;
  readonly textPx: number;
  readonly range: Period;
  readonly isShown: (at: number) => boolean;
  /** The series before all others, or null. */
  readonly front: number | null;
  /** Whether the large changes have their numbers in the chart. */
  readonly hasJumps: boolean;
};

export const toneOf = ({ order }: Series, at: number): Colour =>
  toneAt(order === undefined ? at : order % TONES);

export const dashesOf = ({ order = 0 }: Series): number =>
  Math.floor(order / TONES) % DASHES.length;

/** The place of the last time that is not after `ms`, or 0. */
export const placeAt = (atMs: readonly number[], ms: number): number => {
  let [low, high] = [0, atMs.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((atMs[middle] ?? 0) <= ms) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1);
};

/** The times of a chart from its first to its last. */
export const spanOf = ({ atMs }: Pick<LineSpec, "atMs">): Period => {
  const fromMs = atMs[0] ?? 0;
  return { fromMs, toMs: Math.max(fromMs + 1, atMs.at(-1) ?? 0) };
};

/** The texts of the values of a chart, all with as many decimals. */
export const valueTexts = ({ series }: Pick<LineSpec, "series">) => {
  let most = 0;
  let isWhole = true;
  for (const value of series.flatMap(({ values }) => values)) {
    most = Math.max(most, Math.abs(value ?? 0));
    isWhole &&= Number.isInteger(value ?? 0);
  }
  const small = most >= 1 ? (most >= 100 ? 1 : 2) : Math.min(8, 2 - Math.floor(Math.log10(most)));
  const text = fixedText(isWhole || most >= 1_000 ? 0 : small);
  return (value: number | null): string => (value === null ? numberText(null) : text(value));
};

/** The places of the series: by order, or by their values at `place`, the highest first. */
export const rankedPlaces = ({ series, isRanked }: LineSpec, place: number): readonly number[] => {
  const places = [...series.keys()];
  if (isRanked !== true) return places;
  const value = (at: number): number => series[at]?.values[place] ?? Number.NEGATIVE_INFINITY;
  return places.sort((one, other) => {
    const [a, b] = [value(one), value(other)];
    return a === b ? one - other : b - a;
  });
};

/** The distances of ticks of the time axis in seconds. */
const STEP_S = [
  0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600,
  43_200, 86_400, 172_800, 432_000, 864_000,
];

const UNITS = [
  ["G", 1e9],
  ["M", 1e6],
  ["k", 1e3],
] as const;

/** The texts of ticks `step` apart, all with as many decimals. Large values are in k, M or G. */
export const tickTexts = (places: readonly number[], step: number): readonly string[] => {
  const most = Math.max(...places.map(Math.abs));
  const [unit, factor] = UNITS.find(([, factor]) => most >= 10 * factor) ?? ["", 1];
  const decimals = String(Number((step / factor).toFixed(8))).split(".")[1]?.length ?? 0;
  const text = fixedText(decimals);
  return places.map((place) => (place === 0 ? "0" : `${text(place / factor)}${unit}`));
};

/** A label next to the end of a line. `y` is where it should be; the centre of its text. */
type EndLabel = { readonly at: number; readonly text: string; readonly y: number };

/**
 * Moves labels apart so that none overlap, as little as possible. Drops the last labels of `wanted`
 * that have no room, so put the most important first. Returns the labels from top to bottom.
 */
export const placedLabels = (
  wanted: readonly EndLabel[],
  { top, bottom, lineHeight }: { top: number; bottom: number; lineHeight: number },
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

/** The share of a chart's width that the names of lines may take. */
const LABELS_SHARE_MAX = 0.22;
const JUMP_PX = 7.5;

/** Draws the part of a chart that is in a range. `x` gives the place of a time. */
export const drawLines = (spec: LineSpec, look: LineLook) => {
  const { series, atMs, spread } = spec;
  const { width, height, textPx, range, isShown, front } = look;
  const from = placeAt(atMs, range.fromMs);
  const to = placeAt(atMs, range.toMs);
  const shown = rankedPlaces(spec, to).filter(isShown);
  const ends = (band: ChartBand | undefined) => (band === undefined ? [] : [band.low, band.high]);
  let [low, high] = [0, spec.top ?? 0];
  for (const values of [
    ...shown.flatMap((at) => [series[at]?.values ?? [], ...ends(series[at]?.band)]),
    ...ends(spread),
  ]) {
    for (const value of values.slice(from, to + 1)) {
      low = Math.min(low, value ?? 0);
      high = Math.max(high, value ?? 0);
    }
  }
  const step = roundStep((high - low || 1) / Math.min(6, Math.max(2, height / (3.5 * textPx))));
  const least = Math.floor(low / step) * step;
  const most = Math.max(least + step, Math.ceil(high / step) * step);

  const lines = shown.filter((at) => series[at]?.style !== "bars");
  const labelOf = (at: number): string =>
    fittedName(series[at]?.label ?? "", textPx, width * LABELS_SHARE_MAX);
  const widest = Math.max(0, ...lines.map((at) => widthOf(labelOf(at), textPx)));
  const isNamed = series.length > 1 || series.some(({ band }) => band !== undefined);
  const hasLabels = isNamed && lines.length > 0;
  const [left, right] = [5.2 * textPx, width - (hasLabels ? widest + textPx : 1.5 * textPx)];
  const keys =
    hasLabels || shown.length < 2 || look.hasJumps
      ? { shapes: [], height: 0 }
      : keyShapes(
          shown.flatMap((at) => {
            const one = series[at];
            return one === undefined ? [] : [{ text: labelOf(at), tone: toneOf(one, at) }];
          }),
          { at: [left, 4], width: right - left, size: textPx },
        );
  const [top, bottom] = [Math.round(textPx / 2) + keys.height, height - 3.6 * textPx];
  const x = (ms: number): number =>
    left + ((ms - range.fromMs) / Math.max(1, range.toMs - range.fromMs)) * (right - left);
  const y = (value: number): number => bottom - ((value - least) / (most - least)) * (bottom - top);

  const soft = { kind: "text", size: textPx, fill: "ink-soft" } as const;
  const rule = (d: string, stroke: Colour): Shape => ({ kind: "path", d, stroke, width: 1 });
  const places = Array.from(
    { length: Math.round((most - least) / step) + 1 },
    (_, at) => least + at * step,
  );
  const texts = tickTexts(places, step);
  const spanS = (range.toMs - range.fromMs) / 1_000;
  const timesMax = Math.min(10, Math.max(2, (right - left) / (5 * textPx)));
  const stepS = STEP_S.find((each) => spanS / each <= timesMax) ?? spanS;
  const first = Math.ceil(range.fromMs / 1_000 / stepS - 1e-9);
  const last = Math.floor(range.toMs / 1_000 / stepS + 1e-9);
  const times = Array.from({ length: last - first + 1 }, (_, at) => (first + at) * stepS * 1_000);
  const axes: readonly Shape[] = [
    ...places.flatMap((value, at): readonly Shape[] => [
      rule(
        pathOf([
          [left, y(value)],
          [right, y(value)],
        ]),
        value === 0 ? "ink-soft" : "grid",
      ),
      { ...soft, at: [left - 8, y(value) + textPx * 0.34], text: texts[at] ?? "", anchor: "end" },
    ]),
    ...times.flatMap((ms): readonly Shape[] => [
      rule(
        pathOf([
          [x(ms), bottom],
          [x(ms), bottom + 5],
        ]),
        "ink-soft",
      ),
      {
        ...soft,
        at: [x(ms), bottom + 1.5 * textPx],
        anchor: "middle",
        text: clockText(ms, stepS < 1 ? 1 : 0),
      },
    ]),
    {
      ...soft,
      at: [(left + right) / 2, height - 0.7 * textPx],
      text: "run time (m:ss)",
      anchor: "middle",
    },
    {
      ...soft,
      at: [1.1 * textPx, (top + bottom) / 2],
      text: spec.unit,
      anchor: "middle",
      turn: -90,
    },
  ];

  const pointsOf = (values: Series["values"]) =>
    atMs.slice(from, to + 1).flatMap((ms, place) => {
      const value = values[from + place] ?? null;
      return value === null ? [] : [[x(Math.max(ms, range.fromMs)), y(value)] as const];
    });
  const bandShapes = (band: ChartBand | undefined, fill: Colour, opacity: number) =>
    band === undefined
      ? []
      : [
          {
            kind: "path" as const,
            d: pathOf([...pointsOf(band.high), ...pointsOf(band.low).toReversed()], true),
            fill,
            opacity,
          },
        ];
  const seriesShapes = (at: number): readonly Shape[] => {
    const one = series[at];
    if (one === undefined) return [];
    const isBehind = front !== null && front !== at;
    const tone = isBehind ? "tone-other" : toneOf(one, at);
    const points = pointsOf(one.values);
    if (one.style === "bars") {
      const bar = Math.min(24, Math.max(1, (0.8 * (right - left)) / Math.max(1, to - from + 1)));
      const bars = points
        .filter(([, end]) => end !== y(0))
        .map(([middle, end]) =>
          rectanglePath([middle - bar / 2, Math.min(end, y(0))], bar, Math.abs(end - y(0))),
        );
      return [{ kind: "path", d: bars.join(""), fill: tone, opacity: isBehind ? 0.5 : 0.85 }];
    }
    const [start, end] = [points[0], points.at(-1)];
    const isArea = one.style === "area" && start !== undefined && end !== undefined;
    return [
      ...bandShapes(isBehind ? undefined : one.band, tone, 0.18),
      ...(isArea
        ? [
            {
              kind: "path" as const,
              d: pathOf([...points, [end[0], y(0)], [start[0], y(0)]], true),
              fill: tone,
              opacity: 0.18,
            },
          ]
        : []),
      {
        kind: "path",
        d: pathOf(points),
        stroke: tone,
        width: front === at ? 3.5 : textPx > 13 ? 2 : 1.75,
        dash: DASHES[dashesOf(one)] ?? null,
        ...(isBehind ? { opacity: 0.55 } : {}),
      },
    ];
  };
  const inOrder =
    front === null ? shown : [...shown.filter((at) => at !== front), front].filter(isShown);

  const wanted = (hasLabels ? lines : []).flatMap((at): readonly EndLabel[] => {
    const value = series[at]?.values.slice(0, to + 1).findLast((each) => each !== null) ?? null;
    return value === null ? [] : [{ at, text: labelOf(at), y: y(value) }];
  });
  const frontFirst = wanted.toSorted((a, b) => Number(b.at === front) - Number(a.at === front));
  const room = { top: top - textPx / 2, bottom: bottom + textPx / 2, lineHeight: textPx + 2 };
  const names = placedLabels(frontFirst, room).map(({ at, text, y: middle }): Shape => {
    const one = series[at];
    const isPale = one === undefined || (front !== null && front !== at);
    const fill = isPale ? "tone-other" : toneOf(one, at);
    return { kind: "text", at: [right + 6, middle + textPx * 0.34], text, size: textPx, fill };
  });

  const jumps = (look.hasJumps ? (spec.jumps ?? []) : []).flatMap(
    (jump, number): readonly Shape[] => {
      const at = series.findIndex(({ label }) => label === jump.label);
      const value =
        series[at]?.values[Math.min(atMs.length - 1, placeAt(atMs, jump.atMs) + 1)] ?? null;
      const isIn = jump.atMs >= range.fromMs && jump.atMs <= range.toMs;
      if (value === null || !isIn || !isShown(at)) return [];
      const place = [x(jump.atMs), y(value)] as const;
      const text = { kind: "text", text: String(number + 1), size: 10, anchor: "middle" } as const;
      return [
        { kind: "path", d: circlePath(place, JUMP_PX), fill: "panel", stroke: "ink" },
        { ...text, at: [place[0], place[1] + 3.5], isBold: true },
      ];
    },
  );
  return {
    shapes: [
      ...keys.shapes,
      ...axes,
      ...bandShapes(spread, "tone-other", 0.25),
      ...inOrder.flatMap(seriesShapes),
      ...names,
      ...jumps,
    ],
    left,
    right,
    top,
    bottom,
    x,
    y,
  };
};

/** The chart as a picture for paper: only the range, and only the series that are shown. */
export const linePicture = (
  spec: LineSpec,
  range: Period = spanOf(spec),
  isShown: (at: number) => boolean = () => true,
  { width, height } = { width: 960, height: 470 },
): Picture => {
  const { title, note, spread } = spec;
  return {
    title,
    note: spread === undefined ? note : `${note} ${spread.label}.`,
    width,
    height,
    shapes: drawLines(spec, {
      width,
      height,
      textPx: 16,
      range,
      isShown,
      front: null,
      hasJumps: false,
    }).shapes,
  };
};

/**
 * The values of a chart as CSV: a row for each time in seconds, and for each series a column, with
 * two more for the ends of its band.
 */
export const lineTable = ({ atMs, series, spread }: LineSpec): string => {
  const bandColumns = (band: ChartBand | undefined, before: string) =>
    band === undefined
      ? []
      : [
          { label: `${before}${band.names[0]}`, values: band.low },
          { label: `${before}${band.names[1]}`, values: band.high },
        ];
  const columns = [
    ...series.flatMap(({ label, values, band }) => [
      { label, values },
      ...bandColumns(band, `${label} `),
    ]),
    ...bandColumns(spread, ""),
  ];
  return [
    csvLine(["run_time_s", ...columns.map(({ label }) => label)]),
    ...atMs.map((ms, at) => csvLine([ms / 1_000, ...columns.map(({ values }) => values[at])])),
  ].join("");
};
