import { element, swatchOf, TONES } from "../chart.ts";
import {
  dashesOf,
  type LineSpec,
  rankedPlaces,
  type Series,
  toneOf,
  valueTexts,
} from "./line-spec.ts";

const LABELS_MAX = TONES;

type LegendParts = {
  readonly toggle: (at: number, shown: boolean) => void;
  /** Brings a line to the front. Null: no line. */
  readonly focus: (at: number | null) => void;
};

export type Legend = ReturnType<typeof legendOf>;

/**
 * The legend of a chart. The button of a series hides or shows the series, brings its line to the
 * front while it has the mouse or the focus, and shows its value.
 */
export const legendOf = ({ toggle, focus }: LegendParts) => {
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
