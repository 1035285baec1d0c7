import uPlot from "uplot";
import { printable } from "../../../printable.ts";
import { numberText, shortText, timeAxis, timeText } from "../parts/text.ts";
import {
  type Chart,
  colourOf,
  DASHES,
  element,
  onThemeChange,
  swatchOf,
  TONES,
  toneVariable,
} from "./chart.ts";

export type Series = {
  readonly label: string;
  /** One value for each moment. A null value draws no point. */
  readonly values: readonly (number | null)[];
  /** The line's style, from 0 to `STYLES - 1`: its colour and its dashes. Default: its index. */
  readonly order?: number;
  readonly style?: "line" | "area" | "bars";
};

export type LineSpec = {
  readonly title: string;
  readonly note: string;
  readonly unit: string;
  /** Run times in ms, in ascending order. */
  readonly atMs: readonly number[];
  readonly series: readonly Series[];
  readonly top?: number;
};

const HEIGHT = 240;
const WIDTH_MIN = 200;

/**
 * A chart of lines, areas or bars over run time. The mouse, a finger or the arrow keys move a
 * cursor, and the legend shows the values at the cursor. A click in the legend hides a series.
 * Dragging sideways zooms in. A double click or Escape zooms out.
 */
export const lineChart = (given: LineSpec): Chart<LineSpec> => {
  const canvas = element("div", { class: "chart-canvas", tabindex: 0, role: "img" });
  const title = element("h3", { class: "chart-title" });
  const note = element("p", { class: "chart-note" });
  const legend = legendOf((at, shown) => plot?.setSeries(at + 1, { show: shown }));
  const root = element("figure", { class: "chart" }, title, note, canvas, legend.root);
  let spec = given;
  let plot: uPlot | null = null;
  const rebuild = (): void => {
    plot?.destroy();
    plot = new uPlot(optionsOf(spec, canvas, legend), columnsOf(spec), canvas);
  };
  const describe = (): void => {
    title.textContent = spec.title;
    note.textContent = spec.note;
    canvas.setAttribute("aria-label", printable(ariaLabelOf(spec)));
  };
  const watch = new ResizeObserver(() => {
    const width = Math.max(WIDTH_MIN, canvas.clientWidth);
    if (plot === null) rebuild();
    else if (plot.width !== width) plot.setSize({ width, height: HEIGHT });
  });
  canvas.addEventListener("keydown", (event) => {
    if (plot !== null && steer(plot, event.key)) event.preventDefault();
  });
  describe();
  legend.show(spec.series.map(entryOf));
  watch.observe(canvas);
  const unlisten = onThemeChange(rebuild);
  return {
    root,
    update: (next) => {
      const same = labelsOf(next) === labelsOf(spec);
      spec = next;
      describe();
      if (same) plot?.setData(columnsOf(spec));
      else legend.show(spec.series.map(entryOf));
      if (!same && plot !== null) rebuild();
    },
    destroy: () => {
      watch.disconnect();
      unlisten();
      plot?.destroy();
    },
  };
};

const toneOf = ({ order }: Series, at: number): string =>
  toneVariable(order === undefined ? at : order % TONES);

const dashesOf = ({ order = 0 }: Series): number => Math.floor(order / TONES) % DASHES.length;

const entryOf = (series: Series, at: number) => ({
  label: series.label,
  tone: toneOf(series, at),
  dashes: dashesOf(series),
});

const labelsOf = ({ series }: LineSpec): string =>
  JSON.stringify(series.map(({ label, style, order }) => [label, style, order]));

const columnsOf = ({ atMs, series }: LineSpec): uPlot.AlignedData => [
  atMs.map((at) => at / 1_000),
  ...series.map(({ values }) => [...values]),
];

/** The label for screen readers: the first and last value of each series. */
const ariaLabelOf = ({ title, note, atMs, series }: LineSpec): string => {
  const span = `${timeText(atMs[0] ?? 0)} to ${timeText(atMs.at(-1) ?? 0)}`;
  const lines = series.slice(0, 8).map(({ label, values }) => {
    const known = values.filter((value) => value !== null);
    const [first = null, last = null] = [known[0], known.at(-1)];
    return `${label} from ${numberText(first)} to ${numberText(last)}`;
  });
  return `${title}. ${note} ${span}: ${lines.join("; ")}.`;
};

const STEP_S = [
  1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200, 86_400,
  172_800, 432_000, 864_000,
];

const optionsOf = (spec: LineSpec, canvas: HTMLElement, legend: Legend): uPlot.Options => {
  const ink = colourOf("--ink-soft");
  const grid = { stroke: colourOf("--grid"), width: 1 };
  const axis = timeAxis((spec.atMs.at(-1) ?? 0) / 1_000);
  const font = `12px ${getComputedStyle(canvas).fontFamily}`;
  const common = { stroke: ink, grid, ticks: grid, font, labelFont: font, labelSize: 18 };
  return {
    width: Math.max(WIDTH_MIN, canvas.clientWidth),
    height: HEIGHT,
    legend: { show: false },
    scales: { x: { time: false }, y: { range: (_, low, high) => rangeOf(spec, low, high) } },
    axes: [
      {
        ...common,
        label: `run time (${axis.unit})`,
        incrs: STEP_S,
        values: (_, places) => places.map(axis.text),
        size: 30,
      },
      { ...common, label: spec.unit, values: (_, places) => places.map(shortText), size: 52 },
    ],
    series: [{}, ...spec.series.map(drawnSeries)],
    cursor: { points: { size: 7 }, drag: { x: true, y: false } },
    hooks: { setCursor: [(plot) => showCursor(plot, spec, legend)] },
  };
};

