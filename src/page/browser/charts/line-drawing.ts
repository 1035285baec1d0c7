import uPlot from "uplot";
import { isInPeriod } from "../../../text/index.ts";
import { clockText, momentText } from "../parts/text.ts";
import { element } from "./chart.ts";
import {
  bandOptions,
  type Drawing,
  dashesOf,
  type EndLabel,
  type LineSpec,
  placeAt,
  placedLabels,
  rankedPlaces,
  type Series,
  STEP_S,
  tickTexts,
  toneOf,
} from "./line-spec.ts";
import { DASHES, shortLabel } from "./picture.ts";
import { roundedRange, sharedTime } from "./shared-time.ts";

/** What uPlot passes for ticks: the plot, the places, the axis, the space, the step. */
type TickParts = readonly [uPlot, number[], number, number, number];

type Size = { readonly width: number; readonly height: number };

const AXIS_FONT_PX = 12;
const LABEL_PX = 11;
const LINE_PX = 1.75;

export const optionsOf = (drawing: Drawing, { width, height }: Size): uPlot.Options => {
  const { spec, colour, font: family } = drawing;
  const grid = { stroke: colour("--grid"), width: 1 };
  const font = `${AXIS_FONT_PX}px ${family}`;
  const common = { stroke: colour("--ink-soft"), grid, ticks: grid, font, labelFont: font };
  const { fromMs, toMs } = drawing.range();
  const bands = bandOptions(spec(), (at) => bandFill(drawing, at));
  return {
    width,
    height,
    legend: { show: false },
    padding: [8, labelWidth(drawing, width) || 20, 0, 0],
    scales: {
      x: {
        time: false,
        min: fromMs / 1_000,
        max: toMs / 1_000,
        range: (_, from, to) => [from, to],
      },
      y: { range: (_, low, high) => rangeOf(spec(), low, high) },
    },
    axes: [
      {
        ...common,
        label: "run time (m:ss)",
        labelSize: 18,
        incrs: [...STEP_S],
        size: 30,
        values: (...[, places, , , step]: TickParts) =>
          places.map((place) => clockText(place * 1_000, step < 1 ? 1 : 0)),
      },
      {
        ...common,
        label: spec().unit,
        labelSize: 18,
        size: 52,
        values: (...[, places, , , step]: TickParts) => [...tickTexts(places, step)],
      },
    ],
    series: [
      {},
      ...spec().series.map((series, at) => drawnSeries(series, at, drawing)),
      ...bands.series,
    ],
    bands: bands.bands,
    cursor: {
      y: false,
      points: { size: 7 },
      drag: { x: true, y: false, setScale: false },
      // A double-click would change the range of this chart alone.
      bind: { dblclick: () => null },
    },
    hooks: {
      setSelect: [zoomToSelection],
      draw: [drawFront, drawJumps, drawLabels].map((draw) => (plot: uPlot) => draw(plot, drawing)),
    },
  };
};

const rangeOf = (
  { top: least = 0 }: LineSpec,
  low: number | null,
  high: number | null,
): [number, number] => {
  const bottom = Math.min(0, low ?? 0);
  const top = Math.max(least, high ?? 0);
  if (top === bottom) return [bottom, bottom + 1];
  const [from, to] = uPlot.rangeNum(bottom, top, 0.05, true);
  return [bottom === 0 ? 0 : (from ?? bottom), Math.max(to ?? top, top)];
};

/** A band is as pale as an area. The band of a series disappears behind the line at the front. */
const bandFill = ({ spec, front, colour }: Drawing, at: number | null): string => {
  if (at === null) return `${colour("--tone-other")}33`;
  const series = spec().series[at];
  const isBehind = front() !== null && front() !== at;
  return series === undefined || isBehind ? "transparent" : `${colour(toneOf(series, at))}2e`;
};

const drawnSeries = (series: Series, at: number, { colour, front }: Drawing): uPlot.Series => {
  const { label, style = "line" } = series;
  const own = colour(toneOf(series, at));
  const stroke = (): string =>
    front() === null || front() === at ? own : `${colour("--tone-other")}88`;
  const bars = uPlot.paths.bars?.({ size: [0.9, 24], gap: 0 });
  const dash = DASHES[dashesOf(series)] ?? null;
  return {
    label,
    stroke,
    width: style === "bars" ? 0 : LINE_PX,
    points: { show: false },
    spanGaps: true,
    ...(dash === null ? {} : { dash: [...dash] }),
    ...(style === "line"
      ? {}
      : { fill: () => `${stroke().slice(0, 7)}${style === "bars" ? "cc" : "2e"}` }),
    ...(style === "bars" && bars !== undefined ? { paths: bars } : {}),
  };
};

/** Shows the range that was dragged over in all charts. */
const zoomToSelection = (plot: uPlot): void => {
  const { left, width } = plot.select;
  if (width < 1) return;
  const [from, to] = [plot.posToVal(left, "x"), plot.posToVal(left + width, "x")];
  plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
  sharedTime.zoom(roundedRange({ fromMs: from * 1_000, toMs: to * 1_000 }));
};

/** Draws the line in front once more, above the others. */
const drawFront = (plot: uPlot, { spec, front, colour }: Drawing): void => {
  const at = front();
  const series = at === null ? undefined : spec().series[at];
  if (at === null || series === undefined || series.style === "bars") return;
  const { ctx: context, bbox } = plot;
  context.save();
  context.beginPath();
  context.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  context.clip();
  context.beginPath();
  for (const [place, ms] of spec().atMs.entries()) {
    const value = series.values[place] ?? null;
    if (value === null) continue;
    context.lineTo(plot.valToPos(ms / 1_000, "x", true), plot.valToPos(value, "y", true));
  }
  context.strokeStyle = colour(toneOf(series, at));
  context.lineWidth = 2 * LINE_PX * devicePixelRatio;
  context.setLineDash((DASHES[dashesOf(series)] ?? []).map((part) => part * devicePixelRatio));
  context.stroke();
  context.restore();
};

