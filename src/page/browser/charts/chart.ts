import { printable } from "../../../text/index.ts";

export type Chart<Spec> = {
  readonly root: HTMLElement;
  readonly update: (spec: Spec) => void;
  /** Removes the chart's listeners. Call this before you remove `root`. */
  readonly destroy: () => void;
};

type Attribute = string | number | boolean | ((event: Event) => void);
type Attributes = { readonly [name: string]: Attribute };
type Child = Node | string | null;

/** Creates an HTML element. Strings become printable text, functions become event listeners. */
export const element = <Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes,
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] => filled(document.createElement(tag), attributes, children);

export const shape = <Tag extends keyof SVGElementTagNameMap>(
  tag: Tag,
  attributes: Attributes,
  ...children: readonly Child[]
): SVGElementTagNameMap[Tag] =>
  filled(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);

const filled = <Made extends Element>(
  made: Made,
  attributes: Attributes,
  children: readonly Child[],
): Made => {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(name, value);
    else if (value !== false) {
      made.setAttribute(name, value === true ? "" : printable(String(value)));
    }
  }
  for (const child of children) {
    if (child !== null) made.append(typeof child === "string" ? printable(child) : child);
  }
  return made;
};

/** The number of distinct colours. The other series are grey. */
export const TONES = 8;

/** The dashes of a line in pixels: of the first `TONES` styles, of the next, and so on. */
export const DASHES = [null, [6, 4], [2, 3], [9, 3, 2, 3]] as const;

/** The number of lines that a chart can tell apart. */
export const STYLES = TONES * DASHES.length;

/** The CSS variable with the colour of a series (`charts.css`). */
export const toneVariable = (at: number): string =>
  at < TONES ? `--tone-${at + 1}` : "--tone-other";

export const colourOf = (variable: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(variable).trim();

export const swatchOf = (variable: string): HTMLElement => {
  const swatch = element("span", { class: "swatch", "aria-hidden": "true" });
  swatch.style.setProperty("--tone", `var(${variable})`);
  return swatch;
};

/** What changes the colours of a page. Paper is always white. */
const THEMES = ["(prefers-color-scheme: dark)", "(forced-colors: active)", "print"];

/** Calls `change` if the page gets other colours. Returns a function to stop the calls. */
export const onThemeChange = (change: () => void): (() => void) => {
  const queries = THEMES.map((theme) => matchMedia(theme));
  for (const query of queries) query.addEventListener("change", change);
  return () => {
    for (const query of queries) query.removeEventListener("change", change);
  };
};
