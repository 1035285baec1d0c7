import uPlot from "uplot";
import { printable } from "../../../text/index.ts";
import { clockText } from "../parts/text.ts";
import { type Chart, colourOf, element, onThemeChange, saveMenu, swatchOf } from "./chart.ts";
import { jumpList, optionsOf } from "./line-drawing.ts";
import { lineFiles } from "./line-picture.ts";
import {
  bandColumns,
  columnsAt,
  type Drawing,
  dashesOf,
  isEmpty,
  type LineSpec,
  nearestPlace,
  placeAt,
  rankedPlaces,
  type Series,
  spanOf,
  spokenText,
  toneOf,
  valueTexts,
} from "./line-spec.ts";
import { TONES } from "./picture.ts";
import { roundedRange, sharedTime, type TimeRange } from "./shared-time.ts";

const HEIGHT = 240;
/** A wide chart is also higher, so that its lines and their names stand apart. */
const TALL_HEIGHT = 320;
const TALL_WIDTH = 700;
const WIDTH_MIN = 200;

/**
 * A chart of lines, areas or bars over run time. All charts of a page have the same cursor, range
 * and moment (`sharedTime`): the mouse, a finger or the arrow keys move the cursor, dragging
 * sideways zooms in, a double-click shows all, and a click or Enter opens the moment. The legend
 * shows the values.
 */
export const lineChart = (given: LineSpec): Chart<LineSpec> => new LineChart(given);

