import { element } from "./element.ts";
import { TONES } from "./tones.ts";

/** A series as the legend names it. */
export type Named = { readonly label: string; readonly tone: string; readonly isDashed: boolean };

/** The names of series with their colours, each a switch, and what they are under the cursor. */
export type Legend = {
  readonly root: HTMLElement;
  readonly show: (series: readonly Named[]) => void;
  /** Null: the cursor is nowhere. */
  readonly read: (time: string | null, values: readonly string[]) => void;
};

/** Of more series than colours the rest is named when somebody asks for it. */
const LABELS_MAX = TONES;

export const legendOf = (toggle: (at: number, shown: boolean) => void): Legend => {
  const list = element("ul", { class: "legend" });
  const time = element("li", { class: "legend-time", "aria-live": "polite" });
  let readings: readonly HTMLElement[] = [];
  const entry = (
    { label, tone, isDashed }: Named,
    at: number,
  ): { item: HTMLElement; reading: HTMLElement } => {
    const reading = element("span", { class: "reading" });
    const swatch = swatchOf(tone);
    swatch.classList.toggle("is-dashed", isDashed);
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
    show: (series) => {
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