const labelled = ({ spec, isShown }: Drawing): readonly number[] => {
  const { series, atMs } = spec();
  if (series.length < 2) return [];
  return rankedPlaces(spec(), atMs.length - 1).filter(
    (at) => series[at]?.style !== "bars" && isShown(at),
  );
};

/** The share of a chart's width that labels may take. */
const LABELS_SHARE_MAX = 0.24;
const LABEL_GAP_PX = 6;

/** The width of the room for labels, or 0 if the chart is too narrow for them. */
const labelWidth = (drawing: Drawing, width: number): number => {
  const texts = labelled(drawing).map((at) => shortLabel(drawing.spec().series[at]?.label ?? ""));
  if (texts.length === 0) return 0;
  const context = document.createElement("canvas").getContext("2d");
  if (context === null) return 0;
  context.font = `${LABEL_PX}px ${drawing.font}`;
  const widest = Math.max(...texts.map((text) => context.measureText(text).width));
  const wanted = Math.ceil(widest) + LABEL_GAP_PX + 4;
  return wanted <= width * LABELS_SHARE_MAX ? wanted : 0;
};

/** Draws the names of lines at their ends, as they are in the range. */
const drawLabels = (plot: uPlot, drawing: Drawing): void => {
  const { ctx: context, bbox } = plot;
  if (labelWidth(drawing, plot.width) === 0) return;
  const { colour, front, range, spec } = drawing;
  const { series, atMs } = spec();
  const end = atMs.findLastIndex((ms) => ms <= range().toMs);
  const wanted = labelled(drawing).flatMap((at): readonly EndLabel[] => {
    const value = series[at]?.values.slice(0, end + 1).findLast((each) => each !== null);
    if (value === undefined || value === null) return [];
    const text = shortLabel(series[at]?.label ?? "");
    return [{ at, text, y: plot.valToPos(value, "y", true) / devicePixelRatio }];
  });
  const first = wanted.filter(({ at }) => at === front());
  const others = wanted.filter(({ at }) => at !== front());
  const labels = placedLabels([...first, ...others], {
    top: bbox.top / devicePixelRatio - LABEL_PX / 2,
    bottom: (bbox.top + bbox.height) / devicePixelRatio + LABEL_PX / 2,
    lineHeight: LABEL_PX + 2,
  });
  context.save();
  context.font = `${LABEL_PX * devicePixelRatio}px ${drawing.font}`;
  context.textBaseline = "middle";
  context.textAlign = "left";
  for (const { at, text, y } of labels) {
    const one = series[at];
    if (one === undefined) continue;
    const isPale = front() !== null && front() !== at;
    context.fillStyle = colour(isPale ? "--tone-other" : toneOf(one, at));
    const x = bbox.left + bbox.width + LABEL_GAP_PX * devicePixelRatio;
    context.fillText(text, x, y * devicePixelRatio);
  }
  context.restore();
};

const RADIUS_PX = 7.5;
const JUMP_FONT_PX = 10;

/** The large changes below a chart, each with its number in the chart and a link to its moment. */
export const jumpList = (): { readonly root: HTMLElement; show: (spec: LineSpec) => void } => {
  const list = element("ol", { class: "chart-jumps", "aria-label": "Large changes", hidden: true });
  const caption = element("p", { class: "chart-note", hidden: true });
  const root = element("div", {}, caption, list);
  let shown = "";
  const show = ({ jumps = [], jumpsWhen: when }: LineSpec): void => {
    caption.hidden = when === undefined;
    const what = jumps.length === 0 ? "No large changes" : "Large changes";
    caption.textContent = when === undefined ? "" : `${what} ${when}`;
    const text = JSON.stringify(jumps);
    // New data with the same changes leaves the focus where it is.
    if (text === shown) return;
    shown = text;
    list.hidden = jumps.length === 0;
    list.replaceChildren(
      ...jumps.map(({ atMs, says, href }) => {
        const link = element("a", { class: "link", href }, momentText(atMs));
        return element("li", {}, link, " ", element("bdi", {}, says));
      }),
    );
  };
  return { root, show };
};

/** Draws the number of each large change at its line, just after the change. */
const drawJumps = (plot: uPlot, { spec, isShown, colour, font, range }: Drawing): void => {
  const { jumps = [], series, atMs } = spec();
  const shown = range();
  const { ctx: context } = plot;
  context.save();
  context.font = `bold ${JUMP_FONT_PX * devicePixelRatio}px ${font}`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.setLineDash([]);
  for (const [number, jump] of jumps.entries()) {
    const at = series.findIndex(({ label }) => label === jump.label);
    const place = Math.min(atMs.length - 1, placeAt(atMs, jump.atMs) + 1);
    const value = series[at]?.values[place] ?? null;
    if (value === null || !isShown(at) || !isInPeriod(shown, jump.atMs)) continue;
    const [x, y] = [plot.valToPos(jump.atMs / 1_000, "x", true), plot.valToPos(value, "y", true)];
    context.beginPath();
    context.arc(x, y, RADIUS_PX * devicePixelRatio, 0, 2 * Math.PI);
    context.fillStyle = colour("--panel");
    context.strokeStyle = colour("--ink");
    context.fill();
    context.stroke();
    context.fillStyle = colour("--ink");
    context.fillText(String(number + 1), x, y);
  }
  context.restore();
};
