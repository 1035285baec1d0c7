import { element } from "./element.ts";
import { TONES, toneVariable } from "./tones.ts";

/** The names of series with their colours, each a switch, and what they are under the cursor. */
export type Legend = {
  readonly root: HTMLElement;
  readonly show: (labels: readonly string[]) => void;
  /** Null: the cursor is nowhere. */
  readonly read: (time: string | null, values: readonly string[]) => void;
};

/** Series beyond the colours are drawn all in grey, and named together. */
const LABELS_MAX = TONES;

export const legendOf = (toggle: (at: number, shown: boolean) => void): Legend => {
  const list = element("ul", { class: "legend" });
  const time = element("li", { class: "legend-time", "aria-live": "polite" });
  let readings: readonly HTMLElement[] = [];
  const entry = (label: string, at: number): { item: HTMLElement; reading: HTMLElement } => {
    const reading = element("span", { class: "reading" });
    const swatch = swatchOf(toneVariable(at));
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
    show: (labels) => {
      const entries = labels.slice(0, LABELS_MAX).map(entry);
      readings = entries.map(({ reading }) => reading);
      const more = labels.length - LABELS_MAX;
      const rest = element(
        "li",
        { class: "legend-item" },
        swatchOf("--tone-other"),
        `${more} more`,
      );
      const items = entries.map(({ item }) => item);
      list.replaceChildren(...items, ...(more > 0 ? [rest] : []), time);
    },
    read: (at, values) => {
      time.textContent = at === null ? "" : `at ${at}`;
      for (const [place, reading] of readings.entries()) {
        reading.textContent = at === null ? "" : (values[place] ?? "");
      }
    },
  };
};

/** A little square in the colour of a variable. */
export const swatchOf = (variable: string): HTMLElement => {
  const swatch = element("span", { class: "swatch", "aria-hidden": "true" });
  swatch.style.setProperty("--tone", `var(${variable})`);
  return swatch;
};
