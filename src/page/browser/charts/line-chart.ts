import { html } from "htm/preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import {
  dashesOf,
  drawLines,
  type LineSpec,
  linePicture,
  lineTable,
  placeAt,
  rankedPlaces,
  spanOf,
  toneOf,
  valueTexts,
} from "../../../read/index.ts";
import { clockText, momentText, type Period } from "../../../text/index.ts";
import { Chart, elementsOf, useWidth } from "./chart.ts";
import { roundedRange, sharedTime, useSharedTime } from "./shared-time.ts";

const HEIGHT = 240;
/** A wide chart is also higher, so that its lines and their names stand apart. */
const TALL_HEIGHT = 320;
const TALL_WIDTH = 700;
const WIDTH_MIN = 200;
const TEXT_PX = 12;

type LineParts = { readonly spec: LineSpec; readonly wide?: boolean };

/**
 * A chart of lines, areas or bars over run time. All charts of a page have the same cursor, range
 * and moment (`sharedTime`): the mouse, a finger or the arrow keys move the cursor, dragging
 * sideways zooms in, a double-click shows all, and a click or Enter opens the moment. The legend
 * shows the values.
 */
export const LineChart = ({ spec, wide = false }: LineParts) => {
  const canvas = useRef<HTMLDivElement>(null);
  const width = Math.max(WIDTH_MIN, Math.floor(useWidth(canvas)));
  const height = width >= TALL_WIDTH ? TALL_HEIGHT : HEIGHT;
  const { cursorMs, momentMs, range: zoomed } = useSharedTime();
  /** The labels of the series that a person has hidden. */
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const [front, bringToFront] = useState<number | null>(null);
  const isShown = (at: number): boolean => !hidden.has(spec.series[at]?.label ?? "");
  const { atMs } = spec;
  const range = zoomed ?? spanOf(spec);
  const { fromMs, toMs } = range;
  const drawing = useMemo(() => {
    const look = { width, height, textPx: TEXT_PX, range, isShown, front, hasJumps: true };
    const { shapes, ...drawn } = drawLines(spec, look);
    return { ...drawn, elements: elementsOf(shapes) };
  }, [spec, width, fromMs, toMs, hidden, front]);
  const spoken = useMemo(() => spokenText(spec), [spec]);
  const placeNow = placeAt(atMs, momentMs === null ? toMs : Math.min(momentMs, toMs));
  const place = cursorMs === null ? placeNow : nearestPlace(atMs, cursorMs);
  const files = { picture: () => linePicture(spec, range, isShown), table: () => lineTable(spec) };
  const reset = (): void => {
    sharedTime.zoom(null);
    canvas.current?.focus();
  };
  const tools =
    zoomed !== null &&
    html`<button type="button" class="chart-tool" onClick=${reset}>Reset zoom</button>`;
  const isOff = spec.empty !== undefined && isEmpty(spec);
  const { left, right, top, bottom, x, y, elements } = drawing;
  const isHere = cursorMs !== null && cursorMs >= fromMs && cursorMs <= toMs;
  const cursorX = x(atMs[place] ?? 0) - left;
  const points = spec.series.flatMap((series, at) => {
    const value = series.values[place] ?? null;
    if (!isHere || value === null || series.style === "bars" || !isShown(at)) return [];
    return [{ tone: toneOf(series, at), y: y(value) - top }];
  });
  return html`
    <${Chart} ...${spec} ...${files} wide=${wide} tools=${tools}>
      ${isOff && html`<p class="chart-empty">${spec.empty}</p>`}
      <div class="chart-canvas" hidden=${isOff} tabindex="0" role="img" aria-label=${spoken} ref=${canvas}
        onBlur=${() => sharedTime.point(null)}
        onKeyDown=${(event: KeyboardEvent) => {
          if (event.target !== canvas.current) return;
          if (event.ctrlKey || event.metaKey || event.altKey) return;
          if (steered(event.key, spec)) event.preventDefault();
        }}>
        <svg viewBox=${`0 0 ${width} ${height}`} aria-hidden="true">${elements}</svg>
        <${Plot} place=${{ left, top, width: right - left, height: bottom - top }} range=${range}>
          <div class=${`chart-later ${(momentMs ?? fromMs) < fromMs ? "is-before" : ""}`}
            hidden=${momentMs === null || momentMs >= toMs}
            style=${{ transform: `translateX(${Math.max(0, x(momentMs ?? toMs) - left)}px)` }} />
          <div class="chart-cursor" hidden=${!isHere}
            style=${{ transform: `translateX(${cursorX}px)` }} />
          ${points.map(
            ({ tone, y }) =>
              html`<i class="chart-point" style=${{
                background: `var(--${tone})`,
                transform: `translate(${cursorX}px, ${y}px)`,
              }} />`,
          )}
        <//>
      </div>
      ${
        !isOff &&
        html`<${Legend} spec=${spec} place=${place} placeNow=${placeNow} hidden=${hidden}
          hide=${setHidden} bringToFront=${bringToFront} />`
      }
      ${
        spec.spread !== undefined &&
        html`<p class="chart-note"><span class="swatch is-pale" aria-hidden="true"
          style="--tone:var(--tone-other)" /> ${spec.spread.label}</p>`
      }
      <${Jumps} spec=${spec} />
    <//>
  `;
};