class LineChart implements Chart<LineSpec> {
  readonly root: HTMLElement;
  readonly #canvas = element("div", { class: "chart-canvas", tabindex: 0, role: "img" });
  readonly #title = element("h3", { class: "chart-title" });
  readonly #note = element("p", { class: "chart-note" });
  readonly #empty = element("p", { class: "chart-empty", hidden: true });
  readonly #reset = element(
    "button",
    { type: "button", class: "chart-tool", hidden: true },
    "Reset zoom",
  );
  readonly #later = element("div", { class: "chart-later", hidden: true });
  readonly #veil = element("div", { class: "chart-veil" }, this.#later);
  readonly #spread = element("p", { class: "chart-note chart-band", hidden: true });
  readonly #jumps = jumpList();
  readonly #legend: Legend;
  readonly #stop: readonly (() => void)[];
  #spec: LineSpec;
  #plot: uPlot | null = null;
  #front: number | null = null;
  /** The places whose values the legend shows, and by which it is ranked. */
  #valuesAt: { readonly place: number; readonly placeNow: number } | null = null;

  constructor(spec: LineSpec) {
    this.#spec = spec;
    this.#legend = legendOf({
      toggle: (at, shown) => this.#toggle(at, shown),
      focus: (at) => this.#bringToFront(at),
    });
    const menu = saveMenu(() => lineFiles(this.#spec, (at) => this.#legend.isShown(at)));
    this.root = element(
      "figure",
      { class: "chart" },
      element("div", { class: "chart-head" }, this.#title, this.#reset, menu),
      this.#note,
      this.#empty,
      this.#canvas,
      this.#legend.root,
      this.#spread,
      this.#jumps.root,
    );
    this.#canvas.addEventListener("keydown", (event) => this.#steer(event));
    this.#canvas.addEventListener("blur", () => sharedTime.point(null));
    this.#reset.addEventListener("click", () => {
      sharedTime.zoom(null);
      this.#canvas.focus();
    });
    this.#describe();
    this.#reset.hidden = sharedTime.now.range === null;
    this.#legend.show(spec);
    const watch = new ResizeObserver(() => this.#fit());
    watch.observe(this.#canvas);
    this.#stop = [
      () => watch.disconnect(),
      onThemeChange(() => this.#rebuild()),
      sharedTime.follow((changed) => {
        if (changed.has("range")) this.#showRange();
        if (changed.has("range") || changed.has("momentMs")) this.#showMoment();
        if (changed.has("range") || changed.has("cursorMs")) this.#showCursor();
        this.#showValues();
      }),
    ];
    this.#showNow();
  }

  update(next: LineSpec): void {
    const isSame = stylesText(next) === stylesText(this.#spec);
    this.#spec = next;
    this.#describe();
    if (!isSame) {
      this.#legend.show(next);
      this.#rebuild();
    } else if (this.#plot !== null) {
      this.#plot.setData(columnsOf(next), false);
      this.#showRange();
    }
    this.#showNow();
  }

  destroy(): void {
    for (const stop of this.#stop) stop();
    this.#plot?.destroy();
  }

  #describe(): void {
    const { title, note, empty } = this.#spec;
    this.#title.textContent = title;
    this.#note.textContent = note;
    const isOff = empty !== undefined && isEmpty(this.#spec);
    this.#empty.textContent = empty ?? "";
    this.#empty.hidden = !isOff;
    this.#canvas.hidden = isOff;
    this.#legend.root.hidden = isOff;
    this.#jumps.show(this.#spec);
    const { spread } = this.#spec;
    this.#spread.hidden = spread === undefined;
    this.#spread.replaceChildren(swatchOf("--tone-other"), printable(spread?.label ?? ""));
    this.#canvas.setAttribute("aria-label", printable(spokenText(this.#spec)));
  }

  #fit(): void {
    if (this.#canvas.hidden) return;
    const size = sizeIn(this.#canvas);
    // The room for the names of lines depends on the width.
    if (this.#plot?.width !== size.width) this.#rebuild();
  }

  #rebuild(): void {
    this.#plot?.destroy();
    const drawing: Drawing = {
      spec: () => this.#spec,
      front: () => this.#front,
      isShown: (at) => this.#legend.isShown(at),
      range: () => this.#range(),
      font: getComputedStyle(this.#canvas).fontFamily,
      colour: colourOf,
    };
    const options = optionsOf(drawing, sizeIn(this.#canvas));
    const plot = new uPlot(options, columnsOf(this.#spec), this.#canvas);
    this.#plot = plot;
    for (const [at] of this.#spec.series.entries()) {
      if (!this.#legend.isShown(at)) this.#toggle(at, false);
    }
    plot.over.append(this.#veil);
    followMouse(plot);
    this.#showNow();
  }

  #showNow(): void {
    this.#valuesAt = null;
    this.#showMoment();
    this.#showCursor();
    this.#showValues();
  }

  /** Shows or hides a series with its band. */
  #toggle(at: number, show: boolean): void {
    for (const column of columnsAt(this.#spec, at)) this.#plot?.setSeries(column, { show });
  }

  #range(): TimeRange {
    return sharedTime.now.range ?? spanOf(this.#spec);
  }

  #showRange(): void {
    const { fromMs, toMs } = this.#range();
    this.#reset.hidden = sharedTime.now.range === null;
    const plot = this.#plot;
    plot?.setScale("x", { min: fromMs / 1_000, max: toMs / 1_000 });
    // The mouse is now at another time. The scale changes in a microtask.
    queueMicrotask(() => {
      const left = plot?.cursor.left ?? -1;
      if (plot?.over.matches(":hover") !== true || left < 0) return;
      sharedTime.point(plot.posToVal(left, "x") * 1_000);
    });
  }

  /** Marks the page's moment by a line. What came later is paler. */
  #showMoment(): void {
    const { momentMs } = sharedTime.now;
    const { fromMs, toMs } = this.#range();
    this.#later.hidden = momentMs === null || momentMs >= toMs;
    if (momentMs === null) return;
    const share = Math.max(0, (momentMs - fromMs) / (toMs - fromMs));
    this.#later.classList.toggle("is-before", momentMs < fromMs);
    // Unlike other properties, a transform needs no layout and no painting while the run plays.
    this.#later.style.transform = `translateX(${share * 100}%)`;
  }

  /** Shows the values of the cursor, or else of the moment, in the legend. */
  #showValues(): void {
    const { atMs } = this.#spec;
    const [place, placeNow] = [this.#placeOfCursor(), this.#placeNow()];
    if (this.#valuesAt?.place === place && this.#valuesAt.placeNow === placeNow) return;
    this.#valuesAt = { place, placeNow };
    this.#legend.rank(this.#spec, placeNow);
    this.#legend.read(
      this.#spec,
      place,
      `at ${clockText(atMs[place] ?? 0, this.#isFine() ? 2 : 0)}`,
    );
  }

  #showCursor(): void {
    const { cursorMs } = sharedTime.now;
    const { atMs } = this.#spec;
    const { fromMs, toMs } = this.#range();
    const isHere = cursorMs !== null && cursorMs >= fromMs && cursorMs <= toMs;
    const plot = this.#plot;
    if (plot === null || plot.over.matches(":hover")) return;
    const left = isHere ? plot.valToPos((atMs[this.#placeOfCursor()] ?? 0) / 1_000, "x") : -10;
    // The height of the element would make the browser lay out the page for each chart.
    const height = plot.bbox.height / devicePixelRatio;
    plot.setCursor({ left, top: isHere ? height / 2 : -10 }, false);
  }

  /** The place of the cursor. Without a cursor, that of the moment that the page shows. */
  #placeOfCursor(): number {
    const { cursorMs } = sharedTime.now;
    return cursorMs === null ? this.#placeNow() : nearestPlace(this.#spec.atMs, cursorMs);
  }

  /** The place of the moment that the page shows, or of the end of the range if that is earlier. */
  #placeNow(): number {
    const { momentMs } = sharedTime.now;
    const { toMs } = this.#range();
    return placeAt(this.#spec.atMs, momentMs === null ? toMs : Math.min(momentMs, toMs));
  }

  /** True if several samples lie in one second. */
  #isFine(): boolean {
    const { fromMs, toMs } = spanOf(this.#spec);
    return (toMs - fromMs) / this.#spec.atMs.length < 1_000;
  }

  #bringToFront(at: number | null): void {
    if (this.#front === at) return;
    this.#front = at;
    this.#plot?.redraw(false);
  }

  #steer(event: KeyboardEvent): void {
    if (event.target !== this.#canvas || event.ctrlKey || event.metaKey || event.altKey) return;
    if (steered(event.key, this.#spec)) event.preventDefault();
  }
}

const sizeIn = ({ clientWidth }: HTMLElement) => {
  const width = Math.max(WIDTH_MIN, clientWidth);
  return { width, height: width >= TALL_WIDTH ? TALL_HEIGHT : HEIGHT };
};

const stylesText = ({ series, spread }: LineSpec): string =>
  JSON.stringify([
    spread?.label,
    ...series.map(({ label, style, order, band }) => [label, style, order, !band]),
  ]);

const columnsOf = (spec: LineSpec): uPlot.AlignedData => [
  spec.atMs.map((at) => at / 1_000),
  ...spec.series.map(({ values }) => [...values]),
  ...bandColumns(spec).map((values) => [...values]),
];

const CLICK_PX_MAX = 4;

/**
 * Moves the shared cursor with the mouse, and opens the moment of a click. The first click of a
 * double-click opens its moment at once, and the second one returns to the moment before.
 */
const followMouse = (plot: uPlot): void => {
  const { over } = plot;
  const timeAt = (event: MouseEvent): number =>
    plot.posToVal(event.clientX - over.getBoundingClientRect().left, "x") * 1_000;
  let downX: number | null = null;
  let unchoose: (() => void) | null = null;
  over.addEventListener("mousemove", (event) => sharedTime.point(timeAt(event)));
  over.addEventListener("mouseleave", () => sharedTime.point(null));
  over.addEventListener("mousedown", ({ clientX, button }) => {
    downX = button === 0 ? clientX : null;
  });
  over.addEventListener("mouseup", (event) => {
    const isClick = downX !== null && Math.abs(event.clientX - downX) <= CLICK_PX_MAX;
    downX = null;
    if (isClick && event.detail < 2) {
      unchoose = sharedTime.choose?.(Math.round(timeAt(event))) ?? null;
    }
  });
  over.addEventListener("dblclick", () => {
    unchoose?.();
    unchoose = null;
    sharedTime.zoom(null);
  });
};

/** How much one key press zooms. */
const ZOOM = 2;

/** Moves the shared cursor or range in response to a key. False: charts do not use this key. */
const steered = (key: string, spec: LineSpec): boolean => {
  const { atMs } = spec;
  const { cursorMs, momentMs, range } = sharedTime.now;
  const last = atMs.length - 1;
  const from = cursorMs ?? momentMs ?? range?.toMs ?? atMs[last] ?? 0;
  const now = nearestPlace(atMs, from);
  switch (key) {
    case "Escape":
      sharedTime.point(null);
      sharedTime.zoom(null);
      return true;
    case "Enter":
    case " ":
      if (sharedTime.choose === null) return false;
      sharedTime.choose(atMs[now] ?? 0);
      return true;
    case "+":
    case "=":
      sharedTime.zoom(zoomed(from, 1 / ZOOM, spec));
      return true;
    case "-":
      sharedTime.zoom(zoomed(from, ZOOM, spec));
      return true;
    default:
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
  sharedTime.point(atMs[Math.min(last, Math.max(0, target))] ?? 0);
  return true;
};

/** The range with its width times `factor`, around a time. Null if that is the whole run. */
const zoomed = (aroundMs: number, factor: number, spec: LineSpec): TimeRange | null => {
  const all = spanOf(spec);
  const range = sharedTime.now.range ?? all;
  const width = (range.toMs - range.fromMs) * factor;
  if (width >= all.toMs - all.fromMs) return null;
  const centred = Math.max(all.fromMs, aroundMs - width / 2);
  const fromMs = Math.min(centred, all.toMs - width);
  return roundedRange({ fromMs, toMs: fromMs + width });
};

const LABELS_MAX = TONES;

type LegendParts = {
  readonly toggle: (at: number, shown: boolean) => void;
  /** Brings a line to the front. Null: no line. */
  readonly focus: (at: number | null) => void;
};

type Legend = ReturnType<typeof legendOf>;

/**
 * The legend of a chart. The button of a series hides or shows the series, brings its line to the
 * front while it has the mouse or the focus, and shows its value.
 */
const legendOf = ({ toggle, focus }: LegendParts) => {
  const list = element("ul", { class: "legend" });
  const time = element("li", { class: "legend-time", "aria-live": "polite" });
  const more = element("button", { type: "button" });
  const moreItem = element("li", {}, more);
  let entries: readonly Entry[] = [];
  let isAll = false;
  let order = "";
  let valueText: ReturnType<typeof valueTexts> = String;
  more.addEventListener("click", () => {
    isAll = true;
    const hidden = entries.filter(({ item }) => item.hidden);
    hideRest();
    hidden[0]?.button.focus();
  });
  /** Shows the first entries, and a button for the others. */
  const hideRest = (): void => {
    const items = [...list.querySelectorAll<HTMLElement>(".legend-entry")];
    for (const [at, item] of items.entries()) item.hidden = !isAll && at >= LABELS_MAX;
    const rest = items.length - LABELS_MAX;
    moreItem.hidden = isAll || rest <= 0;
    more.textContent = `${rest} more`;
  };
  /** Orders the entries, but not while a person uses them. */
  const arrange = (places: readonly number[]): void => {
    if (places.join() === order) return;
    if (order !== "" && (list.contains(document.activeElement) || list.matches(":hover"))) return;
    order = places.join();
    const items = places.map((at) => entries[at]?.item).filter((item) => item !== undefined);
    list.replaceChildren(time, ...items, moreItem);
    hideRest();
  };
  return {
    root: list,
    /** Shows the series of a chart. Call it when their names or styles change. */
    show: (spec: LineSpec): void => {
      valueText = valueTexts(spec);
      entries = spec.series.map((series, at) => entryOf(series, at, valueText));
      for (const [at, { button }] of entries.entries()) attach(button, at, { toggle, focus });
      order = "";
      arrange(rankedPlaces(spec, spec.atMs.length - 1));
    },
    /** Ranks the entries by their values at a place. Call it when values or the moment change. */
    rank: (spec: LineSpec, place: number): void => {
      valueText = valueTexts(spec);
      arrange(rankedPlaces(spec, place));
    },
    /** Shows the values of one place, and above them its time. */
    read: (spec: LineSpec, place: number, text: string): void => {
      time.textContent = text;
      for (const [at, { reading }] of entries.entries()) {
        reading.textContent = valueText(spec.series[at]?.values[place] ?? null);
      }
    },
    isShown: (at: number): boolean => entries[at]?.button.getAttribute("aria-pressed") !== "false",
  };
};

const attach = (button: HTMLElement, at: number, { toggle, focus }: LegendParts): void => {
  button.addEventListener("click", () => toggle(at, turned(button)));
  for (const event of ["mouseenter", "focus"]) button.addEventListener(event, () => focus(at));
  for (const event of ["mouseleave", "blur"]) button.addEventListener(event, () => focus(null));
};

/** Turns a button on or off. Returns whether it is on now. */
const turned = (button: HTMLElement): boolean => {
  const isOn = button.getAttribute("aria-pressed") !== "true";
  button.setAttribute("aria-pressed", String(isOn));
  return isOn;
};

type Entry = ReturnType<typeof entryOf>;

const entryOf = (series: Series, at: number, valueText: ReturnType<typeof valueTexts>) => {
  const reading = element("span", { class: "reading" });
  // The widest value has room from the start, so that no other value moves the entries.
  const chars = Math.max(...[...series.values, 0].map((value) => valueText(value).length));
  reading.style.minWidth = `${chars}ch`;
  const swatch = swatchOf(toneOf(series, at));
  swatch.classList.add(`dash-${dashesOf(series)}`);
  const button = element("button", { type: "button", "aria-pressed": "true" });
  button.append(swatch, element("bdi", {}, series.label), reading);
  return { item: element("li", { class: "legend-entry" }, button), button, reading };
};