const rangeOf = (spec: LineSpec, low: number | null, high: number | null): [number, number] => {
  const bottom = Math.min(0, low ?? 0);
  const top = Math.max(spec.top ?? 0, high ?? 0);
  if (top === bottom) return [bottom, bottom + 1];
  const [from, to] = uPlot.rangeNum(bottom, top, 0.05, true);
  return [bottom === 0 ? 0 : (from ?? bottom), Math.max(to ?? top, top)];
};

const drawnSeries = (series: Series, at: number): uPlot.Series => {
  const { label, style = "line" } = series;
  const stroke = colourOf(toneOf(series, at));
  const fill = `${stroke}${style === "bars" ? "cc" : "2e"}`;
  const bars = uPlot.paths.bars?.({ size: [0.9, 24], gap: 0 });
  const dash = DASHES[dashesOf(series)] ?? null;
  return {
    label,
    stroke,
    width: style === "bars" ? 0 : 1.75,
    points: { show: false },
    spanGaps: true,
    ...(dash === null ? {} : { dash: [...dash] }),
    ...(style === "line" ? {} : { fill }),
    ...(style === "bars" && bars !== undefined ? { paths: bars } : {}),
  };
};

const showCursor = (plot: uPlot, { atMs, series }: LineSpec, legend: Legend): void => {
  const at = plot.cursor.idx ?? null;
  if (at === null) return legend.read(null, []);
  const values = series.map(({ values }) => numberText(values[at] ?? null));
  legend.read(timeText(atMs[at] ?? 0), values);
};

/** Moves the cursor in response to a key. Returns false if the chart does not use the key. */
const steer = (plot: uPlot, key: string): boolean => {
  const places = plot.data[0];
  const last = places.length - 1;
  const now = plot.cursor.idx ?? last;
  if (key === "Escape") {
    plot.setScale("x", { min: places[0] ?? 0, max: places[last] ?? 1 });
    plot.setCursor({ left: -10, top: -10 });
    return true;
  }
  const targets: { readonly [key: string]: number } = {
    ArrowLeft: now - 1,
    ArrowRight: now + 1,
    PageUp: now - 10,
    PageDown: now + 10,
    Home: 0,
    End: last,
  };
  const target = targets[key];
  if (target === undefined) return false;
  const place = places[Math.min(last, Math.max(0, target))] ?? 0;
  plot.setCursor({ left: plot.valToPos(place, "x"), top: plot.over.clientHeight / 2 });
  return true;
};

type Entry = ReturnType<typeof entryOf>;
type Legend = ReturnType<typeof legendOf>;

const LABELS_MAX = TONES;

/** The legend. The button of a series toggles the series and shows the value at the cursor. */
const legendOf = (toggle: (at: number, shown: boolean) => void) => {
  const list = element("ul", { class: "legend" });
  const time = element("li", { class: "legend-time", "aria-live": "polite" });
  let readings: readonly HTMLElement[] = [];
  const entry = ({ label, tone, dashes }: Entry, at: number) => {
    const reading = element("span", { class: "reading" });
    const swatch = swatchOf(tone);
    swatch.classList.add(`dash-${dashes}`);
    const name = element("bdi", {}, label);
    const button = element("button", { type: "button", "aria-pressed": "true" });
    button.append(swatch, name, reading);
    button.addEventListener("click", () => {
      const shown = button.getAttribute("aria-pressed") !== "true";
      button.setAttribute("aria-pressed", String(shown));
      toggle(at, shown);
    });
    return { item: element("li", {}, button), reading };
  };
  return {
    root: list,
    show: (series: readonly Entry[]): void => {
      const entries = series.map(entry);
      readings = entries.map(({ reading }) => reading);
      const items = entries.map(({ item }) => item);
      const rest = items.slice(LABELS_MAX);
      for (const item of rest) item.hidden = true;
      const more = element("li", {}, element("button", { type: "button" }, `${rest.length} more`));
      more.addEventListener("click", () => {
        for (const item of rest) item.hidden = false;
        more.remove();
        rest[0]?.querySelector("button")?.focus();
      });
      list.replaceChildren(...items, ...(rest.length > 0 ? [more] : []), time);
    },
    /** Shows the values at the cursor. `at` is null if there is no cursor. */
    read: (at: string | null, values: readonly string[]): void => {
      time.textContent = at === null ? "" : `at ${at}`;
      for (const [place, reading] of readings.entries()) {
        reading.textContent = at === null ? "" : (values[place] ?? "");
      }
    },
  };
};