/** True if the chart has nothing to show: no value, or only bars and areas without height. */
const isEmpty = ({ series }: LineSpec): boolean =>
  series.every(({ values, style = "line" }) =>
    values.every((value) => value === null || (value === 0 && style !== "line")),
  );

/** The place of the time next to `ms`. */
const nearestPlace = (atMs: readonly number[], ms: number): number => {
  const before = placeAt(atMs, ms);
  const [one, other] = [atMs[before] ?? 0, atMs[before + 1] ?? Number.POSITIVE_INFINITY];
  return other - ms < ms - one ? before + 1 : before;
};

const SPOKEN_MAX = 8;

/** The label for screen readers: the first and last value of each series. */
const spokenText = (spec: LineSpec): string => {
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

const CLICK_PX_MAX = 4;

type PlotParts = {
  readonly place: { left: number; top: number; width: number; height: number };
  readonly range: Period;
  readonly children?: unknown;
};

/**
 * The part of a chart with the lines. Moves the shared cursor with the mouse, zooms to what is
 * dragged over, and opens the moment of a click. The first click of a double-click opens its moment
 * at once, and the second one returns to the moment before.
 */
const Plot = ({ place, range, children }: PlotParts) => {
  const [dragged, drag] = useState<{ readonly from: number; readonly to: number } | null>(null);
  const isClick = useRef(true);
  const unchoose = useRef<(() => void) | null>(null);
  const xOf = ({ clientX, currentTarget }: MouseEvent): number =>
    currentTarget instanceof Element ? clientX - currentTarget.getBoundingClientRect().left : 0;
  const timeAt = (x: number): number =>
    range.fromMs + (x / place.width) * (range.toMs - range.fromMs);
  const down = (event: PointerEvent): void => {
    isClick.current = true;
    if (event.button !== 0 || event.pointerType !== "mouse") return;
    if (event.currentTarget instanceof Element)
      event.currentTarget.setPointerCapture(event.pointerId);
    drag({ from: xOf(event), to: xOf(event) });
  };
  const move = (event: PointerEvent): void => {
    const to = xOf(event);
    sharedTime.point(timeAt(Math.min(place.width, Math.max(0, to))));
    if (dragged === null) return;
    if (Math.abs(to - dragged.from) > CLICK_PX_MAX) isClick.current = false;
    drag({ ...dragged, to });
  };
  const up = (): void => {
    drag(null);
    if (dragged === null || isClick.current) return;
    const [from, to] = [dragged.from, dragged.to]
      .map((x) => Math.min(place.width, Math.max(0, x)))
      .sort((a, b) => a - b);
    sharedTime.zoom(roundedRange({ fromMs: timeAt(from ?? 0), toMs: timeAt(to ?? 0) }));
  };
  const click = (event: MouseEvent): void => {
    if (!isClick.current || event.detail > 1) return;
    unchoose.current = sharedTime.choose?.(Math.round(timeAt(xOf(event)))) ?? null;
  };
  const doubleClick = (): void => {
    unchoose.current?.();
    unchoose.current = null;
    sharedTime.zoom(null);
  };
  const px = ({ left, top, width, height }: PlotParts["place"]) => {
    return { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` };
  };
  return html`
    <div class="chart-plot" style=${px(place)} onPointerDown=${down} onPointerMove=${move}
      onPointerUp=${up} onPointerLeave=${() => sharedTime.point(null)} onClick=${click}
      onDblClick=${doubleClick}>
      ${children}
      ${
        dragged !== null &&
        html`<div class="chart-selected" style=${{
          left: `${Math.min(dragged.from, dragged.to)}px`,
          width: `${Math.abs(dragged.to - dragged.from)}px`,
        }} />`
      }
    </div>
  `;
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
      sharedTime.zoom(zoomedRange(from, 1 / ZOOM, spec));
      return true;
    case "-":
      sharedTime.zoom(zoomedRange(from, ZOOM, spec));
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
const zoomedRange = (aroundMs: number, factor: number, spec: LineSpec): Period | null => {
  const all = spanOf(spec);
  const range = sharedTime.now.range ?? all;
  const width = (range.toMs - range.fromMs) * factor;
  if (width >= all.toMs - all.fromMs) return null;
  const centred = Math.max(all.fromMs, aroundMs - width / 2);
  const fromMs = Math.min(centred, all.toMs - width);
  return roundedRange({ fromMs, toMs: fromMs + width });
};

const LABELS_MAX = 8;

type LegendParts = {
  readonly spec: LineSpec;
  /** The place whose values are shown, and the one by which the entries are ranked. */
  readonly place: number;
  readonly placeNow: number;
  readonly hidden: ReadonlySet<string>;
  readonly hide: (labels: ReadonlySet<string>) => void;
  readonly bringToFront: (at: number | null) => void;
};

/**
 * The legend of a chart. The button of a series hides or shows the series, brings its line to the
 * front while it has the mouse or the focus, and shows its value.
 */
const Legend = ({ spec, place, placeNow, hidden, hide, bringToFront }: LegendParts) => {
  const list = useRef<HTMLUListElement>(null);
  const [isAll, setAll] = useState(false);
  const { series, atMs } = spec;
  const { valueText, widths } = useMemo(() => {
    const valueText = valueTexts(spec);
    // The widest value has room from the start, so that no other value moves the entries.
    const widths = series.map(({ values }) =>
      Math.max(...[...values, 0].map((value) => valueText(value).length)),
    );
    return { valueText, widths };
  }, [spec]);
  const order = useRef<readonly number[]>([]);
  const isUsed = list.current?.matches(":hover, :focus-within") === true;
  if (!isUsed || order.current.length !== series.length)
    order.current = rankedPlaces(spec, placeNow);
  const shown = isAll ? order.current : order.current.slice(0, LABELS_MAX);
  const first = order.current[LABELS_MAX];
  useEffect(() => {
    // The button that has gone had the focus.
    if (isAll) list.current?.querySelector<HTMLElement>(`[data-at="${first}"]`)?.focus();
  }, [isAll]);
  const toggle = (label: string): void => {
    const next = new Set(hidden);
    if (!next.delete(label)) next.add(label);
    hide(next);
  };
  const spanMs = (atMs.at(-1) ?? 0) - (atMs[0] ?? 0);
  // Several samples may lie in one second.
  const decimals = spanMs / Math.max(1, atMs.length) < 1_000 ? 2 : 0;
  return html`
    <ul class="legend" ref=${list}>
      <li class="legend-time" aria-live="polite">at ${clockText(atMs[place] ?? 0, decimals)}</li>
      ${shown.map((at) => {
        const one = series[at];
        if (one === undefined) return null;
        return html`<li class="legend-entry" key=${one.label}>
          <button type="button" data-at=${at} aria-pressed=${!hidden.has(one.label)}
            onClick=${() => toggle(one.label)}
            onMouseEnter=${() => bringToFront(at)} onFocus=${() => bringToFront(at)}
            onMouseLeave=${() => bringToFront(null)} onBlur=${() => bringToFront(null)}>
            <span class=${`swatch dash-${dashesOf(one)}`} aria-hidden="true"
              style=${`--tone:var(--${toneOf(one, at)})`} />
            <bdi>${one.label}</bdi>
            <span class="reading" style=${{ minWidth: `${widths[at]}ch` }}
            >${valueText(one.values[place] ?? null)}</span>
          </button>
        </li>`;
      })}
      ${
        shown.length < series.length &&
        html`<li><button type="button" onClick=${() => setAll(true)}>
          ${series.length - shown.length} more</button></li>`
      }
    </ul>
  `;
};

/** The large changes below a chart, each with its number in the chart and a link to its moment. */
const Jumps = ({ spec: { jumps = [], jumpsWhen: when } }: Pick<LineParts, "spec">) => html`
  ${
    when !== undefined &&
    html`<p class="chart-note">${jumps.length === 0 ? "No large changes" : "Large changes"} ${when}</p>`
  }
  ${
    jumps.length > 0 &&
    html`<ol class="chart-jumps" aria-label="Large changes">
      ${jumps.map(
        ({ atMs, says, href }) => html`<li key=${says}>
          <a class="link" href=${href}>${momentText(atMs)}</a> <bdi>${says}</bdi></li>`,
      )}
    </ol>`
  }
`;
